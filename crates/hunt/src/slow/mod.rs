//! Inputs on which programs are too slow, and how their time grows.
//!
//! ```text
//! text ──input_parts──► counters, lists, words, edges ──shapes──► changes ──changed_cases──► cases      pure
//! bases ──largest_inputs──► the largest sizes and values of the cases that validators accept
//! search: changed cases ──bench──► times ──► the slowest input, or a confirmed one with the fewest items
//! growth_runs: facts of the cases, or parts of the failing one ──bench──► the growth of each program
//! package_search builds the programs of a package, and makes a StressReport; explain_slow does both for rows of a class
//! ```
//!
//! Times of a program are compared with those of accepted submissions. What programs print is not looked at.

mod bases;
mod case_sizes;
mod changed_cases;
mod changes;
mod explain_slow;
mod growth_runs;
mod input_parts;
mod largest_inputs;
mod package_search;
mod search;
mod shapes;

pub use bases::SlowStart;
pub use case_sizes::CaseSizes;
pub use explain_slow::{SlowRequest, SlowUnknown};
pub use growth_runs::add_known_growth;
pub use package_search::{SlowLimits, check_searchable, run_slow_campaign};
