//! The teacher's decisions, and the participants and packages that they are about.

use super::{
    decision_rows::{DecisionRow, Ruling, read_rows},
    found_person::{PersonNames, find_called, near_names},
};
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use kopek_package::{
    package::{CaseDecision, HandIn, Participant, PointsByHand, PointsChange, is_sample},
    points::Points,
};
use kopek_plan::score::Scorecard;
use kopek_results::adds_its_groups;
use std::{collections::BTreeSet, fs, path::PathBuf};

#[derive(Debug, Default)]
pub struct Decisions {
    rows: Vec<DecisionRow>,
}

/// A package as decisions know it.
#[derive(Debug, Clone)]
pub struct DecidedPackage {
    pub name: String,
    /// Whether it gives points.
    pub scoring: bool,
    /// The groups, and what they give at most.
    pub card: Scorecard,
}

#[derive(Debug, Default)]
pub(super) struct ParticipantDecisions<'a> {
    pub entry: Option<&'a str>,
    pub cases: Vec<CaseDecision>,
    pub by_hand: Vec<PointsByHand>,
    /// Of the rows that name no package.
    pub of_whole: Vec<PointsByHand>,
}

impl ParticipantDecisions<'_> {
    /// Records all but the choice of a program in a hand-in for one of so many packages.
    pub(super) fn give_to(self, hand_in: &mut HandIn, packages: usize) {
        hand_in.decisions = self.cases;
        hand_in.by_hand = self.by_hand;
        if packages > 1 {
            hand_in.total_by_hand = self.of_whole.into_iter().next();
        } else {
            hand_in.by_hand.extend(self.of_whole);
        }
    }
}

impl Decisions {
    pub(super) const fn none() -> Decisions {
        Decisions { rows: Vec::new() }
    }

    /// Reads CSV files with the column `participant` and, for several packages, `package`. A row has an
    /// `entry` (`-` if the hand-in counts as no program), a `case` with `verdict`, `reason` and `by`, or `points`
    /// (`-` if the participant is excused) or a `comment` with `by`, and maybe a `group`.
    pub fn read<'f>(files: impl IntoIterator<Item = &'f PathBuf>) -> Result<Decisions> {
        let mut all = Decisions::default();
        for file in files {
            let name = file.display().to_string();
            let read = || read_rows(&name, &fs::read(file)?);
            all.rows.extend(read().with_context(|| format!("read the decisions in {name}"))?);
        }
        Ok(all)
    }

    /// Gives the decisions on cases, points and comments to the classes of these packages. Fails if one is for nobody in
    /// them, or for nothing in a package. An excused participant without a hand-in is a warning.
    pub fn decide(
        &self,
        classes: &mut [Vec<Participant>],
        packages: &[DecidedPackage],
    ) -> Result<Vec<String>> {
        let found = self.of_people(classes.iter().flatten().map(PersonNames::of_member))?;
        let warnings = found.check(packages)?;
        for (package, class) in packages.iter().zip(classes) {
            for Participant { name, hand_in, .. } in class {
                found.of_participant(name, &package.name).give_to(hand_in, packages.len());
            }
        }
        Ok(warnings)
    }

    /// The decisions by participant. Fails for a row that could mean several participants, and for two rows that
    /// decide the same; tables of several people may have equal rows.
    pub(super) fn of_people<'a>(
        &self,
        people: impl Iterator<Item = PersonNames<'a>> + Clone,
    ) -> Result<DecisionsByName<'_>> {
        let all_names: BTreeSet<String> = people.clone().map(|person| person.name.to_owned()).collect();
        let mut found = DecisionsByName { rows: Vec::new(), all_names };
        for row in &self.rows {
            let names =
                find_called(people.clone(), &row.participant).with_context(|| row.place.to_string())?;
            let repeats = |other: &&NamedDecision| {
                other.row.package == row.package
                    && other.row.ruling.subject() == row.ruling.subject()
                    && !other.names.is_disjoint(&names)
            };
            match found.rows.iter().find(repeats) {
                Some(NamedDecision { names: others, row: other })
                    if other.place.file != row.place.file && other.said == row.said && *others == names => {}
                Some(other) => {
                    return Err(contradiction(other.row, row));
                }
                None => found.rows.push(NamedDecision { names, row }),
            }
        }
        // A row for one package has the last word.
        found.rows.sort_by_key(|decision| decision.row.package.is_some());
        Ok(found)
    }
}

