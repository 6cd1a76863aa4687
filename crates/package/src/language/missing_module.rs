//! Modules that a program imports and this machine lacks.

use super::{
    missing_toolchain::MissingToolchain,
    row::Language,
    snapshot::{FileBytes, SourceFile},
};
use kopek_sandbox::Exit;
use std::path::PathBuf;

/// The end of a program.
#[derive(Debug, Clone, Copy)]
pub struct ProgramEnd<'a> {
    pub exit: Exit,
    pub stderr: &'a str,
}

/// The module without which a program of these files ended; `None` if it ended for another reason, or printed such a
/// message without importing the module.
pub fn missing_module(language: &Language, end: ProgramEnd, files: &FileBytes) -> Option<MissingToolchain> {
    let row = language.module.as_ref()?;
    let (before, after) = row.message.split_once("{}")?;
    let mut lines = end.stderr.lines().rev().filter(|line| !line.trim().is_empty());
    let module = lines.next()?.strip_prefix(before)?.strip_suffix(after)?;
    // The interpreter prints the message below the indented lines of its trace, and exits with 1.
    let is_traced = lines.next()?.starts_with("  ") && end.exit == Exit::Code(1);
    let package = module.split('.').next()?;
    let is_name = !package.is_empty() && package.chars().all(is_of_name);
    let is_own =
        |path: &PathBuf| path.iter().any(|part| part.to_string_lossy().split('.').next() == Some(package));
    let is_imported = |file: &SourceFile| {
        let text = String::from_utf8_lossy(&file.bytes);
        let is_import = |line: &str| {
            let line = line.split('#').next().unwrap_or_default();
            line.contains("import") && line.split(|c| !is_of_name(c)).any(|word| word == package)
        };
        text.lines().any(is_import)
    };
    let is_needed = is_traced && is_name && !files.keys().any(is_own) && files.values().any(is_imported);
    if !is_needed {
        return None;
    }
    // As Debian names them: `Crypto` and `ruamel_yaml` are in python3-crypto and python3-ruamel-yaml.
    let own_package = package.to_lowercase().replace('_', "-");
    let installed = Language {
        name: format!("the {} module {package}", language.name),
        install: row.install.replace("{}", &own_package),
        ..language.clone()
    };
    let missing = MissingToolchain::new(&installed, format!("the module {package} is not installed"));
    Some(MissingToolchain { absent: true, ..missing })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{super::table::LanguageTable, *};

    const TRACE: &str = "Traceback (most recent call last):\n  File \"/exe/a.py\", line 1, in <module>\n    \
        import numpy\nModuleNotFoundError: No module named 'numpy'\n";

    fn missing(code: &str, (exit, stderr): (i32, &str), files: &[(&str, &str)]) -> Option<String> {
        let table = LanguageTable::embedded();
        let files =
            files.iter().map(|(path, text)| (path.into(), SourceFile::new(text.as_bytes()))).collect();
        let end = ProgramEnd { exit: Exit::Code(exit), stderr };
        missing_module(table.get(code).unwrap(), end, &files).map(|missing| missing.name)
    }

    #[test]
    fn a_module_is_missing_if_the_interpreter_says_so_and_the_program_imports_it() {
        let of = |name: &str| Some(format!("the Python 3 module {name}"));
        let numpy = [("a.py", "import numpy as np\n")];
        assert_eq!(missing("python3", (1, TRACE), &numpy), of("numpy"));
        let nested = TRACE.replace("'numpy'", "'numpy.linalg'");
        assert_eq!(missing("python3", (1, &nested), &numpy), of("numpy"));
        let late = [("a.py", "def f():\n    return __import__('numpy')\n")];
        assert_eq!(missing("python3", (1, TRACE), &late), of("numpy"));
        let beside = [("a.py", "import b"), ("b.py", "from numpy import array")];
        assert_eq!(missing("python3", (1, TRACE), &beside), of("numpy"));
        assert_eq!(missing("pypy3", (1, TRACE), &numpy), Some("the PyPy module numpy".into()));
        for (end, files) in [
            // The program went on without it, or ended for another reason.
            ((0, TRACE), &numpy[..]),
            ((2, TRACE), &numpy),
            ((1, "Traceback:\n  File\nImportError: No module named 'numpy'\n"), &numpy),
            ((1, &format!("{TRACE}\nDuring handling:\n  File\nKeyError: 1\n")), &numpy),
            // It prints the message itself, or raises it without importing anything.
            ((1, "ModuleNotFoundError: No module named 'numpy'\n"), &numpy),
            ((1, TRACE), &[("a.py", "raise ModuleNotFoundError(\"No module named 'numpy'\")")]),
            ((1, TRACE), &[("a.py", "import math\nexec(text)")]),
            ((1, TRACE), &[("a.py", "import sys\nprint(\"No module named 'numpy'\", file=sys.stderr)")]),
            ((1, TRACE), &[("a.py", "print(1)  # import numpy\n")]),
            // The module is part of the hand-in.
            ((1, TRACE), &[("a.py", "import numpy"), ("lib/numpy.py", "")]),
            ((1, TRACE), &[("a.py", "import numpy"), ("src/numpy/core.py", "")]),
            ((1, &TRACE.replace("'numpy'", "'a b'")), &numpy),
        ] {
            assert_eq!(missing("python3", end, files), None, "{end:?} {files:?}");
        }
        assert_eq!(missing("ruby", (1, TRACE), &numpy), None);
    }
}
