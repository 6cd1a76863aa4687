//! The platforms that hand-ins come from, and what each is known to do: a row for each layout.

use kopek_class::HandInLayout;
use kopek_results::PersonKey;

/// The path of a feedback file in a zip, by the participant's name and number and the file's name.
pub(super) type FeedbackPath = fn(&str, &str, &str) -> String;

#[derive(Debug)]
pub struct Platform {
    pub layout: HandInLayout,
    /// What the numbers of its participants are; `None`: they have none.
    pub numbers: Option<PersonKey>,
    /// The number by which the gradebook names people whose files have other names.
    pub names_in_gradebook: Option<PersonKey>,
    /// `None`: it takes no feedback files.
    pub(super) feedback_path: Option<FeedbackPath>,
    /// Whether it marks the files of late participants.
    pub marks_late: bool,
    /// Why nothing says who is late.
    pub lateness_hint: &'static str,
}

const PLAIN: Platform = Platform {
    layout: HandInLayout::Plain,
    numbers: None,
    names_in_gradebook: None,
    feedback_path: None,
    marks_late: false,
    lateness_hint: "",
};

const PLATFORMS: [Platform; 5] = [
    PLAIN,
    Platform {
        layout: HandInLayout::Moodle,
        numbers: Some(PersonKey::Participant),
        // The importer looks for the number and for `file` between underscores.
        feedback_path: Some(|name, id, file| format!("{name}_{id}_assignsubmission_file_/{file}")),
        ..PLAIN
    },
    Platform {
        layout: HandInLayout::Canvas,
        numbers: Some(PersonKey::User),
        names_in_gradebook: Some(PersonKey::User),
        feedback_path: Some(|name, id, file| format!("{name}_{id}_{file}")),
        marks_late: true,
        ..PLAIN
    },
    Platform { layout: HandInLayout::Gradescope, numbers: Some(PersonKey::Student), ..PLAIN },
    Platform {
        layout: HandInLayout::Repositories,
        numbers: Some(PersonKey::Account),
        // A program of the participant could run if kopek asked git for the times of commits.
        lateness_hint: " (kopek does not read the times of commits)",
        ..PLAIN
    },
];

pub fn platform_of(layout: HandInLayout) -> &'static Platform {
    PLATFORMS.iter().find(|platform| platform.layout == layout).unwrap_or(&PLAIN)
}

impl Platform {
    pub fn takes_feedback(&self) -> bool {
        self.feedback_path.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_layout_has_a_row() {
        for layout in HandInLayout::ALL {
            assert_eq!(platform_of(layout).layout, layout);
        }
    }
}
