//! Exit codes of commands.

use std::{
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

/// The exit codes, as in docs/reference/reports.md. For several packages the highest one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ExitStatus {
    /// Everything completed, and the result is good.
    Success = 0,
    /// Everything completed, but the result is negative: a submission was not accepted, a claim is broken,
    /// files differ from the lock, or a packed problem will be judged differently.
    Negative = 1,
    /// The request is invalid or impossible.
    Refused = 2,
    /// Not everything was judged, because of a fault of kopek or the machine.
    Faults = 3,
    /// Everything was judged, but a package has errors and was not judged as declared.
    Unsound = 4,
    /// A signal stopped the command.
    Interrupted = 130,
    /// The reader of standard output closed it early.
    Unread = 141,
}

impl ExitStatus {
    /// The status of a judging run; `complete` if nothing is missing. Interrupts and faults come first, because
    /// the missing verdicts could change the result.
    pub(super) fn of_judging(stop: &AtomicBool, faults: &[String], complete: ExitStatus) -> ExitStatus {
        match (stop.load(Ordering::Relaxed), faults.is_empty()) {
            (true, _) => ExitStatus::Interrupted,
            (false, false) => ExitStatus::Faults,
            (false, true) => complete,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_every_exit_code() {
        use ExitStatus::*;
        let page = include_str!("../../docs/reference/reports.md");
        let table = page.split("## Exit codes").nth(1).unwrap().split("\n## ").next().unwrap();
        for status in [Success, Negative, Refused, Faults, Unsound, Interrupted, Unread] {
            assert!(table.contains(&format!("\n| {} | ", status as u8)), "{status:?} is not in the table");
        }
    }

    #[test]
    fn unjudged_runs_come_before_the_result_in_the_exit_code() {
        let (going, stopped) = (AtomicBool::new(false), AtomicBool::new(true));
        let fault = ["a fault".to_owned()];
        let of = |stop, faults| ExitStatus::of_judging(stop, faults, ExitStatus::Negative);
        assert_eq!(of(&stopped, &fault), ExitStatus::Interrupted);
        assert_eq!(of(&going, &fault), ExitStatus::Faults);
        assert_eq!(of(&going, &[]), ExitStatus::Negative);
    }
}
