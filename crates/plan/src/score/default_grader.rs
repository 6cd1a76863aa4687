//! Graders of legacy packages: the default grader, and the input and output of a custom one.
//!
//! Knows no tests: only a list of verdicts with scores, and flags.

use kopek_package::{points::Points, verdict::Verdict};

/// The grade of a group.
pub type Grade = (Verdict, Points);

/// One call of a custom grader.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraderRun {
    /// Path of the group below `data/`.
    pub group: String,
    pub flags: Vec<String>,
    pub input: String,
}

impl GraderRun {
    /// The call for a group's graded parts: a line `VERDICT score` for each.
    pub(crate) fn new(group: &str, flags: &[String], parts: &[Grade]) -> GraderRun {
        let line = |(verdict, points): &Grade| format!("{} {points:.12}\n", grader_word(*verdict));
        GraderRun { group: group.to_owned(), flags: flags.to_vec(), input: parts.iter().map(line).collect() }
    }
}

/// Graders have one word for both time limits.
fn grader_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::IdleLimit => Verdict::TimeLimit.short(),
        other => other.short(),
    }
}

/// Parses the output of a custom grader; the error describes the mistake.
pub fn read_grade(output: &str) -> Result<Grade, String> {
    let words: Vec<&str> = output.split_whitespace().collect();
    let [verdict, points] = words[..] else {
        let head: String = output.chars().take(60).collect();
        return Err(format!("a grader must print `VERDICT score`, not `{}`", head.escape_debug()));
    };
    let verdict = match verdict {
        "AC" => Verdict::Accepted,
        "WA" | "PE" => Verdict::WrongAnswer,
        "TLE" => Verdict::TimeLimit,
        "MLE" => Verdict::MemoryLimit,
        "OLE" => Verdict::OutputLimit,
        "RTE" => Verdict::RunTimeError,
        other => return Err(format!("a grader cannot say `{}`", other.escape_debug())),
    };
    Ok((verdict, points.parse::<Points>().map_err(|error| error.to_string())?))
}

/// The rule for the verdict of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VerdictRule {
    Worst,
    First,
    AlwaysAccept,
}

/// The rule for the score of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScoreRule {
    Sum,
    Average,
    Min,
    Max,
}

/// The default grader's flags: the last of conflicting ones counts, and unknown words are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GraderFlags {
    verdicts: VerdictRule,
    scores: ScoreRule,
    accept_if_any: bool,
    pub ignore_sample: bool,
}

impl GraderFlags {
    pub fn read(words: &[String]) -> GraderFlags {
        let mut flags = GraderFlags {
            verdicts: VerdictRule::Worst,
            scores: ScoreRule::Sum,
            accept_if_any: false,
            ignore_sample: false,
        };
        for word in words {
            match word.as_str() {
                // `no_errors` is not in the format's text; Kattis' own grader treats it as `worst_error`.
                "worst_error" | "no_errors" => flags.verdicts = VerdictRule::Worst,
                "first_error" => flags.verdicts = VerdictRule::First,
                "always_accept" => flags.verdicts = VerdictRule::AlwaysAccept,
                "sum" => flags.scores = ScoreRule::Sum,
                "avg" => flags.scores = ScoreRule::Average,
                "min" => flags.scores = ScoreRule::Min,
                "max" => flags.scores = ScoreRule::Max,
                "accept_if_any_accepted" => flags.accept_if_any = true,
                "ignore_sample" => flags.ignore_sample = true,
                // Real packages have words of their own, such as `subtask_score=38`: Kattis ignores them.
                _ => {}
            }
        }
        flags
    }

    /// Whether one rejected part makes the whole rejected.
    pub(crate) fn one_failure_decides(&self) -> bool {
        self.verdicts != VerdictRule::AlwaysAccept && !self.accept_if_any
    }

    /// Runs the default grader.
    pub fn grade(&self, parts: &[Grade]) -> Grade {
        (self.verdict(parts), self.points(parts))
    }

    fn verdict(&self, parts: &[Grade]) -> Verdict {
        let mut verdicts = parts.iter().map(|(verdict, _)| *verdict);
        if self.accept_if_any && verdicts.clone().any(|verdict| verdict == Verdict::Accepted) {
            return Verdict::Accepted;
        }
        let found = match self.verdicts {
            VerdictRule::AlwaysAccept => None,
            VerdictRule::First => verdicts.find(|verdict| *verdict != Verdict::Accepted),
            VerdictRule::Worst => verdicts.min_by_key(|verdict| severity_rank(*verdict)),
        };
        found.unwrap_or(Verdict::Accepted)
    }

    fn points(&self, parts: &[Grade]) -> Points {
        let points = parts.iter().map(|(_, points)| points.clone());
        match self.scores {
            ScoreRule::Min => points.min().unwrap_or(Points::zero()),
            ScoreRule::Max => points.max().unwrap_or(Points::zero()),
            ScoreRule::Average if !parts.is_empty() => points.sum::<Points>() / parts.len() as u64,
            ScoreRule::Sum | ScoreRule::Average => points.sum(),
        }
    }
}

/// The rank of a verdict; the worst is lowest.
fn severity_rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::CompileError | Verdict::NoProgram => 0,
        Verdict::RunTimeError => 1,
        Verdict::MemoryLimit => 2,
        Verdict::TimeLimit | Verdict::IdleLimit => 3,
        Verdict::OutputLimit => 4,
        Verdict::WrongAnswer => 5,
        Verdict::Accepted => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<Grade> {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.chunks(2).map(|pair| read_grade(&pair.join(" ")).unwrap()).collect()
    }

    fn graded(flags: &str, lines: &str) -> String {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let (verdict, points) = GraderFlags::read(&flags).grade(&parts(lines));
        format!("{} {points}", verdict.short())
    }

    #[test]
    fn the_default_grader_follows_its_flags() {
        for (flags, lines, grade) in [
            ("", "AC 1 WA 2 TLE 4", "TLE 7"),
            ("worst_error", "WA 0 OLE 0 TLE 0 MLE 0 RTE 0", "RTE 0"),
            ("first_error", "AC 1 WA 2 TLE 4", "WA 7"),
            ("always_accept", "WA 2 TLE 4", "AC 6"),
            ("first_error no_errors", "WA 1 RTE 1", "RTE 2"),
            ("min", "AC 5 AC 3", "AC 3"),
            ("max", "AC 5 AC 3", "AC 5"),
            ("avg", "AC 5 AC 4", "AC 4.5"),
            ("min max", "AC 5 AC 3", "AC 5"),
            ("accept_if_any_accepted first_error", "WA 1 AC 3", "AC 4"),
            ("accept_if_any_accepted", "WA 1 WA 3", "WA 4"),
            ("subtask_score=38", "AC 1", "AC 1"),
            ("", "", "AC 0"),
            ("avg", "", "AC 0"),
        ] {
            assert_eq!(graded(flags, lines), grade, "{flags}: {lines}");
        }
    }

    #[test]
    fn a_custom_grader_reads_lines_and_prints_one() {
        let run = GraderRun::new("secret", &[], &[(Verdict::IdleLimit, Points::one() / 8)]);
        assert_eq!(run.input, "TLE 0.125\n");
        assert_eq!(read_grade("AC 2.5\n"), Ok((Verdict::Accepted, "2.5".parse().unwrap())));
        for wrong in ["", "AC", "AC 1 2", "JE 0", "AC nan", "ac 1"] {
            assert!(read_grade(wrong).is_err(), "{wrong}");
        }
    }
}
