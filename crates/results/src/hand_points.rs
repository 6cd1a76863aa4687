//! Points and comments by hand come after the points of the package and before a late penalty.

use super::{
    by_hand::{HandChange, RowByHand},
    row_report::RowReport,
};
use kopek_package::{
    package::{PointsByHand, PointsChange, RowPlace, is_sample},
    points::Points,
};
use kopek_plan::score::{GroupScore, Scorecard};

/// Why points of a group cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPointsByHand {
    #[error(
        "{place}: the points of the package are not the sum of those of its groups; leave `group` empty, and give the \
            points of the package"
    )]
    NoSumOfGroups { place: RowPlace },
    #[error("{place}: the result has no group `{group}`")]
    NoGroup { place: RowPlace, group: String },
}

/// The points of the groups together; `None`: one is not known. The samples have none.
fn sum_of_groups(groups: &[GroupScore], points: fn(&GroupScore) -> &Option<Points>) -> Option<Points> {
    let mut sum = Points::zero();
    for group in groups.iter().filter(|group| !is_sample(&group.name)) {
        sum = sum + points(group).clone()?;
    }
    Some(sum)
}

/// Whether the points of a package are those of its groups together, as far as the maximum shows.
pub fn adds_its_groups(card: &Scorecard) -> bool {
    sum_of_groups(&card.groups, |group| &group.max) == card.max
}

/// Gives the points and comments of the hand-in's owner, groups before the package.
pub fn give_points_by_hand(row: &mut RowReport) -> Result<(), NoPointsByHand> {
    let mut given = row.hand_in.by_hand.clone();
    if given.is_empty() {
        return Ok(());
    }
    given.sort_by_key(|one| one.group.is_none());
    let automatic_points = row.card.points.clone();
    let mut changes = Vec::new();
    for one in &given {
        changes.push(match &one.group {
            Some(group) => change_group(row, one, group)?,
            None => change_package(row, one),
        });
    }
    row.by_hand = Some(RowByHand { automatic_points, changes });
    Ok(())
}

fn change_package(row: &mut RowReport, given: &PointsByHand) -> HandChange {
    let before = row.card.points.clone();
    row.card.points = given.points_after(before.as_ref());
    hand_change(given, None, before, row.card.points.clone())
}

fn change_group(row: &mut RowReport, given: &PointsByHand, name: &str) -> Result<HandChange, NoPointsByHand> {
    let place = given.place.clone();
    let card = &mut row.card;
    let old_sum = sum_of_groups(&card.groups, |group| &group.points);
    let is_own = |group: &&mut GroupScore| PointsByHand::is_name_of(name, &group.name);
    let group = card.groups.iter_mut().find(is_own);
    let group =
        group.ok_or_else(|| NoPointsByHand::NoGroup { place: place.clone(), group: name.to_owned() })?;
    let before = group.points.clone();
    group.points = given.points_after(before.as_ref());
    let change = hand_change(given, Some(group.name.clone()), before, group.points.clone());
    if given.change.is_some() {
        let differs = card.points.is_some() && old_sum.is_some() && card.points != old_sum;
        if differs || !adds_its_groups(card) {
            return Err(NoPointsByHand::NoSumOfGroups { place });
        }
        card.points = sum_of_groups(&card.groups, |group| &group.points);
    }
    Ok(change)
}

/// What points and a comment by hand change in a total.
pub fn change_total(given: &PointsByHand, total: Option<Points>) -> HandChange {
    let after = given.points_after(total.as_ref());
    hand_change(given, None, total, after)
}

