//! What is known about a run: plain data between the drivers, which make it, and the renderers, which show it.
//!
//! A package serialises as one of `report.json`, with the texts that are in it: remarks, and how programs ended. No colour,
//! no file.

mod by_hand;
mod case_report;
mod counterexamples;
mod course_totals;
mod exact_seconds;
mod found;
mod group_names;
mod hand_points;
mod late_steps;
mod limit_survey;
mod measures;
mod memory_mistake;
mod mutant;
mod mutation_report;
mod note;
mod notices;
mod open_cases;
mod program_growth;
mod public_report;
mod remarks;
mod report;
mod report_changes;
mod row_report;
mod slow_input;
mod source_findings;
mod stress_report;
mod totals;
mod verified;

pub use by_hand::{HandChange, RowByHand};
pub use case_report::{CaseReport, decision_said, exit_said, exit_text};
pub use counterexamples::{
    AlikeFailure, Boundary, Counterexample, Counterexamples, FailedProgram, NoGrowth, OwnCounterexample,
    TextExcerpt, Unexplained, UnexplainedProgram, UnsetVariable, ValidBy, is_much_smaller,
};
pub use course_totals::{CourseTotal, CourseTotals, TotalPart};
pub use found::{Found, FoundFailure, InputOrigin, ShrinkEnd, ShrinkStep, Shrinking};
pub use group_names::{case_in_text, group_heading, group_in_text};
pub use hand_points::{NoPointsByHand, adds_its_groups, change_total, give_points_by_hand};
pub use late_steps::LateSteps;
pub use limit_survey::{AllowedLimits, LimitReport, LimitRole, LimitSurvey, SurveyedRun, SurveyedSubmission};
pub use measures::{CaseStrength, MemoryMargin, NumberRange, Strength, SubmissionStrength};
pub use memory_mistake::MemoryMistake;
pub use mutant::{Mutant, Mutation};
pub use mutation_report::{GroupKills, MutantFate, MutationReport};
pub use note::Note;
pub use notices::{Noticed, Notices};
pub use open_cases::{Evidence, OpenCase, OpenReason, UndecidedCase, WayToClose};
pub use program_growth::{AcceptedGrowth, ChartPoint, GrowthChart, ProgramGrowth};
pub use public_report::public_report;
pub use remarks::{FinishedCheck, Remark, Section};
pub use report::{
    DataDigests, FeedbackLevel, GroupHead, Noise, PackageReport, PersonKey, Report, ResultKind, RowOfPackage,
    Slowness, StoredPackage, SubmissionCells, changed_points, points_or_dash,
};
pub use report_changes::{ChangeReason, GradeChange, ReportChanges};
pub use row_report::{
    Deduction, RowReport, decided_case, decided_cases, deduction_said, own_remarks, row_remarks,
    trial_remarks,
};
pub use slow_input::SlowInput;
pub use source_findings::{
    compile_reason, compiler_findings, compiler_findings_in, error_lines, place_of_error, reason_of_stop,
    stop_of_program,
};
pub use stress_report::{HuntCounts, NotFound, StressGoal, StressReport, TriedProgram};
pub use totals::{RowsOfParticipant, is_excused, max_total, rows_by_name, total_deduction, total_points};
pub use verified::Verified;
