//! Programs of the package that could not be built.

use kopek_base::wording::short_line;
use kopek_engine::exec::NoProgram;
use kopek_package::package::{Package, PackageProgram, Place};
use kopek_results::{Remark, Verified, place_of_error};

/// Reports a program of the package that could not be built; adds a remark if the package is to blame.
pub(super) fn report_unbuilt(
    program: &str,
    why: NoProgram,
    verified: &mut Verified,
    remark: impl FnOnce(String) -> Remark,
) {
    match why {
        NoProgram::Refused(why) => verified.add(remark(why)),
        NoProgram::DoesNotCompile(message) => {
            verified.add(remark(format!("does not compile: {}", short_line(&message))));
        }
        NoProgram::Fault(fault) => verified.fault(format!("build {program}: {fault}")),
        // Reported once, at the very end.
        NoProgram::Interrupted => {}
    }
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
