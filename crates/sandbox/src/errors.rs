//! Errors that name the failed action: for the judge, and for supervisor and worker.

use super::fault::Fault;
use std::{fmt::Display, io};

/// For the judge: `act` failed because of `error`.
pub(crate) fn fault_in(act: impl Display, error: impl Display) -> Fault {
    Fault::new(format!("{act}: {error}"))
}

/// For supervisor and worker: adds the failed action to an error.
pub(crate) fn while_doing<E: Into<io::Error>>(act: impl Display) -> impl FnOnce(E) -> io::Error {
    move |e| {
        let e = e.into();
        io::Error::new(e.kind(), format!("{act}: {e}"))
    }
}