/// Decisions with the participants that they are for.
#[derive(Debug)]
pub(super) struct DecisionsByName<'a> {
    rows: Vec<NamedDecision<'a>>,
    all_names: BTreeSet<String>,
}

#[derive(Debug)]
struct NamedDecision<'a> {
    names: BTreeSet<String>,
    row: &'a DecisionRow,
}

impl<'a> DecisionsByName<'a> {
    /// The decisions for the participant with this name in tables.
    pub(super) fn of_participant(&self, name: &str, package: &str) -> ParticipantDecisions<'a> {
        let mut found = ParticipantDecisions::default();
        for NamedDecision { names, row } in &self.rows {
            if !names.contains(name) || row.package.as_ref().is_some_and(|own| own != package) {
                continue;
            }
            match &row.ruling {
                Ruling::Entry(entry) => found.entry = Some(entry),
                Ruling::Case(decision) => {
                    found.cases.retain(|other| other.case != decision.case);
                    found.cases.push(decision.clone());
                }
                Ruling::Points(given) if row.package.is_none() => found.of_whole.push(given.clone()),
                Ruling::Points(given) => found.by_hand.push(given.clone()),
            }
        }
        found
    }

    /// Fails if a row is for an unknown participant, package or group, does not say which of several packages it is
    /// for, or gives points where there are none. Returns a warning for each unknown participant that is excused.
    pub(super) fn check(&self, packages: &[DecidedPackage]) -> Result<Vec<String>> {
        let mut warnings = Vec::new();
        for NamedDecision { names, row } in &self.rows {
            let DecisionRow { participant, place, .. } = row;
            if !names.is_empty() {
                check_row(row, packages).map_err(|error| anyhow!("{place}: {error}"))?;
                continue;
            }
            let near = near_names(participant, self.all_names.iter().map(String::as_str));
            ensure!(row.ruling.excuses(), "{place}: no participant `{participant}`{near}");
            warnings.push(format!("{place}: {participant} is excused, and has no hand-in{near}"));
        }
        // With one package, a row with its name and one without mean the same.
        for (at, named) in self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, one)| packages.len() == 1 && one.row.ruling.gives_points())
        {
            let is_same = |other: &&NamedDecision| {
                other.row.ruling.subject() == named.row.ruling.subject()
                    && !other.names.is_disjoint(&named.names)
            };
            if let Some(other) = self.rows[..at].iter().find(is_same) {
                return Err(contradiction(other.row, named.row));
            }
        }
        Ok(warnings)
    }
}

fn contradiction(first: &DecisionRow, row: &DecisionRow) -> Error {
    anyhow!(
        "{}: {}, but {}: {}; remove one of the rows",
        row.place,
        row.ruling.in_words(),
        first.place,
        first.ruling.in_words()
    )
}