fn hand_change(
    given: &PointsByHand,
    group: Option<String>,
    before: Option<Points>,
    after: Option<Points>,
) -> HandChange {
    let excused = given.change == Some(PointsChange::Excuse);
    HandChange { group, before, after, excused, comment: given.comment.clone(), by: given.by.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::{
        package::{HandIn, NoSubmission, Participant},
        verdict::Verdict,
    };
    use kopek_plan::score::State;
    use kopek_sentences::Said;

    fn place() -> RowPlace {
        RowPlace { file: "by-hand.csv".into(), line: 2 }
    }

    fn points(text: &str) -> Option<Points> {
        if text.is_empty() { None } else { Some(text.parse().unwrap()) }
    }

    /// A row with groups of these points, each of at most 50, and this total.
    fn row(groups: [&str; 2], total: &str, given: &[(Option<&str>, &str)]) -> RowReport {
        let by_hand = given.iter().map(|(group, change)| PointsByHand {
            group: group.map(str::to_owned),
            change: match change.strip_prefix('+') {
                _ if change.is_empty() => None,
                Some(more) => points(more).map(PointsChange::Add),
                None if change.starts_with('-') => points(change).map(PointsChange::Add),
                None => points(change).map(PointsChange::Set),
            },
            comment: Some("good idea".into()),
            by: "Noether".into(),
            place: place(),
        });
        let hand_in = HandIn { by_hand: by_hand.collect(), ..HandIn::default() };
        let submission = Err(NoSubmission::Absent(Said::NothingHandedIn));
        let [name, file] = ["ada", "ada.c"].map(String::from);
        let mut row = RowReport::unjudged(&Participant { name, file, hand_in, submission });
        row.card.max = points("100");
        row.card.points = points(total);
        row.card.groups = groups
            .into_iter()
            .zip(["secret/1", "secret/2"])
            .map(|(own, name)| GroupScore {
                name: name.into(),
                points: points(own),
                max: points("50"),
                state: State::Decided(Verdict::WrongAnswer),
                culprit: None,
                slowest: None,
            })
            .collect();
        row
    }

    #[test]
    fn groups_come_before_the_package_and_points_stay_exact() {
        let total = |given: &[(Option<&str>, &str)], wanted: &str, automatic: &str| {
            let mut row = row(["20", "1.1"], "21.1", given);
            give_points_by_hand(&mut row).unwrap();
            assert_eq!(row.worth(), points(wanted), "{given:?}");
            assert_eq!(row.by_hand.unwrap().automatic_points, points(automatic));
        };
        total(&[(None, "+5")], "26.1", "21.1");
        total(&[(None, "-30")], "0", "21.1");
        total(&[(None, "0.3")], "0.3", "21.1");
        total(&[(Some("secret/2"), "10")], "30", "21.1");
        total(&[(None, "+5"), (Some("2"), "10")], "35", "21.1");
        total(&[(Some("1"), "-0.1"), (Some("2"), "+0.2")], "21.2", "21.1");
        total(&[(None, "")], "21.1", "21.1");
    }

    #[test]
    fn points_that_are_not_known_can_be_set_but_not_adjusted() {
        let worth = |given: &[(Option<&str>, &str)]| {
            let mut row = row(["20", ""], "", given);
            give_points_by_hand(&mut row).unwrap();
            row.worth()
        };
        assert_eq!(worth(&[(None, "+5")]), None);
        assert_eq!(worth(&[(None, "40")]), points("40"));
        assert_eq!(worth(&[(Some("2"), "30")]), points("50"));
        assert_eq!(worth(&[(Some("1"), "30")]), None);
    }

    #[test]
    fn a_package_that_does_not_add_its_groups_takes_points_as_a_whole_only() {
        let mut rejected = row(["20", "10"], "0", &[(Some("2"), "30")]);
        assert_eq!(give_points_by_hand(&mut rejected), Err(NoPointsByHand::NoSumOfGroups { place: place() }));
        let mut least = row(["20", "10"], "30", &[(Some("2"), "30")]);
        least.card.max = points("50");
        assert_eq!(give_points_by_hand(&mut least), Err(NoPointsByHand::NoSumOfGroups { place: place() }));
        let mut unknown = row(["20", "10"], "30", &[(Some("3"), "30")]);
        assert_eq!(
            give_points_by_hand(&mut unknown),
            Err(NoPointsByHand::NoGroup { place: place(), group: "3".into() })
        );
    }

    #[test]
    fn a_text_names_the_person() {
        let mut row = row(["20", ""], "", &[(Some("2"), "30"), (None, "")]);
        give_points_by_hand(&mut row).unwrap();
        let said = row.by_hand.iter().flat_map(RowByHand::said);
        let texts: Vec<String> = said.map(|said| said.to_string()).collect();
        assert_eq!(
            texts,
            ["Group 2: not known → 30 points, by hand: Noether: good idea", "by hand: Noether: good idea"]
        );
    }
}
