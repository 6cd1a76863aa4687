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

impl Team {
    fn is_called(&self, name: &str) -> bool {
        plain_name(&self.name) == plain_name(name)
    }

    /// The rows of its members, if this is its hand-in. Moodle had one for each member until 4.0: `Blue-Ada Lovelace`.
    fn rows(&self, found: &FoundPerson) -> Option<Vec<FoundPerson>> {
        let hand_in = HandIn { group: Some(self.name.clone()), ..found.hand_in.clone() };
        for (at, _) in found.name.match_indices('-').filter(|(at, _)| self.is_called(&found.name[..*at])) {
            let own = &found.name[at + 1..];
            let id = found.hand_in.id.as_deref();
            let is_own = |one: &TeamMember| {
                let numbers = [Some(one.name.as_str()), one.id.as_deref()];
                plain_name(&one.name) == plain_name(own) || id.is_some() && numbers.contains(&id)
            };
            if self.members.iter().any(is_own) {
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

    /// Replaces the hand-ins of teams by those of their members. Returns the teams without a hand-in.
    pub fn split_teams<'t>(&mut self, teams: &'t [Team]) -> Vec<&'t str> {
        let mut absent = Vec::new();
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
            self.class.people.extend(rows);
        }
        name_namesakes(&mut self.class);
        self.class.people.sort_by(|a, b| a.name.cmp(&b.name));
        absent
    }
}
