//! Limits of `problem.yaml`, with the defaults filled in.

use super::{
    Kind, ProblemLimits,
    number::seconds,
    sheet::{Keys, Sheet, Unknown},
    yaml::{Node, Value},
};
use crate::base::Bytes;
use std::time::Duration;

/// What holds where a package says nothing.
fn defaults(ac_to_time_limit: f64, time_limit_to_tle: f64) -> ProblemLimits {
    ProblemLimits {
        time: None,
        ac_to_time_limit,
        time_limit_to_tle,
        time_resolution: Duration::from_secs(1),
        memory: Bytes::mib(2048),
        output: Bytes::mib(8),
        code: Bytes::kib(128),
        compilation_time: Duration::from_secs(60),
        compilation_memory: Bytes::mib(2048),
        validation_time: Duration::from_secs(60),
        validation_memory: Bytes::mib(2048),
        validation_output: Bytes::mib(8),
        validation_passes: 2,
    }
}

const SIZES: &[&str] = &[
    "memory",
    "output",
    "code",
    "compilation_time",
    "compilation_memory",
    "validation_time",
    "validation_memory",
    "validation_output",
];
const MODERN: &[&str] = &["time_limit", "time_multipliers", "time_resolution", "validation_passes"];
const LEGACY: &[&str] =
    &["time_multiplier", "time_safety_margin", "validation_passes", "time_multipliers", "time_limit"];

/// Limits of 2025-09.
pub fn modern(node: Option<&Node>, kind: Kind, sheet: &mut Sheet) -> ProblemLimits {
    let mut limits = defaults(2.0, 1.5);
    let known = [MODERN, SIZES].concat();
    let Some(node) = node else { return limits };
    let Some(keys) = sheet.keys("limits", node, &known, Unknown::Refuse) else { return limits };
    sizes(keys, &mut limits, sheet);
    if let Some(time) = time(keys, "time_resolution", sheet) {
        limits.time_resolution = time;
    }
    limits.time = time(keys, "time_limit", sheet);
    if let Some(node) = keys.get("time_multipliers") {
        multipliers(node, &mut limits, sheet);
    }
    resolution(keys, &limits, sheet);
    passes(keys, kind, &mut limits, sheet);
    limits
}

/// Limits of legacy.
pub fn legacy(node: Option<&Node>, kind: Kind, sheet: &mut Sheet) -> ProblemLimits {
    let mut limits = defaults(5.0, 2.0);
    let known = [LEGACY, SIZES].concat();
    let Some(node) = node else { return limits };
    let Some(keys) = sheet.keys("limits", node, &known, Unknown::Warn) else { return limits };
    sizes(keys, &mut limits, sheet);
    for (key, field) in [
        ("time_multiplier", &mut limits.ac_to_time_limit),
        ("time_safety_margin", &mut limits.time_limit_to_tle),
    ] {
        multiplier(keys, key, field, sheet);
    }
    if let Some(node) = keys.get("time_limit") {
        sheet.warn(node.line, "`time_limit` is not a key of legacy: taken as the time limit in seconds");
        limits.time = time(keys, "time_limit", sheet);
    }
    if let Some(node) = keys.get("time_multipliers") {
        misspelt_multipliers(keys, node, &mut limits, sheet);
    }
    passes(keys, kind, &mut limits, sheet);
    limits
}

/// `time_multipliers: 1`, or the map of 2025-09.
fn misspelt_multipliers(keys: Keys, node: &Node, limits: &mut ProblemLimits, sheet: &mut Sheet) {
    sheet.warn(node.line, "`time_multipliers` is not a key of legacy: taken as `time_multiplier`");
    match node.value {
        Value::Map(_) => multipliers(node, limits, sheet),
        _ => multiplier(keys, "time_multipliers", &mut limits.ac_to_time_limit, sheet),
    }
}

fn multipliers(node: &Node, limits: &mut ProblemLimits, sheet: &mut Sheet) {
    let known = ["ac_to_time_limit", "time_limit_to_tle"];
    let Some(keys) = sheet.keys("time_multipliers", node, &known, Unknown::Refuse) else { return };
    multiplier(keys, known[0], &mut limits.ac_to_time_limit, sheet);
    multiplier(keys, known[1], &mut limits.time_limit_to_tle, sheet);
}

fn multiplier(keys: Keys, key: &str, field: &mut f64, sheet: &mut Sheet) {
    let Some(node) = keys.get(key) else { return };
    match sheet.decimal(key, node) {
        Some(number) if (1.0..=1e6).contains(&number) => *field = number,
        Some(_) => sheet.error(node.line, format!("`{key}` must be at least 1")),
        None => {}
    }
}

fn time(keys: Keys, key: &str, sheet: &mut Sheet) -> Option<Duration> {
    let node = keys.get(key)?;
    let number = sheet.decimal(key, node)?;
    let time = seconds(number);
    if time.is_none() {
        sheet.error(node.line, format!("`{key}` must be more than 0 seconds and at most a day"));
    }
    time
}

/// A given time limit is a multiple of a given resolution.
fn resolution(keys: Keys, limits: &ProblemLimits, sheet: &mut Sheet) {
    let (Some(node), Some(time)) = (keys.get("time_limit"), limits.time) else { return };
    let step = limits.time_resolution.as_nanos();
    if time.as_nanos() % step != 0 {
        let (time, step) = (time.as_secs_f64(), limits.time_resolution.as_secs_f64());
        sheet.error(node.line, format!("`time_limit` {time} is not a multiple of `time_resolution` {step}"));
        sheet.hint("set `time_resolution` so that it is, or change the limit");
    }
}

fn passes(keys: Keys, kind: Kind, limits: &mut ProblemLimits, sheet: &mut Sheet) {
    let Some(node) = keys.get("validation_passes") else { return };
    if !kind.multi_pass {
        sheet.error(node.line, "`validation_passes` is only for multi-pass problems");
        return;
    }
    if let Some(number) = sheet.whole("validation_passes", node, 2, 10_000) {
        limits.validation_passes = number as u32;
    }
}

/// Greatest size of a limit, in its unit: a TiB of memory, twelve days of validation.
const GREATEST: u64 = 1 << 20;

fn sizes(keys: Keys, limits: &mut ProblemLimits, sheet: &mut Sheet) {
    let mut size = |key: &str, write: &mut dyn FnMut(u64)| {
        let number = keys.get(key).and_then(|node| sheet.whole(key, node, 1, GREATEST));
        number.into_iter().for_each(write);
    };
    size("memory", &mut |n| limits.memory = Bytes::mib(n));
    size("output", &mut |n| limits.output = Bytes::mib(n));
    size("code", &mut |n| limits.code = Bytes::kib(n));
    size("compilation_time", &mut |n| limits.compilation_time = Duration::from_secs(n));
    size("compilation_memory", &mut |n| limits.compilation_memory = Bytes::mib(n));
    size("validation_time", &mut |n| limits.validation_time = Duration::from_secs(n));
    size("validation_memory", &mut |n| limits.validation_memory = Bytes::mib(n));
    size("validation_output", &mut |n| limits.validation_output = Bytes::mib(n));
}
