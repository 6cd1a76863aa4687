//! `test_group.yaml`: settings, and the scoring rule of a group.

use super::{
    case_settings::{self, CaseSettings},
    data_folder::DataFolder,
    data_reader::DataReader,
};
use crate::{
    package::{
        Aggregation, Package, Rule, StaticScore,
        constants::fill_constants,
        field_reader::{FieldReader, MapFields, UnknownKeyPolicy},
        yaml::{YamlNode, YamlValue},
    },
    points::Points,
};
use std::path::{Path, PathBuf};

/// The position of a `test_group.yaml` in `data/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupPlace {
    /// `data/` itself: only settings.
    Top,
    /// `data/sample`.
    Sample,
    /// `data/secret`.
    Secret,
    Group,
    /// A directory in a group, or in the samples: only settings.
    Nested,
}

impl GroupPlace {
    /// Whether the cases there count together.
    fn is_group(self) -> bool {
        matches!(self, GroupPlace::Sample | GroupPlace::Secret | GroupPlace::Group)
    }
}

/// The contents of a `test_group.yaml`.
pub(super) struct GroupConfig {
    /// Settings, including inherited ones.
    pub settings: CaseSettings,
    pub scoring: Scoring,
}

/// How a group is scored, with the lines of the keys.
#[derive(Debug, Clone)]
pub(super) struct Scoring {
    /// The file, whether it exists or not.
    pub file: PathBuf,
    /// The line of `max_score`, or the first line.
    pub line: u32,
    /// `None`: unbounded.
    pub max_score: Option<Points>,
    /// How the scores of the parts are combined.
    pub aggregation: Aggregation,
    /// `require_pass` as written, with lines.
    pub require_words: Vec<(String, u32)>,
    /// `require_pass` as full names that exist.
    pub require_pass: Vec<String>,
    pub static_validation: Option<StaticScore>,
    pub static_validator_args: Vec<String>,
}

impl Scoring {
    /// The rule in terms of the model.
    pub(crate) fn rule(self) -> Rule {
        Rule::Modern {
            max_score: self.max_score,
            aggregation: self.aggregation,
            require_pass: self.require_pass,
            static_validation: self.static_validation,
            static_validator_args: self.static_validator_args,
        }
    }
}

/// The rule of a directory in `secret` without a file of its own: failing it must not pay, and passing it
/// must not add to the scores of the other groups.
pub(super) fn undeclared_scoring(package: &Package, dir: &Path, secret: &Scoring) -> Scoring {
    let max_score = match secret.aggregation {
        Aggregation::Sum => Some(Points::zero()),
        Aggregation::PassFail | Aggregation::Min => secret.max_score.clone(),
    };
    Scoring {
        file: dir.join("test_group.yaml"),
        line: 1,
        max_score: if package.kind.scoring { max_score } else { None },
        aggregation: Aggregation::PassFail,
        require_words: Vec::new(),
        require_pass: Vec::new(),
        static_validation: None,
        static_validator_args: Vec::new(),
    }
}

/// The rule of `data/`: only `secret` gives points.
pub(super) fn of_root(package: &Package, max_score: Option<Points>) -> Rule {
    let aggregation = if package.kind.scoring { Aggregation::Sum } else { Aggregation::PassFail };
    let max_score = if package.kind.scoring { max_score } else { None };
    let require_pass = Vec::new();
    let static_validator_args = Vec::new();
    Rule::Modern { max_score, aggregation, require_pass, static_validation: None, static_validator_args }
}

const SCORED: &[&str] = &["max_score", "score_aggregation", "require_pass"];
const STATIC: &[&str] = &["static_validation_score", "static_validator_args"];

/// Reads the `test_group.yaml` of a directory, if it has one.
pub(crate) fn read_group_config(
    reader: &mut DataReader,
    folder: &DataFolder,
    place: GroupPlace,
    above: &CaseSettings,
) -> GroupConfig {
    let mut field_reader = FieldReader::new(folder.path.join("test_group.yaml"));
    let node = parse_group_yaml(reader, folder, &mut field_reader);
    let known = [case_settings::KEYS, SCORED, STATIC].concat();
    let empty = YamlNode::new(1, YamlValue::Null);
    let keys = field_reader.keys(
        "test_group.yaml",
        node.as_ref().unwrap_or(&empty),
        &known,
        UnknownKeyPolicy::Refuse,
    );
    // A file that is not a map was reported; reading continues as if it were empty.
    let keys = keys.or_else(|| field_reader.map("", &empty)).expect("an empty map is a map");
    report_forbidden(keys, place, reader.package, &mut field_reader);
    let settings = above.with(keys, reader.package, &mut field_reader);
    let scoring = read_scoring(keys, place, reader.package, &mut field_reader);
    reader.findings.append(&mut field_reader.findings);
    GroupConfig { settings, scoring }
}

/// Parses a `test_group.yaml`, with constants filled in.
pub(crate) fn parse_group_yaml(
    reader: &DataReader,
    folder: &DataFolder,
    field_reader: &mut FieldReader,
) -> Option<YamlNode> {
    let item = folder.config.as_ref()?;
    match reader.disk.read(&item.path) {
        Ok(bytes) => match std::str::from_utf8(&bytes) {
            Ok(text) => field_reader.parse(fill_constants(text, &reader.package.constants).as_bytes()),
            // Constants cannot be filled in; the parser reports that the file is not UTF-8.
            Err(_) => field_reader.parse(&bytes),
        },
        Err(error) => {
            field_reader.error(1, format!("cannot be read: {error}"));
            None
        }
    }
}

