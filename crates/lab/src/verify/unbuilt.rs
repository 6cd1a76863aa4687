//! Programs of the package that could not be built.

use super::checked::Checked;
use kopek_base::wording::short_line;
use kopek_engine::exec::NoProgram;
use kopek_package::package::{Message, Package, PackageProgram, Place};
use kopek_results::place_of_error;

/// Why a program of the package could not be built: a message if the package is to blame.
pub(super) fn check_unbuilt(
    program: &str,
    why: NoProgram,
    message: impl FnOnce(String) -> Message,
) -> Checked {
    let mut checked = Checked::default();
    match why {
        NoProgram::Refused(why) => checked.add(message(why)),
        NoProgram::DoesNotCompile(text) => {
            checked.add(message(format!("does not compile: {}", short_line(&text))));
        }
        NoProgram::Fault(fault) => checked.fault(format!("build {program}: {fault}")),
        // Reported once, at the very end.
        NoProgram::Interrupted => {}
    }
    checked
}

/// The place of a validator that could not be built: that of its error, if the compiler names one.
pub(super) fn place_of_unbuilt(
    package: &Package,
    program: &PackageProgram,
    why: &NoProgram,
) -> Option<Place> {
    match why {
        NoProgram::DoesNotCompile(message) => place_of_error(&package.dir, &program.source, message),
        NoProgram::Refused(_) | NoProgram::Fault(_) | NoProgram::Interrupted => None,
    }
}
