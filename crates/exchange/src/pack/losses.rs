//! The table of everything that a target cannot express; the source of reports, refusals and the page.

use super::{
    note::{Note, NoteEffect},
    target::Target,
};
use NoteEffect::{Looks, Refused, Results, Theirs};
use Target::{Cms, Dmoj, Domjudge, Hydro, Icpc, Kattis};

/// A feature of packages that some targets lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    Archive,
    Attachments,
    BuiltChecker,
    CaseArguments,
    CaseFiles,
    CaseTexts,
    Claims,
    Credits,
    CustomGrader,
    DeclaredLanguage,
    DefaultInclude,
    DraftGroups,
    DraftVersion,
    Embargo,
    Figure,
    FileWriting,
    FoldedGroups,
    FullFeedback,
    Generators,
    Include,
    InputArguments,
    InputValidators,
    Interactive,
    JudgeLimits,
    KopekToml,
    Languages,
    LegacyScoring,
    LegacyVersion,
    MixedExpectation,
    MixedSubmission,
    MultiPass,
    NamedFiles,
    NoPdf,
    NoTimeLimit,
    OddArguments,
    OtherName,
    PartialRequirement,
    PlainGroup,
    Points,
    RequirePass,
    RustValidator,
    SampleTexts,
    Samples,
    ScoreFile,
    ScoreMultiplier,
    ScriptChecker,
    SeveralInputValidators,
    SeveralStatements,
    Solution,
    Sources,
    StatementForm,
    StaticCase,
    StaticValidator,
    SubmissionForm,
    SubmitAnswer,
    SumGroup,
    Templates,
    TimeLimit,
    UnboundedScore,
    UnknownValidator,
    ValidationData,
    ValidatorArguments,
    ValidatorLanguage,
    Visualizers,
}

/// A loss and its effect in each target. The report fills in `{}`.
pub struct LossRow {
    pub loss: Loss,
    /// The feature.
    pub what: &'static str,
    /// One entry for each set of targets that lose it.
    pub ways: &'static [LossWay],
}

/// The effect of a loss in some targets.
pub struct LossWay {
    pub targets: &'static [Target],
    pub effect: NoteEffect,
    /// The replacement, or the remedy if the package is refused.
    pub instead: &'static str,
}

const fn row(loss: Loss, what: &'static str, ways: &'static [LossWay]) -> LossRow {
    LossRow { loss, what, ways }
}

const fn way(targets: &'static [Target], effect: NoteEffect, instead: &'static str) -> LossWay {
    LossWay { targets, effect, instead }
}

/// Systems with an archive of their own, for which the validator gets an adapter.
const OWN: &[Target] = &[Hydro, Cms, Dmoj];
const LEGACY: &[Target] = &[Kattis, Domjudge];
const NOT_LEGACY: &[Target] = &[Icpc, Hydro, Cms, Dmoj];
const ALL_BUT_ICPC: &[Target] = &[Kattis, Domjudge, Hydro, Cms, Dmoj];

