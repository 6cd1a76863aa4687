//! Shards: each machine judges one part of a class.

use kopek_base::{Digest, DigestFields};
use kopek_package::package::Participant;
use std::{fmt, str::FromStr};

/// One of several parts of a class. Every participant is in exactly one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

const MAX_COUNT: u64 = 10_000;

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let shard =
            |(number, of): (&str, &str)| Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? });
        match text.split_once('/').and_then(shard) {
            Some(shard) if 1 <= shard.number && shard.number <= shard.of && shard.of <= MAX_COUNT => {
                Ok(shard)
            }
            _ => Err(format!("write the first of three parts as 1/3; there are at most {MAX_COUNT}")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// Whether a participant belongs to this part.
    pub fn has(&self, participant: &Participant) -> bool {
        part_of(participant, self.of) == self.number
    }

    pub fn number(&self) -> u64 {
        self.number
    }
}

/// The number of the part of a participant, from 1. Equal programs are in the same part and are judged once.
pub fn part_of(participant: &Participant, parts: u64) -> u64 {
    let digest = program_digest(participant);
    let start: [u8; 8] = digest.as_bytes()[..8].try_into().expect("a digest is longer");
    u64::from_le_bytes(start) % parts + 1
}

/// The digest of the program, or of the participant if there is no program.
fn program_digest(participant: &Participant) -> Digest {
    let fields = DigestFields::new("shard");
    let contents = participant.submission.as_ref().ok().and_then(|submission| submission.contents.as_ref());
    match contents {
        Some(files) => {
            let texts =
                files.values().fold(fields, |fields, file| fields.with("file", file.digest.as_bytes()));
            texts.digest()
        }
        None => fields.with("name", participant.name.as_bytes()).digest(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::package::{HandIn, NoSubmission};
    use kopek_sentences::Said;

    #[test]
    fn a_shard_is_written_as_its_number_and_the_count() {
        assert_eq!("3/16".parse(), Ok(Shard { number: 3, of: 16 }));
        for bad in ["", "3", "0/2", "3/2", "1/0", "a/b", "1/10001", "-1/2", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn everybody_is_in_exactly_one_part() {
        let parts: Vec<Shard> = (1..=7).map(|number| Shard { number, of: 7 }).collect();
        let names = (0..200).map(|number| format!("student {number}"));
        let counts = names.map(|name| {
            let submission = Err(NoSubmission::Absent(Said::NothingHandedIn));
            let (file, hand_in) = (name.clone(), HandIn::default());
            let absent = Participant { name, file, hand_in, submission };
            parts.iter().filter(|part| part.has(&absent)).count()
        });
        assert!(counts.into_iter().all(|count| count == 1));
    }
}
