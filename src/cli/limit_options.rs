//! Limits on the command line that override those of the package.

use super::machine_options::BuildKind;
use crate::{base::Bytes, solution::SolutionLimits};
use std::time::Duration;

/// Limits that override those of the package.
#[derive(clap::Args, Clone)]
pub(super) struct LimitOptions {
    /// CPU time limit per case: 1.5, 1.5s, 500ms
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(super) time_limit: Option<Duration>,
    /// Memory limit per case: 256MiB, 1GiB
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub(super) memory_limit: Option<Bytes>,
}

/// The maximum slowdown of a debug build.
const DEBUG_FACTOR: u32 = 10;

impl LimitOptions {
    /// The limits for a solution that is built like this.
    pub(super) fn limits(&self, builds: BuildKind) -> SolutionLimits {
        let slowdown = match builds {
            BuildKind::Usual => None,
            BuildKind::Debugging => Some(DEBUG_FACTOR),
        };
        SolutionLimits { time: self.time_limit, memory: self.memory_limit, slowdown }
    }
}

/// A longer limit is a typo.
const MAX_SECONDS: f64 = 3600.0;

pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 1e-3),
        (None, Some(number)) => (number, 1.0),
        (None, None) => (text, 1.0),
    };
    let seconds = number.trim().parse::<f64>().map(|number| number * unit);
    match seconds {
        Ok(seconds) if (0.001..=MAX_SECONDS).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        Ok(_) => Err("a time limit must be between 1ms and an hour".into()),
        Err(_) => Err("write a time in seconds, such as 1.5, 1.5s or 500ms".into()),
    }
}

/// No program starts with less.
const MIN_MEMORY: Bytes = Bytes::mib(1);

fn parse_memory(text: &str) -> Result<Bytes, String> {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("G", 30), ("M", 20), ("K", 10)];
    let found = units.iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, *shift)));
    // Contests use MiB.
    let (number, shift) = found.unwrap_or((text, 20));
    let number: u64 = number.trim().parse().map_err(|_| "write a size such as 256MiB, or 256 for MiB")?;
    let size = number.checked_mul(1 << shift).map(Bytes).filter(|size| size.0 <= 1 << 46);
    size.filter(|size| *size >= MIN_MEMORY).ok_or("a memory limit must be between 1MiB and 64TiB".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_as_people_write_them() {
        for (text, ms) in [("1.5", 1500), ("2s", 2000), ("500ms", 500)] {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for wrong in ["", "0", "-1", "nan", "inf", "2m", "1e9"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
        for (text, mib) in [("256", 256), ("256MiB", 256), ("1G", 1024), ("2048K", 2)] {
            assert_eq!(parse_memory(text), Ok(Bytes::mib(mib)), "{text}");
        }
        for wrong in ["", "0", "-1", "1K", "99999999G", "1.5G", "256MB"] {
            assert!(parse_memory(wrong).is_err(), "{wrong}");
        }
    }
}