fn report_forbidden(keys: MapFields, place: GroupPlace, package: &Package, field_reader: &mut FieldReader) {
    let entries = |list: &'static [&'static str]| list.iter().filter_map(move |key| keys.entry(key));
    for entry in entries(SCORED).chain(entries(STATIC).filter(|_| !place.is_group())) {
        match place {
            GroupPlace::Nested => {
                field_reader.error(entry.line, format!("`{}` is not for directories in groups", entry.key))
            }
            GroupPlace::Sample => {
                field_reader.error(entry.line, format!("`{}` is not for samples", entry.key))
            }
            GroupPlace::Top => {
                field_reader.error(entry.line, format!("`{}` is not for all of data/", entry.key))
            }
            GroupPlace::Secret | GroupPlace::Group if !package.kind.scoring => {
                field_reader.error(entry.line, format!("`{}` is only for scoring problems", entry.key));
                field_reader.todo("add `type: scoring` to problem.yaml, or remove it");
            }
            GroupPlace::Secret | GroupPlace::Group => {}
        }
    }
}

fn read_scoring(
    keys: MapFields,
    place: GroupPlace,
    package: &Package,
    field_reader: &mut FieldReader,
) -> Scoring {
    let scored = package.kind.scoring && matches!(place, GroupPlace::Secret | GroupPlace::Group);
    // Where these keys have no meaning they were reported, and must have no effect.
    let get = |key: &str| if scored { keys.get(key) } else { None };
    let hundred = scored && place == GroupPlace::Secret;
    let max_score = match get("max_score") {
        Some(YamlNode { value: YamlValue::Text(text), .. }) if text == "unbounded" => None,
        // Greater numbers are not exact in tools that parse them as floating point.
        Some(node) => field_reader.whole("max_score", node, 0, 1 << 53).map(Points::from),
        // In the format, the default for `secret` is 100 and everything else is unbounded.
        None => hundred.then(|| Points::from(100)),
    };
    let aggregation = get("score_aggregation")
        .and_then(|node| field_reader.word("score_aggregation", node, &["pass-fail", "sum", "min"]))
        .map_or(if hundred { Aggregation::Sum } else { Aggregation::PassFail }, |word| match word {
            "sum" => Aggregation::Sum,
            "min" => Aggregation::Min,
            _ => Aggregation::PassFail,
        });
    let require_words = get("require_pass")
        .and_then(|node| field_reader.one_or_more("require_pass", node))
        .unwrap_or_default();
    let (static_validation, static_validator_args) =
        read_static_validation(keys, place, aggregation, package, field_reader);
    let line = keys.entry("max_score").map_or(1, |entry| entry.line);
    let scoring = Scoring {
        file: field_reader.file.clone(),
        line,
        max_score,
        aggregation,
        require_words,
        require_pass: Vec::new(),
        static_validation,
        static_validator_args,
    };
    if let (Some(StaticScore::Points(points)), Some(max)) = (&scoring.static_validation, &scoring.max_score)
        && points > max
    {
        field_reader
            .error(line, format!("`static_validation_score` {points} is more than `max_score` {max}"));
    }
    scoring
}

fn read_static_validation(
    keys: MapFields,
    place: GroupPlace,
    aggregation: Aggregation,
    package: &Package,
    field_reader: &mut FieldReader,
) -> (Option<StaticScore>, Vec<String>) {
    let args =
        keys.get("static_validator_args").and_then(|node| field_reader.texts("static_validator_args", node));
    let Some(node) = keys.get("static_validation_score").filter(|_| place.is_group()) else {
        if place.is_group()
            && let Some(entry) = keys.entry("static_validator_args")
        {
            field_reader.error(entry.line, "`static_validator_args` without `static_validation_score`");
        }
        return (None, Vec::new());
    };
    if package.static_validator.is_none() {
        field_reader.error(node.line, "`static_validation_score`, but no static validator");
        field_reader.todo("add one to static_validator/, or remove the key");
        return (None, Vec::new());
    }
    let score = match &node.value {
        YamlValue::Text(text) if text == "pass-fail" => {
            if package.kind.scoring && aggregation != Aggregation::PassFail {
                field_reader
                    .error(node.line, "`pass-fail` as `static_validation_score` where scores are not");
                field_reader.todo("write its maximum score, or `score_aggregation: pass-fail`");
            }
            Some(StaticScore::PassFail)
        }
        YamlValue::Bare(_) if aggregation == Aggregation::PassFail => {
            field_reader.error(node.line, "a number as `static_validation_score` where scores are pass-fail");
            field_reader.todo("write `pass-fail`");
            Some(StaticScore::PassFail)
        }
        _ => field_reader
            .whole("static_validation_score", node, 0, 1 << 53)
            .map(|number| StaticScore::Points(Points::from(number))),
    };
    (score, args.unwrap_or_default())
}
