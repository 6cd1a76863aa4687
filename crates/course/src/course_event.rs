//! What happens while a course is graded.

use kopek_judge::grade::GradeEvent;

pub enum CourseEvent<'a> {
    /// A line for the teacher.
    Said(String),
    /// Judging of hand-ins for a package begins.
    Begins {
        package: &'a str,
        participants: usize,
    },
    Step(GradeEvent<'a>),
    /// It has ended.
    Ends,
}

pub type OnCourseEvent<'a> = dyn FnMut(CourseEvent) + Send + 'a;
