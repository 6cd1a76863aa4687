//! Sources laid out to be built: which file is laid where, and where the program begins.

use super::{Entry, Language, Source, classes, command};
use crate::base::{Digest, Fields};
use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

/// Sources that can be built: which file lies where, and where the program begins.
#[derive(Debug, Clone)]
pub struct Program<'a> {
    /// Its language.
    pub language: &'a Language,
    /// Path in the box to host path.
    pub files: BTreeMap<PathBuf, PathBuf>,
    /// The file or class that is run; for a linked language, nothing.
    pub entry: String,
}

/// Why sources cannot even be given to a compiler: a compile error with this text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unbuildable {
    /// A name that cannot be an argument.
    #[error("the name of {0} is not UTF-8")]
    Name(String),
    /// A path that leads out of the box.
    #[error("{0} does not lie among the files")]
    Outside(String),
    /// A name that we need ourselves.
    #[error("a file must not be called {0}")]
    Taken(String),
    /// The declared entry point is not there.
    #[error("the entry point {0} is not among the files")]
    NoEntry(String),
    /// There is nothing to build.
    #[error("no file ends in {0}")]
    NoSource(String),
}

impl<'a> Program<'a> {
    /// Lays out a submission's files and a package's `include` over them. `entry`: as declared
    /// by the submission, if it is.
    pub fn new(
        language: &'a Language,
        submission: &Source,
        include: Option<&Source>,
        entry: Option<&str>,
    ) -> Result<Program<'a>, Unbuildable> {
        let name = lone_name(language, submission, include, entry);
        let mut files: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for file in &submission.files {
            files.insert(name.clone().unwrap_or(file.clone()), submission.root.join(file));
        }
        if let Some(source) = include {
            files.extend(source.files.iter().map(|file| (file.clone(), source.root.join(file))));
        }
        let mut program = Program { language, files, entry: String::new() };
        program.check()?;
        program.entry = program.choose_entry(entry, submission)?;
        Ok(program)
    }

    /// Names the files as they lie in the box, and the entry point: for keys of jobs. Two lone
    /// files with the same text are the same program, however they are called.
    pub fn digest(&self) -> std::io::Result<Digest> {
        let mut fields = Fields::new("program").with("entry", self.entry.as_bytes());
        for (inside, host) in &self.files {
            let contents = Digest::of_file(host)?.to_string();
            fields = fields.with("file", inside.as_os_str().as_encoded_bytes());
            fields = fields.with("contents", contents.as_bytes());
        }
        Ok(fields.digest())
    }

    fn check(&self) -> Result<(), Unbuildable> {
        if let Some(odd) = self.files.keys().find(|file| file.to_str().is_none()) {
            return Err(Unbuildable::Name(odd.to_string_lossy().into_owned()));
        }
        let inside = |file: &&PathBuf| file.components().all(|part| matches!(part, Component::Normal(_)));
        if let Some(odd) = self.files.keys().find(|file| !inside(file)) {
            return Err(Unbuildable::Outside(odd.to_string_lossy().into_owned()));
        }
        if self.files.keys().any(|file| file.starts_with(command::BINARY)) {
            return Err(Unbuildable::Taken(command::BINARY.into()));
        }
        if self.sources().next().is_none() {
            return Err(Unbuildable::NoSource(self.language.endings.join(", ")));
        }
        Ok(())
    }

    /// Files with an ending of the language.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.files.keys().filter_map(|file| file.to_str()).filter(|file| self.language.owns(file))
    }

    fn choose_entry(&self, declared: Option<&str>, own: &Source) -> Result<String, Unbuildable> {
        match &self.language.entry {
            Entry::Linked => Ok(String::new()),
            Entry::Class(default) => Ok(declared.map_or_else(|| self.main_class(default), String::from)),
            Entry::File(default) => match declared {
                Some(file) if self.files.contains_key(Path::new(file)) => Ok(file.to_owned()),
                Some(file) => Err(Unbuildable::NoEntry(file.to_owned())),
                None => Ok(self.main_file(default, own)),
            },
        }
    }

    /// The default name or one like it, whoever brought it; else the first of the submission's own:
    /// a package's driver must have the default name, so its other files are there to be asked.
    fn main_file(&self, default: &str, own: &Source) -> String {
        let main = |file: &&str| {
            let name = file.rsplit('/').next().unwrap_or(file);
            name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("main."))
        };
        let by_name = || self.sources().find(|file| *file == default);
        let of_own = |file: &&str| own.files.iter().any(|own| own == Path::new(file));
        let chosen = by_name().or_else(|| self.sources().find(main)).or_else(|| self.sources().find(of_own));
        let chosen = chosen.or_else(|| self.sources().next());
        chosen.unwrap_or(default).to_owned()
    }

    /// The default class if the sources have it, else the only one with a `main`, else the default.
    fn main_class(&self, default: &str) -> String {
        if self.language.lone.is_some() {
            return default.to_owned();
        }
        let texts =
            self.files.iter().filter(|(file, _)| file.to_str().is_some_and(|f| self.language.owns(f)));
        let texts = texts.filter_map(|(_, host)| std::fs::read(host).ok());
        let mains: Vec<String> =
            texts.flat_map(|text| classes::with_main(&String::from_utf8_lossy(&text))).collect();
        let is_default = |class: &&String| class.rsplit('.').next() == Some(default);
        let chosen = mains.iter().find(is_default).or(mains.first());
        chosen.map_or_else(|| default.to_owned(), String::clone)
    }
}

