//! `kopek watch`: `kopek run --watch`, or `kopek test --watch` without a package.

use super::{
    exit_status::ExitStatus,
    run_command::{Args, run_watching},
    test_command::watch_samples,
};
use anyhow::Result;

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    match args.lone_solution() {
        Some(found) => {
            args.check_watchable()?;
            watch_samples(found)
        }
        None => run_watching(args),
    }
}
