//! The table of everything that a target cannot express; the source of reports, refusals and the page.

use super::target::Target;
use NoteEffect::{Looks, Refused, Results, Theirs};
use Target::{Cms, Dmoj, Domjudge, Icpc, Kattis};
use serde::Serialize;

/// A feature of the package that the target lacks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Note {
    pub weight: NoteEffect,
    /// A file or directory of the package.
    pub place: String,
    pub what: String,
    pub instead: String,
}

/// The effect of a loss on results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteEffect {
    /// The package is not packed.
    Refused,
    /// Verdicts or points may change.
    Results,
    /// The target decides it, for every problem.
    Theirs,
    /// Results stay the same.
    Looks,
}

impl NoteEffect {
    /// For the page.
    fn title(self) -> &'static str {
        match self {
            Refused => "Refused",
            Results => "Other results",
            Theirs => "Set there",
            Looks => "Same results",
        }
    }
}

/// A loss and its effect in each target. The report fills in `{}`.
struct LossRow {
    loss: Loss,
    what: &'static str,
    /// One entry for each set of targets that lose it.
    ways: &'static [LossWay],
}

/// The effect of a loss in some targets.
struct LossWay {
    targets: &'static [Target],
    effect: NoteEffect,
    /// The replacement, or the remedy if the package is refused.
    instead: &'static str,
}

/// Makes the losses and their rows: a name, the feature, and for each set of targets the effect and what is instead.
macro_rules! losses {
    ($($loss:ident $what:literal { $($targets:expr => $effect:ident $instead:literal;)+ })+) => {
        /// A feature of packages that some targets lack.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Loss { $($loss),+ }

        const ROWS: &[LossRow] = &[$(LossRow {
            loss: Loss::$loss,
            what: $what,
            ways: &[$(LossWay { targets: $targets, effect: $effect, instead: $instead }),+],
        }),+];
    };
}

/// Systems with an archive of their own.
const OWN: &[Target] = &[Cms, Dmoj];
const LEGACY: &[Target] = &[Kattis, Domjudge];
const NOT_LEGACY: &[Target] = &[Icpc, Cms, Dmoj];
/// Systems that get the package in a form of theirs.
const CONVERTED: &[Target] = &[Kattis, Domjudge, Icpc, Cms, Dmoj];
const ALL_BUT_ICPC: &[Target] = &[Kattis, Domjudge, Cms, Dmoj];