/// The name under which a lone file is laid, whatever its author called it: the compiler's
/// opinion of names does not decide, its messages name nobody, and equal files are one program.
/// Files that are joined by a package's keep their names: those may ask for them.
fn lone_name(
    language: &Language,
    submission: &Source,
    include: Option<&Source>,
    entry: Option<&str>,
) -> Option<PathBuf> {
    let [file] = submission.files.as_slice() else { return None };
    let ending = language.endings.first()?;
    let joined = include.is_some_and(|source| !source.files.is_empty());
    let name = match (&language.lone, &language.entry) {
        (None, Entry::Class(default)) => {
            // The compiler wants a file called after its public class, joined or not.
            let text = std::fs::read(submission.root.join(file)).unwrap_or_default();
            let public = classes::public(&String::from_utf8_lossy(&text));
            public.or((!joined).then(|| default.clone())).map(|class| class + ending)
        }
        _ if joined => None,
        (Some(name), _) => Some(name.clone()),
        (None, Entry::File(name)) => Some(name.clone()).filter(|_| entry.is_none()),
        (None, Entry::Linked) => Some(format!("main{ending}")),
    };
    name.filter(|_| file.to_str().is_some_and(|file| language.owns(file))).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Table;

    /// A directory with these files, and the files as a source.
    fn handed_in(files: &[(&str, &str)]) -> (tempfile::TempDir, Source) {
        let home = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = home.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut files: Vec<PathBuf> = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
        files.sort();
        let source = Source { root: home.path().to_owned(), files };
        (home, source)
    }

    fn laid(
        code: &str,
        files: &[(&str, &str)],
        entry: Option<&str>,
    ) -> Result<(Vec<String>, String), Unbuildable> {
        let (table, (_home, source)) = (Table::embedded(), handed_in(files));
        let program = Program::new(table.get(code).unwrap(), &source, None, entry)?;
        Ok((program.sources().map(String::from).collect(), program.entry.clone()))
    }

    fn pair(files: &[&str], entry: &str) -> (Vec<String>, String) {
        (files.iter().map(|&file| file.to_owned()).collect(), entry.to_owned())
    }

    #[test]
    fn a_lone_file_is_laid_under_the_name_its_compiler_wants() {
        let lone = [
            ("c", "Müller, A.c", "", pair(&["main.c"], "")),
            ("cpp", "x.C", "", pair(&["main.cpp"], "")),
            ("python3", "x.py", "", pair(&["__main__.py"], "__main__.py")),
            ("kotlin", "x.kt", "fun main() {}", pair(&["main.kt"], "MainKt")),
            ("java", "x.java", "public class Sol { void main() {} }", pair(&["Sol.java"], "Sol")),
            ("java", "x.java", "class Sol { static void main(String[] a) {} }", pair(&["Main.java"], "Sol")),
            (
                "java",
                "x.java",
                "class A { void main() {} } class Main { void main() {} }",
                pair(&["Main.java"], "Main"),
            ),
            ("java", "x.java", "", pair(&["Main.java"], "Main")),
        ];
        for (code, name, text, wanted) in lone {
            assert_eq!(laid(code, &[(name, text)], None), Ok(wanted), "{code} {text}");
        }
    }

    #[test]
    fn the_entry_is_the_declared_file_then_the_default_then_main_then_the_first() {
        let files = [("a.py", ""), ("MAIN.py", ""), ("__main__.py", ""), ("b/main.py", "")];
        let entry =
            |files: &[(&str, &str)], declared| laid("python3", files, declared).map(|(_, entry)| entry);
        assert_eq!(entry(&files, Some("a.py")).unwrap(), "a.py");
        assert_eq!(entry(&files, None).unwrap(), "__main__.py");
        assert_eq!(entry(&files[..2], None).unwrap(), "MAIN.py");
        assert_eq!(entry(&[("z.py", ""), ("y.py", "")], None).unwrap(), "y.py");
        assert_eq!(entry(&files, Some("c.py")), Err(Unbuildable::NoEntry("c.py".into())));
        assert_eq!(entry(&[("a.py", "")], Some("a.py")).unwrap(), "a.py");
    }

    #[test]
    fn a_packages_files_replace_those_handed_in_and_keep_their_names_apart() {
        let table = Table::embedded();
        let (_mine, mine) = handed_in(&[("sum.c", "mine")]);
        let (_theirs, theirs) = handed_in(&[("main.c", "theirs"), ("sum.h", "")]);
        let program = Program::new(table.get("c").unwrap(), &mine, Some(&theirs), None).unwrap();
        assert_eq!(program.sources().collect::<Vec<_>>(), ["main.c", "sum.c"]);
        let (_clash, clash) = handed_in(&[("sum.c", "theirs")]);
        let program = Program::new(table.get("c").unwrap(), &mine, Some(&clash), None).unwrap();
        assert_eq!(program.files[Path::new("sum.c")], clash.root.join("sum.c"));
    }

    #[test]
    fn a_packages_files_are_run_only_under_the_default_name() {
        let table = Table::embedded();
        let python = table.get("python3").unwrap();
        let (_mine, mine) = handed_in(&[("right.py", "")]);
        for (theirs, entry) in [("factor.py", "right.py"), ("__main__.py", "__main__.py")] {
            let (_theirs, theirs) = handed_in(&[(theirs, "")]);
            assert_eq!(Program::new(python, &mine, Some(&theirs), None).unwrap().entry, entry);
        }
    }

    #[test]
    fn equal_lone_files_are_one_program_and_others_are_not() {
        let table = Table::embedded();
        let digest = |files: &[(&str, &str)]| {
            let (_home, source) = handed_in(files);
            Program::new(table.get("c").unwrap(), &source, None, None).unwrap().digest().unwrap()
        };
        assert_eq!(digest(&[("anna.c", "int x;")]), digest(&[("ben.c", "int x;")]));
        assert_ne!(digest(&[("anna.c", "int x;")]), digest(&[("anna.c", "int y;")]));
        assert_ne!(digest(&[("a.c", ""), ("b.c", "x")]), digest(&[("a.c", "x"), ("b.c", "")]));
    }

    #[test]
    fn what_no_compiler_can_be_given_is_refused() {
        use std::os::unix::ffi::OsStrExt;
        let table = Table::embedded();
        let refused = |files: &[&std::ffi::OsStr]| {
            let source = Source { root: "/nowhere".into(), files: files.iter().map(PathBuf::from).collect() };
            Program::new(table.get("c").unwrap(), &source, None, None).map(drop).unwrap_err().to_string()
        };
        let name = |bytes: &'static [u8]| std::ffi::OsStr::from_bytes(bytes);
        assert_eq!(refused(&[name(b"a.c"), name(b"\xff.c")]), "the name of \u{fffd}.c is not UTF-8");
        assert_eq!(refused(&[name(b"a.c"), name(b"../b.c")]), "../b.c does not lie among the files");
        assert_eq!(refused(&[name(b"a.c"), name(b".program")]), "a file must not be called .program");
        assert_eq!(refused(&[name(b"a.h"), name(b"b.h")]), "no file ends in .c");
    }
}
