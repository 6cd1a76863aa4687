//! Why a test case cannot be made.

use kopek_sandbox::Fault;

/// Why a case was not made.
pub(super) enum MakeError {
    /// A mistake in the package, with its place if it is not everywhere.
    Package(String, Option<String>),
    Fault(Fault),
}

pub(super) type MakeResult<T> = Result<T, MakeError>;

impl From<Fault> for MakeError {
    fn from(fault: Fault) -> MakeError {
        MakeError::Fault(fault)
    }
}

pub(super) fn wrong<T>(what: impl Into<String>) -> MakeResult<T> {
    Err(MakeError::Package(what.into(), None))
}
