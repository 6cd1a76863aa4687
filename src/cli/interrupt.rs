//! Ctrl-C and other signals that end a process.

use super::exit_status::ExitStatus;
use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// The flag that [`stop_on_interrupt`] returns.
pub(super) fn stop_flag() -> Arc<AtomicBool> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    STOP.get_or_init(Arc::default).clone()
}

/// A flag that stops new jobs. Ctrl-C, SIGTERM or closing the terminal sets it; a second signal ends the
/// process at once.
pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    // `nohup` starts kopek with SIGHUP ignored so that the run outlives its terminal; keep it ignored.
    let mut signals = vec![SIGINT, SIGTERM];
    if !starts_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    stop_on(&signals)
}

fn stop_on(signals: &[i32]) -> Result<Arc<AtomicBool>> {
    let stop = stop_flag();
    for &signal in signals {
        // Register the shutdown first: handlers run in this order, and it must see the flag from before this
        // signal.
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

/// A flag that halts a repeated run. A signal sets it here, and a save sets it elsewhere, because the current
/// run is then outdated.
pub(super) fn halt_on_interrupt() -> Result<Arc<AtomicBool>> {
    halt_on(&[SIGINT, SIGTERM])
}

fn halt_on(signals: &[i32]) -> Result<Arc<AtomicBool>> {
    let halt = Arc::new(AtomicBool::new(false));
    for &signal in signals {
        signal_hook::flag::register(signal, halt.clone()).context("listen for Ctrl-C")?;
    }
    Ok(halt)
}

/// The signals of a server.
pub(super) struct ServerSignals {
    /// It shall end.
    pub(super) stop: Arc<AtomicBool>,
    /// The server finishes running requests, then ends or restarts.
    pub(super) pause: Arc<AtomicBool>,
}

impl ServerSignals {
    /// SIGHUP restarts a server, as administrators expect.
    pub(super) fn listen() -> Result<ServerSignals> {
        let stop = stop_on(&[SIGINT, SIGTERM])?;
        Ok(ServerSignals { stop, pause: halt_on(&[SIGINT, SIGTERM, SIGHUP])? })
    }
}

/// Until it is dropped, a signal ends the process at once, because nothing runs that must be finished.
pub(super) struct EndAtOnce(Arc<AtomicBool>);

impl EndAtOnce {
    pub(super) fn with(status: ExitStatus) -> Result<EndAtOnce> {
        let ends = Arc::new(AtomicBool::new(true));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_conditional_shutdown(signal, status as i32, ends.clone())
                .context("listen for Ctrl-C")?;
        }
        Ok(EndAtOnce(ends))
    }
}

impl Drop for EndAtOnce {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// Makes a write beyond `ulimit -f` fail with a message instead of ending kopek by a signal. The signal is not
/// ignored, because programs would inherit that.
pub(super) fn fail_beyond_the_file_size() -> Result<()> {
    signal_hook::flag::register(libc::SIGXFSZ, Arc::default())
        .context("listen for the limit of files' sizes")?;
    Ok(())
}

/// Whether this process started with this signal ignored.
fn starts_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")?.trim().get(..16));
    mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
