//! Teams whose members share a hand-in: the row of the team becomes one for each member.

use super::{
    Cohort,
    found_files::plain_name,
    found_person::{FoundPerson, PersonNames},
    name_namesakes,
};
use kopek_package::package::HandIn;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    pub name: String,
    pub members: Vec<TeamMember>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamMember {
    pub name: String,
    /// The number of the platform, if it is known.
    pub id: Option<String>,
}

/// Why the hand-ins of teams cannot be split.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnclearTeam {
    #[error("[teams]: a team has no name")]
    NoName,
    #[error("[teams]: team {0} has no members; name them, or remove the team")]
    NoMembers(String),
    #[error("[teams]: team {0} has a member without a name")]
    EmptyMember(String),
    #[error("[teams]: team {team} names {member} twice")]
    TwiceInTeam { member: String, team: String },
    #[error("{member} is in team {first} and in team {second}; leave the name in one of them")]
    TwoTeams { member: String, first: String, second: String },
    #[error(
        "{member} is in team {team} and handed in alone, too: {file}; remove the name from the team, or this hand-in"
    )]
    AlsoAlone { member: String, team: String, file: String },
}

impl TeamMember {
    /// Whether a name or a number means this member.
    fn is(&self, name: &str, id: Option<&str>) -> bool {
        let numbers = [Some(self.name.as_str()), self.id.as_deref()];
        plain_name(&self.name) == plain_name(name) || id.is_some() && numbers.contains(&id)
    }
}

impl Team {
    pub fn is_called(&self, name: &str) -> bool {
        plain_name(&self.name) == plain_name(name)
    }

    /// The rows of its members, if this is its hand-in. Moodle had one for each member until 4.0: `Blue-Ada Lovelace`.
    fn rows(&self, found: &FoundPerson) -> Option<Vec<FoundPerson>> {
        let hand_in = HandIn { group: Some(self.name.clone()), ..found.hand_in.clone() };
        for (at, _) in found.name.match_indices('-').filter(|(at, _)| self.is_called(&found.name[..*at])) {
            let own = &found.name[at + 1..];
            let id = found.hand_in.id.as_deref();
            if self.members.iter().any(|member| member.is(own, id)) {
                let name = own.to_owned();
                return Some(vec![FoundPerson { name, hand_in, ..found.clone() }]);
            }
        }
        if !self.is_called(&found.name) && !PersonNames::of_found(found).has(&self.name) {
            return None;
        }
        let row = |TeamMember { name, id }: &TeamMember| FoundPerson {
            name: name.clone(),
            // The number of the hand-in is the team's.
            hand_in: HandIn { id: id.clone(), email: None, ..hand_in.clone() },
            ..found.clone()
        };
        Some(self.members.iter().map(row).collect())
    }
}

impl Cohort {
    /// The names that may be those of teams.
    pub fn team_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for person in &self.class.people {
            let parts = person.name.match_indices('-').map(|(at, _)| &person.name[..at]);
            names.extend(parts.chain([person.name.as_str()]));
        }
        names
    }

    /// Replaces the hand-ins of teams by those of their members. Returns the teams without a hand-in. Fails if somebody
    /// would have two.
    pub fn split_teams<'t>(&mut self, teams: &'t [Team]) -> Result<Vec<&'t str>, UnclearTeam> {
        check_members(teams)?;
        let mut absent = Vec::new();
        let mut split = Vec::new();
        for team in teams {
            let before = self.class.people.len();
            let mut rows = Vec::new();
            self.class.people.retain(|person| {
                let found = team.rows(person);
                rows.extend(found.iter().flatten().cloned());
                found.is_none()
            });
            if self.class.people.len() == before {
                absent.push(team.name.as_str());
            }
            split.extend(rows);
        }
        for team in teams.iter().filter(|team| !absent.contains(&team.name.as_str())) {
            self.refuse_lone_members(team)?;
        }
        self.class.people.extend(split);
        name_namesakes(&mut self.class);
        self.class.people.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(absent)
    }

    /// Fails if a member of a team has another hand-in of their own.
    fn refuse_lone_members(&self, team: &Team) -> Result<(), UnclearTeam> {
        for member in &team.members {
            // Another team's hand-in may have the number of the member.
            let is_own = |person: &&FoundPerson| {
                let is_number = person.hand_in.id.as_ref() == Some(&member.name);
                is_number || plain_name(&person.name) == plain_name(&member.name)
            };
            if let Some(found) = self.class.people.iter().find(is_own) {
                return Err(UnclearTeam::AlsoAlone {
                    member: member.name.clone(),
                    team: team.name.clone(),
                    file: found.file.clone(),
                });
            }
        }
        Ok(())
    }
}

/// Fails if a team or a name is empty, or a member has two places.
fn check_members(teams: &[Team]) -> Result<(), UnclearTeam> {
    let mut known: Vec<(&TeamMember, &str)> = Vec::new();
    for team in teams {
        if team.name.trim().is_empty() {
            return Err(UnclearTeam::NoName);
        }
        // Its hand-in would belong to no participant.
        if team.members.is_empty() {
            return Err(UnclearTeam::NoMembers(team.name.clone()));
        }
        for member in &team.members {
            if member.name.trim().is_empty() {
                return Err(UnclearTeam::EmptyMember(team.name.clone()));
            }
            let earlier = known.iter().find(|(own, _)| own.is(&member.name, member.id.as_deref()));
            if let Some((_, first)) = earlier {
                let (member, second) = (member.name.clone(), team.name.clone());
                return Err(match *first == second {
                    true => UnclearTeam::TwiceInTeam { member, team: second },
                    false => UnclearTeam::TwoTeams { member, first: (*first).to_owned(), second },
                });
            }
            known.push((member, &team.name));
        }
    }
    Ok(())
}