losses! {
    // Kinds of problems and limits.
    LegacyVersion "version `legacy`" {
        NOT_LEGACY => Refused "upgrade it to version 2025-09 first, as `bt upgrade` of BAPCtools does";
    }
    LegacyScoring "version `legacy` with points" {
        NOT_LEGACY => Refused "upgrade it to version 2025-09 by hand: docs/packing.md says how";
    }
    DraftVersion "a draft of the format" {
        &[Icpc] => Refused "write `problem_format_version: 2025-09`: other readers refuse drafts";
    }
    DraftGroups "testdata.yaml in a package that is not legacy" {
        CONVERTED => Refused "write test_group.yaml files, or `problem_format_version: legacy`";
    }
    NamedFiles "`[files]` in kopek.toml" {
        LEGACY => Refused "it knows standard input and output only: pack a variant without it";
        &[Icpc] => Results "only kopek reads it: other judges use standard input and output";
        OWN => Refused "it knows standard input and output only: pack a variant without it";
    }
    KopekToml "kopek.toml" {
        &[Icpc] => Looks "only kopek reads it";
    }
    SubmitAnswer "`submit-answer` in problem.yaml" {
        ALL_BUT_ICPC => Refused "it judges programs only";
    }
    MultiPass "`multi-pass` in problem.yaml" {
        &[Kattis] => Refused "the legacy format has no such problems";
        OWN => Refused "it runs a submission once: pack for domjudge or icpc";
    }
    Interactive "`interactive` in problem.yaml" {
        OWN => Refused "its interactors are called in another way: write one by hand, or pack for kattis, domjudge or icpc";
    }
    CaseArguments "`args` of {}" {
        ALL_BUT_ICPC => Refused "it gives submissions no arguments: put them into the input";
    }
    CaseFiles "{}.files" {
        ALL_BUT_ICPC => Refused "it gives submissions no files: put them into the input";
    }
    Include "files that are added to every submission" {
        &[Domjudge] => Results "it adds none";
        OWN => Refused "it adds none: write a variant without them";
    }
    DefaultInclude "include/default: files for all languages that have none of their own" {
        &[Kattis] => Results "files are added per language only";
    }
    TimeLimit "a time limit of {} s" {
        &[Kattis] => Theirs "Kattis takes {} times the slowest accepted submission, in whole seconds; .timelimit holds yours";
        &[Dmoj] => Theirs "enter it on the site, with {} MiB of memory and {} points";
    }
    NoTimeLimit "no time limit" {
        &[Domjudge] => Results "it takes 10 s: set `limits: {time_limit: …}`, as `kopek verify` proposes";
        &[Cms] => Results "1 s is written: set `limits: {time_limit: …}`, as `kopek verify` proposes";
        &[Dmoj] => Theirs "enter one on the site, with {} MiB of memory and {} points";
    }
    Languages "`languages`" {
        ALL_BUT_ICPC => Theirs "all its languages may be submitted";
    }
    FileWriting "submissions may not write files" {
        &[Kattis] => Theirs "they may write in their directory";
    }

    // Groups, points and data.
    UnboundedScore "`max_score: unbounded` of {}" {
        OWN => Refused "give it a maximum score";
    }
    FoldedGroups "groups inside a `min` or `pass-fail` aggregation" {
        OWN => Refused "it adds up groups: write one group of `min`";
    }
    SumGroup "`score_aggregation: sum` of {}" {
        &[Cms] => Refused "a subtask scores its minimum: use `min`, or no groups";
    }
    Points "points {}" {
        &[Cms] => Looks "`score_type_parameters` hold them: gen/GEN alone must add up to 100";
        &[Dmoj] => Looks "all points are multiplied by {}: whole numbers; the site scales them to its own";
    }
    RequirePass "`require_pass: {}`" {
        LEGACY => Looks "the cases required are in the group itself: the same points, judged twice";
        &[Cms] => Looks "`score_type_parameters` count the cases required, too";
    }
    PartialRequirement "`require_pass` of a group of partial points: {}" {
        LEGACY => Results "it is judged whatever the result of the others";
        &[Dmoj] => Results "a group of single cases can neither require others nor be required";
    }
    PlainGroup "a group without scores, though the validator writes some elsewhere" {
        &[Kattis] => Results "Kattis wants score.txt for each accepted case: write one there, too";
    }
    StaticValidator "static_validator" {
        ALL_BUT_ICPC => Looks "sources are not validated";
    }
    StaticCase "a static validation case" {
        ALL_BUT_ICPC => Results "the source is not looked at";
    }
    CustomGrader "a grader of its own" {
        &[Domjudge] => Results "groups are graded by their flags";
    }
    Samples "samples" {
        &[Dmoj] => Looks "left out: a case of 0 points would end the judging when it fails";
    }
    CaseTexts "hints, descriptions and pictures of cases" {
        OWN => Looks "left out";
    }
    Attachments "attachments" {
        &[Dmoj] => Looks "left out: upload them on the site";
    }
    Templates "attachments/templates" {
        ALL_BUT_ICPC => Looks "left out";
    }
    SampleTexts "a replacement text for a case" {
        &[Kattis, Domjudge, Cms] => Looks "input and answer are shown as they are";
    }
    FullFeedback "`full_feedback` for secret cases" {
        ALL_BUT_ICPC => Looks "nothing of them is shown";
    }
    ValidationData "data that validators must refuse or accept" {
        ALL_BUT_ICPC => Looks "left out";
    }
    Archive "a file of 100 MiB or more" {
        &[Icpc] => Looks "packed; some systems refuse it";
    }

    // Programs and submissions.
    ValidatorLanguage "an output validator that is not {}" {
        &[Kattis] => Results "Kattis' own tools run it, its judge may not: translate it";
    }
    NestedValidator "an output validator in a directory of its own" {
        &[Icpc] => Looks "BAPCtools reads the files of output_validator/ only: put them there, with `build` and `run`";
    }
    RustValidator "a validator in Rust" {
        &[Domjudge] => Looks "a script `build` is beside it; judgehosts need `rustc`";
    }
    UnknownValidator "a validator that it does not know how to build" {
        &[Domjudge] => Results "it fails there: add a script `build` to it";
    }
    OwnValidator "output_validator" {
        OWN => Refused "its checkers are called in another way: use the default comparison, or pack for kattis, domjudge or icpc";
    }
    ComparisonArguments "`{}` in output_validator_args" {
        &[Cms] => Refused "it compares words only: leave them out, or pack for another system";
        &[Dmoj] => Refused "it takes `space_change_sensitive` or one tolerance such as 1e-6, a power of ten: write that";
    }
    ValidatorArguments "different arguments of the output validator: {}" {
        OWN => Refused "it compares all cases in one way: give all the same arguments";
    }
    LineBreaks "line breaks that do not count" {
        OWN => Results "they count: say in the statement what is on each line";
    }
    LetterCase "upper and lower case that do not count" {
        OWN => Results "they count: set `case_sensitive`, and say so in the statement";
    }
    OddArguments "an argument of the output validator with blanks or quotes" {
        LEGACY => Results "it is split at its blanks";
    }
    ScoreMultiplier "score_multiplier.txt of a validator" {
        LEGACY => Results "only score.txt is read";
    }
    InputArguments "different arguments for each of several input validators" {
        LEGACY => Looks "they get none, and check less";
    }
    SeveralInputValidators "several input validators" {
        &[Domjudge] => Looks "only `{}` is inside: such packages are refused";
    }
    InputValidators "input_validators" {
        OWN => Looks "left out: the inputs are validated here";
    }
    Visualizers "input_visualizer and output_visualizer" {
        ALL_BUT_ICPC => Looks "left out";
    }
    Generators "generators" {
        ALL_BUT_ICPC => Looks "left out: the data they make is inside";
    }
    Solution "solution" {
        ALL_BUT_ICPC => Looks "left out";
    }
    MixedSubmission "a submission that may get one of several verdicts" {
        &[Kattis] => Looks "left out";
    }
    MixedExpectation "several expected verdicts: {}" {
        &[Domjudge, Cms] => Looks "nothing is expected of it";
    }
    DeclaredLanguage "a declared language or entry point" {
        ALL_BUT_ICPC => Looks "the target guesses them";
    }
    SubmissionForm "submissions of several files, or of a form that it does not take" {
        &[Cms] => Looks "left out";
        &[Dmoj] => Looks "left out: it takes none";
    }
    Claims "claims in submissions.yaml" {
        LEGACY => Looks "the directory of each submission follows its claims";
        OWN => Looks "claims per group and case are left out";
    }

    // Statements and metadata.
    OtherName "the name `{}`: only letters and digits are allowed" {
        CONVERTED => Looks "renamed to `{}`";
    }
    NoPdf "no statement as a PDF" {
        &[Cms] => Refused "`kopek statement PACKAGE --output PACKAGE/statement/problem.en.pdf` makes one";
    }
    StatementForm "a statement that is not {}" {
        &[Domjudge] => Looks "contestants see none: add problem.en.pdf, as `kopek statement PACKAGE --output FILE.pdf` makes it";
        &[Cms, Dmoj] => Looks "left out";
    }
    SeveralStatements "statements in several languages" {
        &[Domjudge] => Looks "the one in `{}` is shown";
    }
    Figure "the figure {}" {
        &[Kattis] => Looks "TeX shows PDF, PNG and JPEG: its description is printed";
        &[Dmoj] => Looks "left out: upload it on the site";
    }
    Embargo "`embargo_until: {}`" {
        ALL_BUT_ICPC => Looks "nothing keeps it secret: upload it later";
    }
    Credits "credits of {}" {
        LEGACY => Looks "only the authors are named";
        OWN => Looks "left out";
    }
    Sources "sources" {
        LEGACY => Looks "the first is named";
        OWN => Looks "left out";
    }
}

impl Loss {
    /// The note for a target; `None`: nothing is lost. Details fill the gaps of both texts in order.
    pub fn note(self, target: Target, place: &str, details: &[&str]) -> Option<Note> {
        let row = ROWS.iter().find(|row| row.loss == self).expect("the macro makes a row for every loss");
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

/// The lists of the page, as Markdown: by their effect.
pub fn render_losses() -> String {
    let mut text = String::new();
    for effect in [Refused, Results, Theirs, Looks] {
        text += &format!("\n**{}**\n\n", effect.title());
        for row in ROWS {
            for way in row.ways.iter().filter(|way| way.effect == effect) {
                let names: Vec<&str> = way.targets.iter().map(|target| target.name()).collect();
                let line = format!("* {} ({}): {}\n", row.what, names.join(", "), way.instead);
                text += &line.replace("{}", "…");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_target_has_one_way() {
        for row in ROWS {
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