/// Kinds of problems and limits.
const PROBLEMS: &[LossRow] = &[
    row(
        Loss::LegacyVersion,
        "version `legacy`",
        &[way(NOT_LEGACY, Refused, "upgrade it to version 2025-09 first, as `bt upgrade` of BAPCtools does")],
    ),
    row(
        Loss::LegacyScoring,
        "version `legacy` with points",
        &[way(NOT_LEGACY, Refused, "upgrade it to version 2025-09 by hand: docs/packing.md says how")],
    ),
    row(
        Loss::DraftVersion,
        "a draft of the format",
        &[way(&[Icpc], Refused, "write `problem_format_version: 2025-09`: other readers refuse drafts")],
    ),
    row(
        Loss::DraftGroups,
        "testdata.yaml in a package that is not legacy",
        &[way(&Target::ALL, Refused, "write test_group.yaml files, or `problem_format_version: legacy`")],
    ),
    row(
        Loss::NamedFiles,
        "`[files]` in kopek.toml",
        &[
            way(LEGACY, Refused, "it knows standard input and output only: pack a variant without it"),
            way(&[Icpc], Results, "only kopek reads it: other judges use standard input and output"),
            way(OWN, Refused, "it knows standard input and output only: pack a variant without it"),
        ],
    ),
    row(Loss::KopekToml, "kopek.toml", &[way(&[Icpc], Looks, "only kopek reads it")]),
    row(
        Loss::SubmitAnswer,
        "`submit-answer` in problem.yaml",
        &[way(ALL_BUT_ICPC, Refused, "it judges programs only")],
    ),
    row(
        Loss::MultiPass,
        "`multi-pass` in problem.yaml",
        &[
            way(&[Kattis], Refused, "the legacy format has no such problems"),
            way(OWN, Refused, "the adapter of the validator runs a single pass"),
        ],
    ),
    row(
        Loss::Interactive,
        "`interactive` in problem.yaml",
        &[way(&[Cms], Refused, "it needs a manager on named pipes: write one by hand")],
    ),
    row(
        Loss::CaseArguments,
        "`args` of {}",
        &[way(ALL_BUT_ICPC, Refused, "it gives submissions no arguments: put them into the input")],
    ),
    row(
        Loss::CaseFiles,
        "{}.files",
        &[way(ALL_BUT_ICPC, Refused, "it gives submissions no files: put them into the input")],
    ),
    row(
        Loss::Include,
        "files that are added to every submission",
        &[
            way(&[Domjudge], Results, "it adds none"),
            way(OWN, Refused, "it adds none: write a variant without them"),
        ],
    ),
    row(
        Loss::DefaultInclude,
        "include/default: files for all languages that have none of their own",
        &[way(&[Kattis], Results, "files are added per language only")],
    ),
    row(
        Loss::TimeLimit,
        "a time limit of {} s",
        &[
            way(
                &[Kattis],
                Theirs,
                "Kattis takes {} times the slowest accepted submission, in whole seconds; .timelimit holds yours",
            ),
            way(&[Dmoj], Theirs, "enter it on the site, with {} MiB of memory and {} points"),
        ],
    ),
    row(
        Loss::NoTimeLimit,
        "no time limit",
        &[
            way(
                &[Domjudge],
                Results,
                "it takes 10 s: set `limits: {time_limit: …}`, as `kopek verify` proposes",
            ),
            way(
                &[Hydro, Cms],
                Results,
                "1 s is written: set `limits: {time_limit: …}`, as `kopek verify` proposes",
            ),
            way(&[Dmoj], Theirs, "enter one on the site, with {} MiB of memory and {} points"),
        ],
    ),
    row(
        Loss::JudgeLimits,
        "data beyond a judge's defaults: {}",
        &[way(
            &[Hydro],
            Theirs,
            "its judge refuses more than 100 cases, 60 s in all or 512 MiB by default: raise its limits",
        )],
    ),
    row(Loss::Languages, "`languages`", &[way(ALL_BUT_ICPC, Theirs, "all its languages may be submitted")]),
    row(
        Loss::FileWriting,
        "submissions may not write files",
        &[way(&[Kattis], Theirs, "they may write in their directory")],
    ),
];

/// Groups, points and data.
const GROUPS: &[LossRow] = &[
    row(
        Loss::UnboundedScore,
        "`max_score: unbounded` of {}",
        &[way(OWN, Refused, "give it a greatest score")],
    ),
    row(
        Loss::FoldedGroups,
        "groups inside a `min` or `pass-fail` aggregation",
        &[way(OWN, Refused, "it adds up groups: write one group of `min`")],
    ),
    row(
        Loss::SumGroup,
        "`score_aggregation: sum` of {}",
        &[way(&[Cms], Refused, "a subtask scores its minimum: use `min`, or no groups")],
    ),
    row(
        Loss::Points,
        "points {}",
        &[
            way(&[Hydro], Results, "they are {}: whole numbers that add up to 100"),
            way(&[Cms], Looks, "`score_type_parameters` hold them: gen/GEN alone must add up to 100"),
            way(
                &[Dmoj],
                Looks,
                "all points are multiplied by {}: whole numbers; the site scales them to its own",
            ),
        ],
    ),
    row(
        Loss::RequirePass,
        "`require_pass: {}`",
        &[
            way(LEGACY, Looks, "the cases required are in the group itself: the same points, judged twice"),
            way(&[Cms], Looks, "`score_type_parameters` count the cases required, too"),
        ],
    ),
    row(
        Loss::PartialRequirement,
        "`require_pass` of a group of partial points: {}",
        &[
            way(LEGACY, Results, "it is judged whatever the result of the others"),
            way(&[Dmoj], Results, "a group of single cases can neither require others nor be required"),
        ],
    ),
    row(
        Loss::PlainGroup,
        "a group without scores, though the validator writes some elsewhere",
        &[way(&[Kattis], Results, "Kattis wants score.txt for each accepted case: write one there, too")],
    ),
    row(Loss::StaticValidator, "static_validator", &[way(ALL_BUT_ICPC, Looks, "sources are not validated")]),
    row(
        Loss::StaticCase,
        "a static validation case",
        &[way(ALL_BUT_ICPC, Results, "the source is not looked at")],
    ),
    row(
        Loss::CustomGrader,
        "a grader of its own",
        &[way(&[Domjudge], Results, "groups are graded by their flags")],
    ),
    row(
        Loss::Samples,
        "samples",
        &[way(&[Dmoj], Looks, "left out: a case of 0 points would end the judging when it fails")],
    ),
    row(Loss::CaseTexts, "hints, descriptions and pictures of cases", &[way(OWN, Looks, "left out")]),
    row(Loss::Attachments, "attachments", &[way(&[Dmoj], Looks, "left out: upload them on the site")]),
    row(Loss::Templates, "attachments/templates", &[way(ALL_BUT_ICPC, Looks, "left out")]),
    row(
        Loss::SampleTexts,
        "a replacement text for a case",
        &[way(&[Kattis, Domjudge, Cms], Looks, "input and answer are shown as they are")],
    ),
    row(
        Loss::FullFeedback,
        "`full_feedback` for secret cases",
        &[way(ALL_BUT_ICPC, Looks, "nothing of them is shown")],
    ),
    row(
        Loss::ValidationData,
        "data that validators must refuse or accept",
        &[way(ALL_BUT_ICPC, Looks, "left out")],
    ),
    row(Loss::Archive, "a file of 100 MiB or more", &[way(&[Icpc], Looks, "packed; some systems refuse it")]),
];

