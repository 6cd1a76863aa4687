//! Limits of `problem.yaml`, with the defaults filled in.

use super::{
    ProblemKind, ProblemLimits,
    field_reader::{FieldReader, MapFields, UnknownKeyPolicy},
    number::positive_seconds,
    yaml::{YamlNode, YamlValue},
};
use kopek_base::Bytes;
use std::time::Duration;

/// The limits of a package that sets none.
pub(super) fn default_limits(ac_to_time_limit: f64, time_limit_to_tle: f64) -> ProblemLimits {
    // The format's typical values; it allows any reasonable default for an omitted limit.
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

pub(super) fn modern_limits(
    node: Option<&YamlNode>,
    kind: ProblemKind,
    field_reader: &mut FieldReader,
) -> ProblemLimits {
    let mut limits = default_limits(2.0, 1.5);
    let known = [MODERN, SIZES].concat();
    let Some(node) = node else { return limits };
    let Some(keys) = field_reader.keys("limits", node, &known, UnknownKeyPolicy::Refuse) else {
        return limits;
    };
    read_sizes(keys, &mut limits, field_reader);
    if let Some(time) = read_time(keys, "time_resolution", field_reader) {
        limits.time_resolution = time;
    }
    limits.time = read_time(keys, "time_limit", field_reader);
    if let Some(node) = keys.get("time_multipliers") {
        read_multipliers(node, &mut limits, field_reader);
    }
    // Last, because the resolution may come after the limit in the file.
    check_resolution(keys, &limits, field_reader);
    read_passes(keys, kind, &mut limits, field_reader);
    limits
}

pub(super) fn legacy_limits(
    node: Option<&YamlNode>,
    kind: ProblemKind,
    field_reader: &mut FieldReader,
) -> ProblemLimits {
    // The factors of legacy are 5 and 2 instead of 2 and 1.5.
    let mut limits = default_limits(5.0, 2.0);
    let known = [LEGACY, SIZES].concat();
    let Some(node) = node else { return limits };
    let Some(keys) = field_reader.keys("limits", node, &known, UnknownKeyPolicy::Warn) else { return limits };
    read_sizes(keys, &mut limits, field_reader);
    for (key, field) in [
        ("time_multiplier", &mut limits.ac_to_time_limit),
        ("time_safety_margin", &mut limits.time_limit_to_tle),
    ] {
        read_multiplier(keys, key, field, field_reader);
    }
    if let Some(node) = keys.get("time_limit") {
        field_reader
            .warn(node.line, "`time_limit` is not a key of legacy: read as the time limit in seconds");
        limits.time = read_time(keys, "time_limit", field_reader);
    }
    if let Some(node) = keys.get("time_multipliers") {
        misspelt_multipliers(keys, node, &mut limits, field_reader);
    }
    read_passes(keys, kind, &mut limits, field_reader);
    limits
}

/// `time_multipliers: 1`, or the map of 2025-09.
fn misspelt_multipliers(
    keys: MapFields,
    node: &YamlNode,
    limits: &mut ProblemLimits,
    field_reader: &mut FieldReader,
) {
    field_reader.warn(node.line, "`time_multipliers` is not a key of legacy: read as `time_multiplier`");
    match node.value {
        YamlValue::Map(_) => read_multipliers(node, limits, field_reader),
        _ => read_multiplier(keys, "time_multipliers", &mut limits.ac_to_time_limit, field_reader),
    }
}

fn read_multipliers(node: &YamlNode, limits: &mut ProblemLimits, field_reader: &mut FieldReader) {
    let known = ["ac_to_time_limit", "time_limit_to_tle"];
    let Some(keys) = field_reader.keys("time_multipliers", node, &known, UnknownKeyPolicy::Refuse) else {
        return;
    };
    read_multiplier(keys, known[0], &mut limits.ac_to_time_limit, field_reader);
    read_multiplier(keys, known[1], &mut limits.time_limit_to_tle, field_reader);
}

fn read_multiplier(keys: MapFields, key: &str, field: &mut f64, field_reader: &mut FieldReader) {
    let Some(node) = keys.get(key) else { return };
    match field_reader.decimal(key, node) {
        // The upper bound keeps a limit of a day times this factor within the range of a Duration.
        Some(number) if (1.0..=1e6).contains(&number) => *field = number,
        Some(_) => field_reader.error(node.line, format!("`{key}` must be at least 1")),
        None => {}
    }
}

fn read_time(keys: MapFields, key: &str, field_reader: &mut FieldReader) -> Option<Duration> {
    let node = keys.get(key)?;
    let number = field_reader.decimal(key, node)?;
    let time = positive_seconds(number);
    if time.is_none() {
        field_reader.error(node.line, format!("`{key}` must be more than 0 seconds and at most a day"));
    }
    time
}

/// A time limit must be a multiple of the resolution.
fn check_resolution(keys: MapFields, limits: &ProblemLimits, field_reader: &mut FieldReader) {
    let (Some(node), Some(time)) = (keys.get("time_limit"), limits.time) else { return };
    // In whole nanoseconds: as binary fractions, 0.3 is no multiple of 0.1.
    let step = limits.time_resolution.as_nanos();
    if time.as_nanos() % step != 0 {
        let time = time.as_secs_f64();
        let step = limits.time_resolution.as_secs_f64();
        field_reader
            .error(node.line, format!("`time_limit` {time} is not a multiple of `time_resolution` {step}"));
        field_reader.todo("set `time_resolution` so that it is, or change the limit");
    }
}

fn read_passes(
    keys: MapFields,
    kind: ProblemKind,
    limits: &mut ProblemLimits,
    field_reader: &mut FieldReader,
) {
    let Some(node) = keys.get("validation_passes") else { return };
    if !kind.multi_pass {
        field_reader.error(node.line, "`validation_passes` is only for multi-pass problems");
        return;
    }
    if let Some(number) = field_reader.whole("validation_passes", node, 2, 10_000) {
        limits.validation_passes = number as u32;
    }
}

/// The largest value of a limit, in its unit: a TiB of memory, twelve days of validation.
const MAX: u64 = 1 << 20;

fn read_sizes(keys: MapFields, limits: &mut ProblemLimits, field_reader: &mut FieldReader) {
    let mut size = |key: &str, write: &mut dyn FnMut(u64)| {
        let number = keys.get(key).and_then(|node| field_reader.whole(key, node, 1, MAX));
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
