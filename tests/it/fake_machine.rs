//! A machine on which no program is run: submissions, validators and generators are written in the language of
//! `crates/fakes/src/fake_language.rs`. For tests that only need outcomes; what depends on the sandbox, on compilers or on
//! the command line needs the real thing.

use kopek::{
    exec::Engine,
    grade::{GradeSession, Thoroughness},
    machine::Machine,
    results::Verified,
    store::Store,
    verify::{self, Gallery, Wishes},
};
use kopek_fakes as fake;
use std::{path::Path, sync::atomic::AtomicBool};

/// A fake machine with its store in this directory.
pub fn fake_machine(home: &Path) -> Machine {
    fake::machine(Store::open(&home.join("fake-store")).unwrap())
}

/// Does something with the engine of a fake machine.
pub fn with_engine<T>(machine: &Machine, act: impl FnOnce(Engine) -> T) -> T {
    let (executor, stop) = (fake::executor(machine), AtomicBool::new(false));
    act(Engine::new(machine, &executor, &stop))
}

/// What `kopek verify` asks for without options.
pub const USUAL_WISHES: Wishes =
    Wishes { strength: false, slow: false, gallery: Gallery::Specimens, excluded: &[], sanitizing: None };

/// Verifies a package as `kopek verify` does.
pub fn verify_package(dir: &Path, machine: &Machine, wishes: Wishes) -> Verified {
    let thoroughness = if wishes.strength { Thoroughness::All } else { Thoroughness::Sparing };
    with_engine(machine, |engine| {
        verify::verify(dir, &GradeSession::usual(engine, thoroughness), wishes, &mut |_| ()).unwrap()
    })
}
