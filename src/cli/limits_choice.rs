//! Chooses the time limit: the package's, or one calibrated now.

use super::progress_bars::JudgingProgress;
use crate::{
    exec::StoppedEarly,
    grade::{GradeSession, Thoroughness},
    loading::LoadedPackage,
    verify::{LimitRequest, VerificationStep, calibrate_limit},
};
use anyhow::{Result, bail};

/// The origin of the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum LimitsChoice {
    Declared,
    Calibrated,
}

impl LimitsChoice {
    /// Applies the limit to the package. Measures a calibrated limit first, on all cases.
    pub(super) fn apply(self, session: &GradeSession, loaded: &mut LoadedPackage) -> Result<()> {
        if self == LimitsChoice::Declared {
            return Ok(());
        }
        let LoadedPackage { package, tests, .. } = &*loaded;
        let mut progress = JudgingProgress::new(&package.name);
        let session = GradeSession { thoroughness: Thoroughness::Sparing, ..*session };
        let request = LimitRequest { package, tests, session: &session };
        let limits = calibrate_limit(&request, &mut |step| {
            if let VerificationStep::Judging(event) = step {
                progress.show_event(&event);
            }
        });
        progress.close();
        if session.engine.is_stopped() {
            return Err(StoppedEarly.into());
        }
        loaded.package.limits = limits?;
        Ok(())
    }

    /// Fails if a calibrated limit conflicts with another option.
    pub(super) fn check_alone(self, others: &[(bool, &str)]) -> Result<()> {
        match others.iter().find(|(given, _)| *given && self == LimitsChoice::Calibrated) {
            Some((_, other)) => bail!("--limits calibrated cannot be combined with {other}"),
            None => Ok(()),
        }
    }
}