/// Programs and submissions.
const PROGRAMS: &[LossRow] = &[
    row(
        Loss::ValidatorLanguage,
        "an output validator that is not {}",
        &[
            way(&[Kattis], Results, "Kattis' own tools run it, its judge may not: translate it"),
            way(&[Hydro, Dmoj], Refused, "its adapter is C++, too: translate it"),
            way(&[Cms], Refused, "its adapter is C++ or Python, too: translate it"),
        ],
    ),
    row(
        Loss::RustValidator,
        "a validator in Rust",
        &[way(&[Domjudge], Looks, "a script `build` is beside it; judgehosts need `rustc`")],
    ),
    row(
        Loss::UnknownValidator,
        "a validator that it does not know how to build",
        &[way(&[Domjudge], Results, "it fails there: add a script `build` to it")],
    ),
    row(
        Loss::ValidatorArguments,
        "different arguments of the output validator: {}",
        &[way(OWN, Refused, "its checkers get none: put them into the answer files")],
    ),
    row(
        Loss::OddArguments,
        "an argument of the output validator with blanks or quotes",
        &[way(LEGACY, Results, "it is split at its blanks")],
    ),
    row(
        Loss::ScoreFile,
        "score.txt of a validator, in cases of different worth",
        &[way(OWN, Refused, "write score_multiplier.txt instead")],
    ),
    row(
        Loss::ScoreMultiplier,
        "score_multiplier.txt of a validator",
        &[way(LEGACY, Results, "only score.txt is read")],
    ),
    row(
        Loss::BuiltChecker,
        "a checker in C++",
        &[way(
            &[Cms],
            Looks,
            "build it there: g++ -std=gnu++20 -O2 -static -o check/checker check/checker.cpp",
        )],
    ),
    row(
        Loss::ScriptChecker,
        "a checker in Python",
        &[way(&[Cms], Looks, "check/checker is a script: each worker needs python3 below /usr")],
    ),
    row(
        Loss::InputArguments,
        "different arguments for each of several input validators",
        &[way(LEGACY, Looks, "they get none, and check less")],
    ),
    row(
        Loss::SeveralInputValidators,
        "several input validators",
        &[way(&[Domjudge], Looks, "only `{}` is inside: such packages are refused")],
    ),
    row(
        Loss::InputValidators,
        "input_validators",
        &[way(OWN, Looks, "left out: the inputs are validated here")],
    ),
    row(Loss::Visualizers, "input_visualizer and output_visualizer", &[way(ALL_BUT_ICPC, Looks, "left out")]),
    row(
        Loss::Generators,
        "generators",
        &[way(ALL_BUT_ICPC, Looks, "left out: the data they make is inside")],
    ),
    row(Loss::Solution, "solution", &[way(ALL_BUT_ICPC, Looks, "left out")]),
    row(
        Loss::MixedSubmission,
        "a submission that may get one of several verdicts",
        &[way(&[Kattis], Looks, "left out")],
    ),
    row(
        Loss::MixedExpectation,
        "several expected verdicts: {}",
        &[way(&[Domjudge, Cms], Looks, "nothing is expected of it")],
    ),
    row(
        Loss::DeclaredLanguage,
        "a declared language or entry point",
        &[way(ALL_BUT_ICPC, Looks, "the target guesses them")],
    ),
    row(
        Loss::SubmissionForm,
        "submissions of several files, or of a form that it does not take",
        &[
            way(&[Hydro], Looks, "left out; std/ holds at most five accepted ones"),
            way(&[Cms], Looks, "left out"),
            way(&[Dmoj], Looks, "left out: it takes none"),
        ],
    ),
    row(
        Loss::Claims,
        "claims in submissions.yaml",
        &[
            way(LEGACY, Looks, "the directory of each submission follows its claims"),
            way(OWN, Looks, "claims per group and case are left out"),
        ],
    ),
];

