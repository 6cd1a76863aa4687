//! The form of the inputs of a package, read from its files.

use crate::form::{FormCase, InputForm, MAX_INPUT, NoForm};
use kopek_package::package::{Case, TestSet};
use std::{fs, io};

/// Bytes of the cases whose form is read, the smallest first: 4 s for 32 MiB.
const MAX_BYTES: u64 = 32 << 20;
/// Bytes of all cases. The larger ones are only compared with the layout, which takes a fortieth of the time.
const MAX_COMPARED: u64 = 256 << 20;

/// The form of the inputs of all cases without further files.
pub fn form_of_tests(tests: &TestSet) -> Result<InputForm, NoForm> {
    form_within(tests, MAX_BYTES)
}

fn form_within(tests: &TestSet, max_bytes: u64) -> Result<InputForm, NoForm> {
    let unread = |case: &Case, error: io::Error| NoForm::Unread(case.name.clone(), error.to_string());
    let read = |case: &Case| fs::read(&case.input).map_err(|error| unread(case, error));
    let mut cases = Vec::new();
    for case in tests.cases.iter().filter(|case| case.files.is_none()) {
        let size = fs::metadata(&case.input).map_err(|error| unread(case, error))?.len();
        cases.push((size, case));
    }
    cases.sort_by_key(|(size, _)| *size);
    let mut bytes = 0;
    let (mut some, mut others) = (Vec::new(), Vec::new());
    for (size, case) in cases {
        bytes += size;
        if size > MAX_INPUT || bytes > MAX_COMPARED {
            return Err(NoForm::TooLarge(case.name.clone()));
        }
        if bytes > max_bytes {
            others.push(case);
            continue;
        }
        let (name, input, is_sample) = (case.name.clone(), read(case)?, case.is_sample());
        some.push(FormCase { name, input, is_sample });
    }
    // Fewer cases have narrower ranges and more rules, so drawn inputs are valid for all cases.
    let form = InputForm::read(&some)?;
    for case in others {
        if !form.has_layout_of(&read(case)?) {
            return Err(NoForm::Unlike);
        }
    }
    Ok(form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::package::{self, read_tests};

    #[test]
    fn large_cases_must_have_the_layout_of_the_others() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        fs::create_dir_all(dir.path().join("data/secret")).unwrap();
        write("problem.yaml", "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 1}\n");
        let form = |large: &str, max_bytes| {
            for (at, input) in ["1\n5\n", "2\n4 1\n", "3\n1 2 2\n", large].into_iter().enumerate() {
                write(&format!("data/secret/{at}.in"), input);
                write(&format!("data/secret/{at}.ans"), "1\n");
            }
            let package = package::read(dir.path()).unwrap().package.unwrap();
            let form = form_within(&read_tests(&package).unwrap().0, max_bytes);
            form.map(|form| (form.cases, form.description()))
        };
        let large = "5\n900 800 700 600 500\n";
        assert_eq!(form(large, 99), Ok((4, "n (1 to 5); n integers, 1 to 900".to_owned())));
        assert_eq!(form(large, 20), Ok((3, "n (1 to 3); n integers, 1 to 5".to_owned())));
        assert_eq!(form("5\n900 800 700 600 500 and more\n", 20), Err(NoForm::Unlike));
    }
}
