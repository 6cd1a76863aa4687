//! What happens while a course is graded.

use kopek_hunt::stress::HuntStep;
use kopek_judge::{generate::GenerationStep, grade::GradeEvent};

pub enum CourseEvent<'a> {
    /// A line for the teacher.
    Said(String),
    /// The same, to be looked at.
    Warned(String),
    /// A test set is completed.
    Generating(GenerationStep),
    /// Judging of hand-ins for a package begins.
    Begins {
        package: &'a str,
        participants: usize,
    },
    Step(GradeEvent<'a>),
    /// The hunt for inputs on which the programs for a package fail begins.
    HuntBegins {
        package: &'a str,
        programs: usize,
    },
    Hunt(HuntStep<'a>),
    /// Judging, or the hunt, has ended.
    Ends,
}

pub type OnCourseEvent<'a> = dyn FnMut(CourseEvent) + Send + 'a;

pub(super) fn warn(warnings: impl IntoIterator<Item = String>, on_event: &mut OnCourseEvent) {
    warnings.into_iter().for_each(|warning| on_event(CourseEvent::Warned(warning)));
}
