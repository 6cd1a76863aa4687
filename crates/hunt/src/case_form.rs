//! The form of the inputs of a package, read from its files.

use crate::form::{FormCase, InputForm, NoForm};
use kopek_package::package::TestSet;
use std::fs;

/// Bytes of all cases whose form is read: 4 s for 32 MiB.
const MAX_BYTES: u64 = 32 << 20;

/// The form of the inputs of all cases without further files.
pub fn form_of_tests(tests: &TestSet) -> Result<InputForm, NoForm> {
    let mut cases = Vec::new();
    let mut bytes = 0;
    for case in tests.cases.iter().filter(|case| case.files.is_none()) {
        let unread = |error: std::io::Error| NoForm::Unread(case.name.clone(), error.to_string());
        bytes += fs::metadata(&case.input).map_err(unread)?.len();
        if bytes > MAX_BYTES {
            return Err(NoForm::TooLarge(case.name.clone()));
        }
        let input = fs::read(&case.input).map_err(unread)?;
        cases.push(FormCase { name: case.name.clone(), input, is_sample: case.is_sample() });
    }
    InputForm::read(&cases)
}
