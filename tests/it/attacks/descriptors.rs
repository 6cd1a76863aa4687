//! Descriptors under way in sockets: the kernel counts those of all programs of a user together.

use super::{attempt::exec, promises::all_sandboxes};
use crate::ordinary_user;
use kopek::sandbox::*;
use std::{os::fd::AsFd, sync::atomic::AtomicBool, time::Duration};

/// Sends as many as it can, says so, and holds them until its input ends.
const SENDS: &str = "import array, socket, sys
pair, many = socket.socketpair(), array.array('i', [0] * 253)
try:
    while True: pair[0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, many)])
except OSError: print('full', flush=True)
sys.stdin.read()";

#[test]
fn descriptors_in_flight_do_not_keep_other_programs_from_starting() {
    let test = "attacks::descriptors::descriptors_in_flight_do_not_keep_other_programs_from_starting";
    if ordinary_user::is_root() {
        ordinary_user::run_tests(&["--exact", test]);
    }
    for sandbox in all_sandboxes() {
        let mode = sandbox.mode_name();
        let (mut one, mut other) = (sandbox.slot(None), sandbox.slot(None));
        let (says, speaker) = std::io::pipe().unwrap();
        let (mut speaker, mut ended) = (Some(speaker), None);
        let mut hears = |_: Speaker, words: &[u8]| {
            assert_eq!(words, b"full\n", "{mode}");
            ended = Some(other.run(&exec(&["true"])).map(|ran| ran.exit));
            speaker = None;
        };
        let stop = AtomicBool::new(false);
        let mut person =
            Person { says: says.as_fd(), hears: &mut hears, stop: &stop, patience: Duration::from_secs(20) };
        let ran = one.run_with_person(&exec(&["python3", "-c", SENDS]), &mut person).unwrap().result;
        assert_eq!(ran.exit, Exit::Code(0), "{mode}");
        assert_eq!(ended.unwrap().map_err(|fault| fault.what), Ok(Exit::Code(0)), "{mode}");
    }
}
