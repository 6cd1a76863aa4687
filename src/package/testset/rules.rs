//! `test_group.yaml`: settings, and the rule by which a group is scored; then
//! what the rules of several groups demand of each other.

use super::{
    folder::Folder,
    settings::{self, Settings},
};
use crate::{
    package::{
        Aggregation, Finding, Package, Rule, StaticScore,
        constants::fill_constants,
        disk::Disk,
        nearest::nearest,
        sheet::{Keys, Sheet, Unknown, short},
        yaml::{Node, Value},
    },
    points::Points,
};
use std::path::{Path, PathBuf};

/// Where a `test_group.yaml` lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// `data/` itself: only settings.
    Top,
    /// `data/sample`.
    Sample,
    /// `data/secret`.
    Secret,
    /// A group.
    Group,
    /// A directory in a group, or in the samples: only settings.
    Nested,
}

impl Place {
    /// Whether the cases there count together.
    fn is_group(self) -> bool {
        matches!(self, Place::Sample | Place::Secret | Place::Group)
    }
}

/// What a `test_group.yaml` says.
pub struct Said {
    /// Settings, inherited ones included.
    pub settings: Settings,
    /// The rule.
    pub scoring: Scoring,
}

/// How a group is scored, with the lines that say so.
#[derive(Debug, Clone)]
pub struct Scoring {
    /// The file, whether it exists or not.
    pub file: PathBuf,
    /// Where `max_score` stands, else the first line.
    pub line: u32,
    /// `None`: unbounded.
    pub max_score: Option<Points>,
    /// How parts become a whole.
    pub aggregation: Aggregation,
    /// `require_pass` as written, with lines.
    pub wanted: Vec<(String, u32)>,
    /// `require_pass` as full names that exist.
    pub require_pass: Vec<String>,
    /// The static validation case.
    pub static_validation: Option<StaticScore>,
    /// Its arguments.
    pub static_validator_args: Vec<String>,
}

impl Scoring {
    /// As the model says it.
    pub fn rule(self) -> Rule {
        Rule::Modern {
            max_score: self.max_score,
            aggregation: self.aggregation,
            require_pass: self.require_pass,
            static_validation: self.static_validation,
            static_validator_args: self.static_validator_args,
        }
    }
}

/// How a directory of `secret` is scored that has no file of its own: whoever fails it must not win
/// by that, and whoever passes it wins only what the others give.
pub fn unsaid(package: &Package, dir: &Path, secret: &Scoring) -> Scoring {
    let max_score = match secret.aggregation {
        Aggregation::Sum => Some(Points::zero()),
        Aggregation::PassFail | Aggregation::Min => secret.max_score.clone(),
    };
    Scoring {
        file: dir.join("test_group.yaml"),
        line: 1,
        max_score: max_score.filter(|_| package.kind.scoring),
        aggregation: Aggregation::PassFail,
        wanted: Vec::new(),
        require_pass: Vec::new(),
        static_validation: None,
        static_validator_args: Vec::new(),
    }
}

/// The rule of `data/`: nobody is scored by it but through `secret`.
pub fn of_root(package: &Package, max_score: Option<Points>) -> Rule {
    let aggregation = if package.kind.scoring { Aggregation::Sum } else { Aggregation::PassFail };
    let max_score = max_score.filter(|_| package.kind.scoring);
    let (require_pass, static_validator_args) = (Vec::new(), Vec::new());
    Rule::Modern { max_score, aggregation, require_pass, static_validation: None, static_validator_args }
}

const SCORED: &[&str] = &["max_score", "score_aggregation", "require_pass"];
const STATIC: &[&str] = &["static_validation_score", "static_validator_args"];

/// Reads the `test_group.yaml` of a directory, if it has one.
pub fn read(
    package: &Package,
    disk: &Disk,
    folder: &Folder,
    place: Place,
    above: &Settings,
    findings: &mut Vec<Finding>,
) -> Said {
    let file = folder.path.join("test_group.yaml");
    let mut sheet = Sheet::new(&file);
    let node = parse(package, disk, folder, &mut sheet);
    let known = [settings::KEYS, SCORED, STATIC].concat();
    let empty = Node::new(1, Value::Null);
    let keys = sheet.keys("test_group.yaml", node.as_ref().unwrap_or(&empty), &known, Unknown::Refuse);
    let keys = keys.or_else(|| sheet.map("", &empty));
    let said = keys.map(|keys| {
        forbidden(keys, place, package, &mut sheet);
        let settings = above.with(keys, package, &mut sheet);
        Said { settings, scoring: scoring(keys, place, package, &mut sheet) }
    });
    findings.append(&mut sheet.findings);
    said.expect("an empty map is a map")
}

