//! Checks before `main`: the standard library replaces closed standard streams by the null device.

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

/// Whether this process started with a closed standard output, so that printed text is lost.
pub fn stdout_was_closed() -> bool {
    // Referenced so that the linker keeps it.
    std::hint::black_box(&LOOK);
    STDOUT_WAS_CLOSED.load(Ordering::Relaxed)
}
