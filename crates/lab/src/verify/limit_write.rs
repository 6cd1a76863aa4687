//! Writes a measured limit into `problem.yaml`.

use super::limit_survey::LimitSurvey;
use anyhow::{Context, Result, bail};
use kopek_base::{files::write_atomic, wording::short_seconds};
use kopek_engine::package::{Format, Package, with_time_limit};
use std::time::Duration;

/// The effect on `problem.yaml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitWritten {
    /// It has this new limit.
    Written(Duration),
    /// It had this limit before.
    Unchanged(Duration),
}

/// Writes the limit of a survey into `problem.yaml` and leaves the rest of the file unchanged. Refuses a limit from
/// an incomplete measurement.
pub fn write_limit(package: &Package, survey: &LimitSurvey) -> Result<LimitWritten> {
    let name = &package.name;
    if !survey.faults.is_empty() {
        bail!("{name}: --write: not everything was measured, so problem.yaml is unchanged");
    }
    let Some(limit) = survey.proposed else {
        bail!("{name}: --write: no limit to write, so problem.yaml is unchanged");
    };
    if package.format == Format::Legacy {
        let number = short_seconds(limit);
        bail!(
            "{name}: --write: problem.yaml of the legacy format has no time limit; write {number} into `.timelimit`"
        );
    }
    if package.limits.time == Some(limit) {
        return Ok(LimitWritten::Unchanged(limit));
    }
    let path = package.dir.join("problem.yaml");
    let text = std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let edited = with_time_limit(&text, &short_seconds(limit))
        .map_err(|todo| anyhow::anyhow!("edit {}: {todo}", path.display()))?;
    write_atomic(&path, edited.as_bytes())?;
    Ok(LimitWritten::Written(limit))
}