/// Reads the tree of a `test_group.yaml`, constants filled in.
pub fn parse(package: &Package, disk: &Disk, folder: &Folder, sheet: &mut Sheet) -> Option<Node> {
    let item = folder.config.as_ref()?;
    match disk.read(&item.path) {
        Ok(bytes) => match std::str::from_utf8(&bytes) {
            Ok(text) => sheet.parse(fill_constants(text, &package.constants).as_bytes()),
            Err(_) => sheet.parse(&bytes),
        },
        Err(error) => {
            sheet.error(1, format!("cannot be read: {error}"));
            None
        }
    }
}

fn forbidden(keys: Keys, place: Place, package: &Package, sheet: &mut Sheet) {
    let entries = |list: &'static [&'static str]| list.iter().filter_map(move |key| keys.entry(key));
    for entry in entries(SCORED).chain(entries(STATIC).filter(|_| !place.is_group())) {
        match place {
            Place::Nested => {
                sheet.error(entry.line, format!("`{}` is not for directories in groups", entry.key))
            }
            Place::Sample => sheet.error(entry.line, format!("`{}` is not for samples", entry.key)),
            Place::Top => sheet.error(entry.line, format!("`{}` is not for all of data/", entry.key)),
            Place::Secret | Place::Group if !package.kind.scoring => {
                sheet.error(entry.line, format!("`{}` is only for scoring problems", entry.key));
                sheet.hint("add `type: scoring` to problem.yaml, or remove it");
            }
            Place::Secret | Place::Group => {}
        }
    }
}

fn scoring(keys: Keys, place: Place, package: &Package, sheet: &mut Sheet) -> Scoring {
    let scored = package.kind.scoring && matches!(place, Place::Secret | Place::Group);
    let get = |key: &str| keys.get(key).filter(|_| scored);
    let hundred = scored && place == Place::Secret;
    let max_score = match get("max_score") {
        Some(Node { value: Value::Text(text), .. }) if text == "unbounded" => None,
        Some(node) => sheet.whole("max_score", node, 0, 1 << 53).map(Points::from),
        None => hundred.then(|| Points::from(100)),
    };
    let aggregation = get("score_aggregation")
        .and_then(|node| sheet.word("score_aggregation", node, &["pass-fail", "sum", "min"]))
        .map_or(if hundred { Aggregation::Sum } else { Aggregation::PassFail }, |word| match word {
            "sum" => Aggregation::Sum,
            "min" => Aggregation::Min,
            _ => Aggregation::PassFail,
        });
    let wanted =
        get("require_pass").and_then(|node| sheet.one_or_more("require_pass", node)).unwrap_or_default();
    let (static_validation, static_validator_args) =
        static_validation(keys, place, aggregation, package, sheet);
    let line = keys.entry("max_score").map_or(1, |entry| entry.line);
    let scoring = Scoring {
        file: sheet.file.clone(),
        line,
        max_score,
        aggregation,
        wanted,
        require_pass: Vec::new(),
        static_validation,
        static_validator_args,
    };
    if let (Some(StaticScore::Points(points)), Some(max)) = (&scoring.static_validation, &scoring.max_score)
        && points > max
    {
        sheet.error(line, format!("`static_validation_score` {points} is more than `max_score` {max}"));
    }
    scoring
}

fn static_validation(
    keys: Keys,
    place: Place,
    aggregation: Aggregation,
    package: &Package,
    sheet: &mut Sheet,
) -> (Option<StaticScore>, Vec<String>) {
    let args = keys.get("static_validator_args").and_then(|node| sheet.texts("static_validator_args", node));
    let Some(node) = keys.get("static_validation_score").filter(|_| place.is_group()) else {
        if let Some(entry) = keys.entry("static_validator_args").filter(|_| place.is_group()) {
            sheet.error(entry.line, "`static_validator_args` without `static_validation_score`");
        }
        return (None, Vec::new());
    };
    if package.static_validator.is_none() {
        sheet.error(node.line, "`static_validation_score`, but no static validator");
        sheet.hint("add one to static_validator/, or remove the key");
        return (None, Vec::new());
    }
    let score = match &node.value {
        Value::Text(text) if text == "pass-fail" => Some(StaticScore::PassFail),
        Value::Bare(_) if aggregation == Aggregation::PassFail => {
            sheet.error(node.line, "a number as `static_validation_score` where scores are pass-fail");
            sheet.hint("write `pass-fail`");
            Some(StaticScore::PassFail)
        }
        _ => sheet
            .whole("static_validation_score", node, 0, 1 << 53)
            .map(|number| StaticScore::Points(Points::from(number))),
    };
    (score, args.unwrap_or_default())
}