fn check_row(row: &DecisionRow, packages: &[DecidedPackage]) -> Result<()> {
    let DecisionRow { package, ruling, .. } = row;
    let package_names = || packages.iter().map(|package| package.name.as_str());
    ensure!(
        !ruling.excuses() || package.is_none() || packages.len() == 1,
        "`-` excuses from the whole course; leave `package` empty, or give points for this package"
    );
    let own = match (package, packages) {
        (Some(name), _) => packages.iter().find(|package| package.name == *name),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    match (own, package, ruling) {
        (Some(own), _, Ruling::Points(given)) => check_points(given, own),
        (Some(_), _, Ruling::Entry(_) | Ruling::Case(_)) => Ok(()),
        (None, Some(name), _) => bail!("no package `{name}`{}", near_names(name, package_names())),
        (None, None, Ruling::Entry(_)) => Ok(()),
        (None, None, Ruling::Points(PointsByHand { group: None, change, .. })) => {
            let scoring = packages.iter().all(|package| package.scoring) || change.is_none();
            ensure!(scoring, "the packages give verdicts and no points; leave `points` empty");
            Ok(())
        }
        (None, None, Ruling::Case(_) | Ruling::Points(_)) => bail!(
            "the row does not say its package; name one of {} in a column `package`",
            package_names().collect::<Vec<_>>().join(", ")
        ),
    }
}

fn check_points(given: &PointsByHand, package: &DecidedPackage) -> Result<()> {
    ensure!(
        package.scoring || given.change.is_none(),
        "{} gives a verdict and no points; leave `points` empty",
        package.name
    );
    let Some(name) = &given.group else { return check_maximum(given, &package.name, &package.card.max) };
    let groups = &package.card.groups;
    let Some(group) = groups.iter().find(|group| PointsByHand::is_name_of(name, &group.name)) else {
        let near = near_names(name, groups.iter().map(|group| group.name.as_str()));
        let all: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        bail!("{} has no group `{name}`{near}; its groups are {}", package.name, all.join(", "))
    };
    if given.change.is_some() {
        ensure!(!is_sample(&group.name), "the samples give no points");
        ensure!(
            adds_its_groups(&package.card),
            "the points of {} are not the sum of those of its groups; leave `group` empty, and give the points of the \
                package",
            package.name
        );
    }
    check_maximum(given, &group.name, &group.max)
}

/// A typo must not give more points than there are; a bonus is an addition.
fn check_maximum(given: &PointsByHand, what: &str, max: &Option<Points>) -> Result<()> {
    let (Some(PointsChange::Set(points)), Some(max)) = (&given.change, max) else { return Ok(()) };
    ensure!(points <= max, "{what} gives at most {max} points, not {points}; write +5 for a bonus");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::{package::RowPlace, verdict::Verdict};
    use kopek_plan::score::{GroupScore, State};

    fn decided(text: &str) -> (Decisions, Vec<HandIn>) {
        let number = |id: Option<&str>| HandIn { id: id.map(str::to_owned), ..HandIn::default() };
        let rows = read_rows("a.csv", text.as_bytes()).unwrap();
        (Decisions { rows }, vec![number(None), number(Some("17"))])
    }

    /// Ada, and Bob with number 17.
    fn people(hand_ins: &[HandIn]) -> impl Iterator<Item = PersonNames<'_>> + Clone {
        let names = ["ada", "bob"].into_iter().zip(hand_ins);
        names.map(|(name, hand_in)| PersonNames { name, file: name, hand_in })
    }

    /// A package with the groups 1 and 2 of 50 points each.
    fn package(name: &str) -> DecidedPackage {
        let group = |name: &str| GroupScore {
            name: name.into(),
            points: Some(Points::zero()),
            max: Some(Points::from(50)),
            state: State::Unknown(0),
            culprit: None,
            slowest: None,
        };
        let card = Scorecard {
            name: String::new(),
            points: Some(Points::zero()),
            max: Some(Points::from(100)),
            state: State::Unknown(0),
            groups: ["sample", "secret/1", "secret/2"].map(group).into(),
            slowest: None,
            judge_errors: Vec::new(),
        };
        DecidedPackage { name: name.into(), scoring: true, card }
    }

    #[test]
    fn points_by_hand_are_for_a_group_or_a_package() {
        let head = "participant,package,group,points,comment,by\n";
        let rows =
            "ada,sums,secret/2,35,good idea,Noether\nada,sums,,-5,,Noether\n17,sums,,,see me,Noether\n";
        let (decisions, class) = decided(&format!("{head}{rows}"));
        let found = decisions.of_people(people(&class)).unwrap();
        let ada = found.of_participant("ada", "sums");
        let changes: Vec<_> =
            ada.by_hand.iter().map(|one| (one.group.as_deref(), one.change.clone())).collect();
        let five: Points = "-5".parse().unwrap();
        let wanted =
            [(Some("secret/2"), Some(PointsChange::Set(35.into()))), (None, Some(PointsChange::Add(five)))];
        assert_eq!(changes, wanted);
        assert_eq!(found.of_participant("ada", "nim").by_hand, []);
        let bob = found.of_participant("bob", "sums").by_hand;
        let comments: Vec<_> = bob.iter().map(|one| one.comment.as_deref()).collect();
        assert_eq!(comments, [Some("see me")]);
        found.check(&[package("sums"), package("nim")]).unwrap();
    }

    #[test]
    fn wrong_points_by_hand_are_errors_with_near_names() {
        let head = "participant,package,group,points,comment,by\n";
        let verdicts = DecidedPackage { scoring: false, ..package("sums") };
        let verdicts_of_nim = DecidedPackage { scoring: false, ..package("nim") };
        let mut least = package("sums");
        least.card.max = Some(Points::from(50));
        let several = [package("sums"), package("nim")];
        for (packages, rows, words) in [
            (vec![package("sums")], "adda,,,5,,N\n", "line 2: no participant `adda`; did you mean ada?"),
            (vec![package("sums")], "ada,sum,,5,,N\n", "line 2: no package `sum`; did you mean sums?"),
            (
                vec![package("sums")],
                "ada,,secret/3,5,,N\n",
                "no group `secret/3`; did you mean secret/1 or secret/2?",
            ),
            (vec![package("sums")], "ada,,,101,,N\n", "sums gives at most 100 points, not 101; write +5"),
            (vec![package("sums")], "ada,,2,50.5,,N\n", "secret/2 gives at most 50 points, not 50.5"),
            (vec![package("sums")], "ada,,sample,5,,N\n", "the samples give no points"),
            (
                vec![package("sums")],
                "ada,,,5,,N\nada,sums,,+1,,M\n",
                "+1 points by M, but a.csv, line 2: 5 points by N;",
            ),
            (
                vec![package("sums")],
                "ada,,2,5,,N\nada,,secret/2,+1,,N\n",
                "a.csv, line 3: +1 points by N, but a.csv, line 2: 5 points by N;",
            ),
            (vec![verdicts], "ada,,,5,,N\n", "gives a verdict and no points"),
            (vec![least], "ada,,2,5,,N\n", "not the sum of those of its groups"),
            (several.to_vec(), "ada,,2,5,,N\n", "does not say its package; name one of sums, nim"),
            (vec![several[0].clone(), verdicts_of_nim], "ada,,,5,,N\n", "give verdicts and no points"),
        ] {
            let (decisions, class) = decided(&format!("{head}{rows}"));
            let checked = decisions.of_people(people(&class)).and_then(|found| found.check(&packages));
            let error = format!("{:#}", checked.unwrap_err());
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn decisions_are_for_a_name_and_perhaps_a_package() {
        let text = "\u{feff}participant, entry, package\nada, b.py, nim\nada, a.py,\n17, -,\n";
        let (decisions, class) = decided(text);
        let found = decisions.of_people(people(&class)).unwrap();
        let entry = |name: &str, package| found.of_participant(name, package).entry;
        assert_eq!((entry("ada", "sums"), entry("ada", "nim")), (Some("a.py"), Some("b.py")));
        assert_eq!(entry("bob", "nim"), Some("-"));
        found.check(&[package("sums"), package("nim")]).unwrap();
        let error = format!("{:#}", found.check(&[package("sums")]).unwrap_err());
        assert!(error.contains("line 2: no package `nim`"), "{error}");
        let (decisions, class) = decided("participant,entry\neve,a.py\n");
        let found = decisions.of_people(people(&class)).unwrap();
        let error = format!("{:#}", found.check(&[package("sums")]).unwrap_err());
        assert!(error.contains("line 2: no participant `eve`"), "{error}");
    }

    #[test]
    fn a_row_decides_a_case_or_an_entry_once() {
        let head = "participant,package,entry,case,verdict,reason,by\n";
        let rows = "17,,a.py,,,,\n17,sums,,secret/1/03,accepted,fast elsewhere,Noether\n";
        let (decisions, class) = decided(&format!("{head}{rows}"));
        let found = decisions.of_people(people(&class)).unwrap();
        let wanted = CaseDecision {
            case: "secret/1/03".into(),
            verdict: Verdict::Accepted,
            reason: "fast elsewhere".into(),
            by: "Noether".into(),
            place: RowPlace { file: "a.csv".into(), line: 3 },
        };
        let of_bob = found.of_participant("bob", "sums");
        assert_eq!((of_bob.entry, of_bob.cases), (Some("a.py"), vec![wanted]));
        assert_eq!(found.of_participant("bob", "nim").cases, []);
        assert_eq!(found.of_participant("ada", "sums").entry, None);
        for again in ["bob,,b.py,,,,\n", "bob,sums,,secret/1/03,TLE,slow,Noether\n"] {
            let (decisions, class) = decided(&format!("{head}{rows}{again}"));
            let error = decisions.of_people(people(&class)).unwrap_err().to_string();
            assert!(error.starts_with("a.csv, line 4: ") && error.contains(", but a.csv, line "), "{error}");
        }
    }

    #[test]
    fn tables_of_two_graders_agree_or_are_an_error() {
        let decided = |second: &str| {
            let head = "participant,points,comment,by\n";
            let tables = [("a.csv", "ada,40,good,Noether\n17,-,ill,Noether\n"), ("b.csv", second)];
            let rows = tables
                .into_iter()
                .flat_map(|(file, rows)| read_rows(file, format!("{head}{rows}").as_bytes()).unwrap());
            let decisions = Decisions { rows: rows.collect() };
            let (_, class) = super::tests::decided("participant,entry\n");
            let found = decisions.of_people(people(&class)).map_err(|error| error.to_string())?;
            let warnings = found.check(&[package("sums")]).map_err(|error| error.to_string())?;
            let of_bob = found.of_participant("bob", "sums").of_whole.len();
            Ok((found.of_participant("ada", "sums").of_whole.len(), of_bob, warnings.join("")))
        };
        let none = String::new;
        assert_eq!(decided("bob,-,ill,Noether\nada,40,good,Noether\n"), Ok((1, 1, none())));
        for (other, said) in [
            ("ada,40,good,Artin\n", "40 points (good) by Artin"),
            ("ada,41,good,Noether\n", "41 points (good) by Noether"),
            ("ada,-,,Artin\n", "excused by Artin"),
            ("ada,,good,Artin\n", "the comment (good) by Artin"),
        ] {
            let first = "a.csv, line 2: 40 points (good) by Noether; remove one of the rows";
            assert_eq!(decided(other), Err(format!("b.csv, line 2: {said}, but {first}")));
        }
        let absent = "b.csv, line 2: eda is excused, and has no hand-in; did you mean ada?".to_owned();
        assert_eq!(decided("eda,-,ill,Artin\n"), Ok((1, 1, absent)));
    }

    #[test]
    fn of_several_packages_a_case_names_its_own() {
        let several = [package("sums"), package("nim")];
        let (decisions, class) =
            decided("participant,case,verdict,reason,by\nada,secret/1,AC,fast elsewhere,Noether\n");
        let found = decisions.of_people(people(&class)).unwrap();
        found.check(&several[..1]).unwrap();
        let error = format!("{:#}", found.check(&several).unwrap_err());
        assert!(error.contains("line 2") && error.contains("sums, nim"), "{error}");
        let (entries, class) = decided("participant,entry\nada,a.py\n");
        entries.of_people(people(&class)).unwrap().check(&several).unwrap();
    }
}
