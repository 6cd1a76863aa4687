//! Ctrl-C, and what else asks a process to end.

use super::exit_status::ExitStatus;
use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::{Arc, atomic::AtomicBool};

/// Ctrl-C came before there was anything to report.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; the same command continues from here")]
pub(super) struct InterruptedEarly;

/// A flag that Ctrl-C sets, SIGTERM, or a terminal that closes: no more jobs are handed out. The
/// second time the process ends at once.
pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // `nohup` starts us with the hangup ignored, so that the run outlives its terminal: it stays ignored.
    let hangup = (!starts_ignored(SIGHUP)).then_some(SIGHUP);
    for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
        // The shutdown is registered first: handlers run in this order, and it must see the flag as it
        // was before this signal.
        signal_hook::flag::register_conditional_shutdown(
            signal,
            ExitStatus::Interrupted as i32,
            stop.clone(),
        )
        .and_then(|_| signal_hook::flag::register(signal, stop.clone()))
        .context("listen for Ctrl-C")?;
    }
    Ok(stop)
}

/// A flag for what is begun anew again and again: set by a signal here and by a save elsewhere, for what runs then
/// is of no interest any more.
pub(super) fn halt_on_interrupt() -> Result<Arc<AtomicBool>> {
    let halt = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, halt.clone()).context("listen for Ctrl-C")?;
    }
    Ok(halt)
}

/// Lets a write beyond `ulimit -f` fail with a message: the signal of that would end us without a word. Not ignored,
/// because programs would inherit that.
pub(super) fn fail_beyond_the_file_size() -> Result<()> {
    signal_hook::flag::register(libc::SIGXFSZ, Arc::default())
        .context("listen for the limit of files' sizes")?;
    Ok(())
}

/// Whether this process ignores a signal for which it has registered nothing.
fn starts_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")?.trim().get(..16));
    mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