/// What secret and its groups demand of each other in a scoring problem.
pub fn check(
    package: &Package,
    secret: (&str, &Scoring),
    groups: &[(&str, &Scoring)],
    _sample: bool,
    findings: &mut Vec<Finding>,
) {
    if !package.kind.scoring {
        return;
    }
    let mut error = |said: &Scoring, what: String, hint: &str| {
        findings.push(Finding::error(&said.file, what).at(said.line).hint(hint));
    };
    let secret = secret.1;
    if secret.aggregation == Aggregation::PassFail && secret.max_score.is_none() {
        error(secret, "a pass-fail score must be bounded".into(), "set `max_score` to a number");
    }
    for (name, group) in groups {
        match (&group.max_score, &secret.max_score) {
            (None, _) if group.aggregation == Aggregation::PassFail => {
                error(
                    group,
                    format!("pass-fail group `{name}` states no `max_score`"),
                    "set `max_score` to a number",
                );
            }
            (None, Some(_)) => {
                let hint = "set `max_score` here, or `max_score: unbounded` in data/secret/test_group.yaml";
                error(group, format!("group `{name}` is unbounded, but `secret` is not"), hint);
            }
            (Some(max), Some(bound)) if max > bound => {
                error(group, format!("`max_score` {max} is more than the {bound} of `secret`"), "lower it");
            }
            (Some(_) | None, _) => {}
        }
        if secret.aggregation == Aggregation::PassFail && group.aggregation != Aggregation::PassFail {
            let hint = "set `score_aggregation: pass-fail`";
            error(group, format!("`secret` is pass-fail, so group `{name}` must be"), hint);
        }
    }
    whole(secret, groups, findings);
}

/// Groups that are summed should make up the whole.
fn whole(secret: &Scoring, groups: &[(&str, &Scoring)], findings: &mut Vec<Finding>) {
    let parts: Option<Vec<Points>> = groups.iter().map(|(_, group)| group.max_score.clone()).collect();
    let (Some(parts), Some(max), Aggregation::Sum) = (parts, &secret.max_score, secret.aggregation) else {
        return;
    };
    let fixed = match &secret.static_validation {
        Some(StaticScore::Points(points)) => points.clone(),
        Some(StaticScore::PassFail) | None => Points::zero(),
    };
    let sum = parts.into_iter().sum::<Points>() + fixed;
    if !groups.is_empty() && sum != *max {
        let finding =
            Finding::warning(&secret.file, format!("the groups add up to {sum}, but `max_score` is {max}"));
        findings.push(
            finding.at(secret.line).hint(format!("set `max_score: {sum}` in data/secret/test_group.yaml")),
        );
    }
}

/// The full names of what a group requires; what cannot be required is told.
pub fn required(
    (name, said): (&str, &Scoring),
    groups: &[(&str, &Scoring)],
    sample: bool,
    findings: &mut Vec<Finding>,
) -> Vec<String> {
    let mut names = Vec::new();
    for (word, line) in &said.wanted {
        let mut tell = |what: String, hint: String| {
            let finding = Finding::error(&said.file, what).at(*line);
            findings.push(if hint.is_empty() { finding } else { finding.hint(hint) });
        };
        let full = format!("secret/{word}");
        let group = groups.iter().find(|(group, _)| group == word || *group == full);
        match group {
            _ if word == "sample" && sample => names.push(word.clone()),
            _ if name == "secret" => {
                tell(format!("`secret` can only require `sample`, not `{}`", short(word)), String::new())
            }
            None => {
                let known: Vec<&str> = groups.iter().map(|(group, _)| *group).chain(["sample"]).collect();
                let near = nearest(word, &known).map(|near| format!("did you mean `{near}`?"));
                tell(
                    format!("`require_pass`: no group is called `{}`", short(word)),
                    near.unwrap_or_default(),
                );
            }
            Some((other, _)) if *other >= name => {
                tell(format!("`require_pass`: `{other}` does not come before `{name}`"), String::new());
            }
            Some((other, group)) if group.aggregation != Aggregation::PassFail => {
                let hint = format!("set `score_aggregation: pass-fail` in data/{other}/test_group.yaml");
                tell(format!("`require_pass`: `{other}` is not pass-fail"), hint);
            }
            Some((other, _)) => {
                if other != word {
                    let finding =
                        Finding::warning(&said.file, format!("`require_pass`: `{word}` is called `{other}`"));
                    findings.push(finding.at(*line).hint("write the full name"));
                }
                names.push((*other).to_owned());
            }
        }
    }
    names
}