/// Statements and metadata.
const WORDS: &[LossRow] = &[
    row(
        Loss::OtherName,
        "the name `{}`: only letters and digits are allowed",
        &[way(&Target::ALL, Looks, "renamed to `{}`")],
    ),
    row(
        Loss::NoPdf,
        "no statement as a PDF",
        &[way(
            &[Cms],
            Refused,
            "`kopek statement PACKAGE --output PACKAGE/statement/problem.en.pdf` makes one",
        )],
    ),
    row(
        Loss::StatementForm,
        "a statement that is not {}",
        &[
            way(
                &[Domjudge, Hydro],
                Looks,
                "contestants see none: add problem.en.pdf, as `kopek statement PACKAGE --output FILE.pdf` makes it",
            ),
            way(&[Cms, Dmoj], Looks, "left out"),
        ],
    ),
    row(
        Loss::SeveralStatements,
        "statements in several languages",
        &[way(&[Domjudge], Looks, "the one in `{}` is shown")],
    ),
    row(
        Loss::Figure,
        "the figure {}",
        &[
            way(&[Kattis], Looks, "TeX shows PDF, PNG and JPEG: its description is printed"),
            way(&[Dmoj], Looks, "left out: upload it on the site"),
        ],
    ),
    row(
        Loss::Embargo,
        "`embargo_until: {}`",
        &[way(ALL_BUT_ICPC, Looks, "nothing keeps it secret: upload it later")],
    ),
    row(
        Loss::Credits,
        "credits of {}",
        &[way(LEGACY, Looks, "only the authors are named"), way(OWN, Looks, "left out")],
    ),
    row(Loss::Sources, "sources", &[way(LEGACY, Looks, "the first is named"), way(OWN, Looks, "left out")]),
];

fn all_rows() -> impl Iterator<Item = &'static LossRow> {
    [PROBLEMS, GROUPS, PROGRAMS, WORDS].into_iter().flatten()
}

impl Loss {
    fn row(self) -> &'static LossRow {
        all_rows().find(|row| row.loss == self).expect("every loss has its row")
    }

    /// The note for a target; `None`: nothing is lost. Details fill the gaps of both texts in order.
    pub fn note(self, target: Target, place: &str, details: &[&str]) -> Option<Note> {
        let row = self.row();
        let way = row.ways.iter().find(|way| way.targets.contains(&target))?;
        let mut details = details.iter();
        let what = fill_gaps(row.what, &mut details);
        let instead = fill_gaps(way.instead, &mut details);
        Some(Note { weight: way.effect, place: place.to_owned(), what, instead })
    }
}

fn fill_gaps<'a>(text: &str, details: &mut impl Iterator<Item = &'a &'a str>) -> String {
    let mut parts = text.split("{}");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        filled += details.next().expect("a detail for each gap");
        filled += part;
    }
    filled
}

/// The table of the page, as Markdown.
pub fn render_loss_table() -> String {
    let names = Target::ALL.map(Target::name).join(" | ");
    let mut text = format!("| of the package | {names} |\n|---|{}\n", "---|".repeat(Target::ALL.len()));
    let cell = |row: &LossRow, target: Target| {
        let way = row.ways.iter().find(|way| way.targets.contains(&target));
        way.map_or("", |way| way.effect.word())
    };
    for row in all_rows() {
        let cells = Target::ALL.map(|target| cell(row, target)).join(" | ");
        text += &format!("| {} | {cells} |\n", row.what.replace("{}", "…"));
    }
    text += "\nWhat happens instead:\n\n";
    for row in all_rows() {
        for way in row.ways {
            let names: Vec<&str> = way.targets.iter().map(|target| target.name()).collect();
            let (what, instead) = (row.what.replace("{}", "…"), way.instead.replace("{}", "…"));
            text += &format!("- {what} ({}; {}): {instead}\n", names.join(", "), way.effect.word());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_loss_has_one_row_and_each_target_one_way() {
        let rows: Vec<&LossRow> = all_rows().collect();
        for (at, row) in rows.iter().enumerate() {
            assert!(rows[..at].iter().all(|other| other.loss != row.loss), "{:?}", row.loss);
            let mut targets: Vec<Target> = row.ways.iter().flat_map(|way| way.targets).copied().collect();
            let all = targets.len();
            targets.sort();
            targets.dedup();
            assert_eq!(targets.len(), all, "{:?}", row.loss);
        }
    }

    #[test]
    fn details_fill_the_gaps_of_both_texts() {
        let note = Loss::OtherName.note(Target::Kattis, ".", &["a-b", "ab"]).unwrap();
        assert_eq!(note.what, "the name `a-b`: only letters and digits are allowed");
        assert_eq!(note.instead, "renamed to `ab`");
        assert_eq!(Loss::Generators.note(Target::Icpc, "generators", &[]), None);
    }
}
