//! What must be looked at before `main`: the standard library puts the null device in the place of
//! standard streams that are closed.

use std::sync::atomic::{AtomicBool, Ordering};

static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

extern "C" fn look() {
    // SAFETY: asks for flags of a descriptor; no memory is involved, and nothing runs beside it yet.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    STDOUT_WAS_CLOSED.store(flags == -1, Ordering::Relaxed);
}

// SAFETY: the loader calls each function of this section once, without a Rust runtime; `look` needs none.
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

/// Whether this process began with its standard output closed: what it prints is lost.
pub fn stdout_was_closed() -> bool {
    // Mentioned, so that the linker keeps it.
    std::hint::black_box(&LOOK);
    STDOUT_WAS_CLOSED.load(Ordering::Relaxed)
}
