//! Lays out sources for a build: the path of each file, and the entry point.

use super::{EntryPoint, Language, java_classes, scala_objects::objects_with_main, snapshot::FileBytes};
use kopek_base::{Digest, DigestFields};
use kopek_sentences::Said;
use std::path::{Component, Path, PathBuf};

/// The file that compilers produce. The dot distinguishes it from submitted files.
pub(super) const BINARY: &str = ".program";

/// Sources that are ready for a build.
#[derive(Debug, Clone)]
pub struct SourceLayout {
    /// By path in the box.
    pub files: FileBytes,
    /// The file or class to run; empty for a linked language.
    pub entry: String,
}

/// Why sources cannot be given to a compiler: a compile error with this text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unbuildable {
    /// A name that cannot be a command-line argument.
    #[error("the name of {0} is not UTF-8")]
    Name(String),
    /// A path that leaves the box.
    #[error("{0} is not among the files")]
    Outside(String),
    /// A name that is reserved.
    #[error("a file must not be called {0}")]
    Taken(String),
    /// The declared entry point does not exist.
    #[error("the entry point {0} is not among the files")]
    NoEntry(String),
    /// No file has an ending of the language.
    #[error("no file ends in {0}")]
    NoSource(String),
}

impl From<&Unbuildable> for Said {
    fn from(error: &Unbuildable) -> Said {
        match error {
            Unbuildable::Name(_) => Said::foreign(error.to_string()),
            Unbuildable::Outside(file) => Said::NotAmongFiles { file: file.clone() },
            Unbuildable::Taken(file) => Said::ReservedName { file: file.clone() },
            Unbuildable::NoEntry(file) => Said::NoEntryFile { file: file.clone() },
            Unbuildable::NoSource(endings) => Said::NoFileEndsIn { endings: endings.clone() },
        }
    }
}

impl SourceLayout {
    /// Lays out a submission's files, with a package's `include` over them. `entry` is the entry point that
    /// the submission declares.
    pub fn new(
        language: &Language,
        submission: &FileBytes,
        include: Option<&FileBytes>,
        entry: Option<&str>,
    ) -> Result<SourceLayout, Unbuildable> {
        let name = lone_name(language, submission, include, entry);
        let mut files = FileBytes::new();
        for (path, file) in submission {
            files.insert(name.clone().unwrap_or(path.clone()), file.clone());
        }
        // Last, because the format lets the package's files replace the submission's of the same name.
        files.extend(include.into_iter().flatten().map(|(path, file)| (path.clone(), file.clone())));
        check_paths(language, &files)?;
        let entry = choose_entry(language, &files, entry, submission)?;
        Ok(SourceLayout { files, entry })
    }

    /// The digest of the layout and the entry point, for keys of jobs. Two lone files with equal text are the
    /// same program, whatever their names.
    pub fn digest(&self) -> Digest {
        let mut fields = DigestFields::new("program").with("entry", self.entry.as_bytes());
        for (inside, file) in &self.files {
            fields = fields.with("file", inside.as_os_str().as_encoded_bytes());
            fields = fields.with("contents", file.digest.to_string().as_bytes());
            if file.executable {
                fields = fields.with("executable", b"");
            }
        }
        fields.digest()
    }
}

/// Files with an ending of the language.
pub(super) fn sources_of<'a>(
    language: &'a Language,
    files: impl Iterator<Item = &'a PathBuf>,
) -> impl Iterator<Item = &'a str> {
    files.filter_map(|file| file.to_str()).filter(|file| language.owns(file))
}

fn check_paths(language: &Language, files: &FileBytes) -> Result<(), Unbuildable> {
    if let Some(odd) = files.keys().find(|file| file.to_str().is_none()) {
        return Err(Unbuildable::Name(odd.to_string_lossy().into_owned()));
    }
    let inside = |file: &&PathBuf| file.components().all(|part| matches!(part, Component::Normal(_)));
    if let Some(odd) = files.keys().find(|file| !inside(file)) {
        return Err(Unbuildable::Outside(odd.to_string_lossy().into_owned()));
    }
    if files.keys().any(|file| file.starts_with(BINARY)) {
        return Err(Unbuildable::Taken(BINARY.into()));
    }
    if sources_of(language, files.keys()).next().is_none() {
        return Err(Unbuildable::NoSource(language.endings.join(", ")));
    }
    Ok(())
}

fn choose_entry(
    language: &Language,
    files: &FileBytes,
    declared: Option<&str>,
    own: &FileBytes,
) -> Result<String, Unbuildable> {
    match &language.entry {
        EntryPoint::Linked => Ok(String::new()),
        EntryPoint::Class(default) | EntryPoint::Object(default) => {
            Ok(declared.map_or_else(|| main_class(language, files, default), String::from))
        }
        EntryPoint::File(default) => match declared {
            Some(file) if files.contains_key(Path::new(file)) => Ok(file.to_owned()),
            Some(file) => Err(Unbuildable::NoEntry(file.to_owned())),
            None => Ok(main_file(language, files, default, own)),
        },
    }
}

/// The default name or one like it, from the package or the submission; else the first of the submission's
/// own files. A package's driver must have the default name, so its other files are there to be imported.
fn main_file(language: &Language, files: &FileBytes, default: &str, own: &FileBytes) -> String {
    let sources = || sources_of(language, files.keys());
    let is_main = |file: &&str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("main."))
    };
    let of_own = |file: &&str| own.contains_key(Path::new(file));
    let by_name = sources().find(|file| *file == default).or_else(|| sources().find(is_main));
    let chosen = by_name.or_else(|| sources().find(of_own)).or_else(|| sources().next());
    chosen.unwrap_or(default).to_owned()
}

/// The default class if the sources declare it, else the only one with a `main`, else the default.
fn main_class(language: &Language, files: &FileBytes, default: &str) -> String {
    // In such a row (Kotlin) the compiler names a class after the file: no source declares it.
    if language.lone.is_some() {
        return default.to_owned();
    }
    let texts = files.iter().filter(|(path, _)| path.to_str().is_some_and(|path| language.owns(path)));
    let mains: Vec<String> = texts
        .flat_map(|(_, file)| {
            let text = String::from_utf8_lossy(&file.bytes);
            match language.entry {
                EntryPoint::Object(_) => objects_with_main(&text),
                EntryPoint::Linked | EntryPoint::File(_) | EntryPoint::Class(_) => {
                    java_classes::classes_with_main(&text)
                }
            }
        })
        .collect();
    let is_default = |class: &&String| class.rsplit('.').next() == Some(default);
    let chosen = mains.iter().find(is_default).or(mains.first());
    chosen.map_or_else(|| default.to_owned(), String::clone)
}

/// The name for a lone file. It replaces the author's name: compilers then cannot object to the name, their
/// messages do not reveal it, and equal files are one program. Files that are combined with a package's files
/// keep their names, because the package may refer to them. So does a script that refers to its own name.
fn lone_name(
    language: &Language,
    submission: &FileBytes,
    include: Option<&FileBytes>,
    entry: Option<&str>,
) -> Option<PathBuf> {
    let (path, file) = submission.first_key_value().filter(|_| submission.len() == 1)?;
    let ending = language.endings.first()?;
    let joined = include.is_some_and(|files| !files.is_empty());
    // Files that are not run, such as submitted outputs, are found by their names.
    if language.run.is_empty() {
        return None;
    }
    let name = match (&language.lone, &language.entry) {
        (None, EntryPoint::Class(default)) => {
            // The compiler demands a file named after its public class, combined or not.
            let public = java_classes::public_class(&String::from_utf8_lossy(&file.bytes));
            public.or((!joined).then(|| default.clone())).map(|class| class + ending)
        }
        _ if joined => None,
        (Some(name), _) => Some(name.clone()),
        (None, EntryPoint::File(_)) if asks_for_its_name(language, path, &file.bytes) => None,
        (None, EntryPoint::File(name)) => Some(name.clone()).filter(|_| entry.is_none()),
        (None, EntryPoint::Linked | EntryPoint::Object(_)) => Some(format!("main{ending}")),
    };
    name.filter(|_| path.to_str().is_some_and(|file| language.owns(file))).map(PathBuf::from)
}

/// Whether a program can find out its file name. A name that a command could take for an option is not kept.
fn asks_for_its_name(language: &Language, path: &Path, text: &[u8]) -> bool {
    let is_said = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    let stem = path.file_stem().map(|stem| stem.as_encoded_bytes()).unwrap_or_default();
    let imports_itself = || !stem.is_empty() && is_said(&[b"import ", stem].concat());
    !language.own_name.is_empty()
        && !path.to_string_lossy().starts_with('-')
        && (language.own_name.iter().any(|word| is_said(word.as_bytes())) || imports_itself())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{LanguageTable, snapshot::SourceFile};

    fn handed_in(files: &[(&str, &str)]) -> FileBytes {
        files.iter().map(|(name, text)| (PathBuf::from(name), SourceFile::new(text.as_bytes()))).collect()
    }

    fn laid(
        code: &str,
        files: &[(&str, &str)],
        entry: Option<&str>,
    ) -> Result<(Vec<String>, String), Unbuildable> {
        let table = LanguageTable::embedded();
        let language = table.get(code).unwrap();
        let layout = SourceLayout::new(language, &handed_in(files), None, entry)?;
        Ok((sources_of(language, layout.files.keys()).map(String::from).collect(), layout.entry.clone()))
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
            ("python3", "x.py", "print(__file__)", pair(&["x.py"], "x.py")),
            ("python3", "x y.py", "import sys; print(sys.argv[0])", pair(&["x y.py"], "x y.py")),
            ("python3", "sum.py", "from sum import f", pair(&["__main__.py"], "__main__.py")),
            ("python3", "sum.py", "import sum", pair(&["sum.py"], "sum.py")),
            ("python3", "-x.py", "__file__", pair(&["__main__.py"], "__main__.py")),
            ("ruby", "x.rb", "puts $0", pair(&["x.rb"], "x.rb")),
            ("kotlin", "x.kt", "fun main() {}", pair(&["main.kt"], "MainKt")),
            ("scala", "x.scala", "object Sum extends App {}", pair(&["main.scala"], "Sum")),
            ("scala", "x.scala", "", pair(&["main.scala"], "Main")),
            ("swift", "main.swift", "@main struct Sum {}", pair(&["program.swift"], "")),
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
        let table = LanguageTable::embedded();
        let c = table.get("c").unwrap();
        let mine = handed_in(&[("sum.c", "mine")]);
        let theirs = handed_in(&[("main.c", "theirs"), ("sum.h", "")]);
        let layout = SourceLayout::new(c, &mine, Some(&theirs), None).unwrap();
        assert_eq!(sources_of(c, layout.files.keys()).collect::<Vec<_>>(), ["main.c", "sum.c"]);
        let clash = handed_in(&[("sum.c", "theirs")]);
        let layout = SourceLayout::new(c, &mine, Some(&clash), None).unwrap();
        assert_eq!(layout.files[Path::new("sum.c")], clash[Path::new("sum.c")]);
    }

    #[test]
    fn a_packages_files_are_run_only_under_the_default_name() {
        let table = LanguageTable::embedded();
        let python = table.get("python3").unwrap();
        let mine = handed_in(&[("right.py", "")]);
        for (theirs, entry) in [("factor.py", "right.py"), ("__main__.py", "__main__.py")] {
            let theirs = handed_in(&[(theirs, "")]);
            assert_eq!(SourceLayout::new(python, &mine, Some(&theirs), None).unwrap().entry, entry);
        }
    }

    #[test]
    fn equal_lone_files_are_one_program_and_others_are_not() {
        let table = LanguageTable::embedded();
        let digest = |files: &[(&str, &str)]| {
            SourceLayout::new(table.get("c").unwrap(), &handed_in(files), None, None).unwrap().digest()
        };
        assert_eq!(digest(&[("anna.c", "int x;")]), digest(&[("ben.c", "int x;")]));
        assert_ne!(digest(&[("anna.c", "int x;")]), digest(&[("anna.c", "int y;")]));
        assert_ne!(digest(&[("a.c", ""), ("b.c", "x")]), digest(&[("a.c", "x"), ("b.c", "")]));
    }

    #[test]
    fn file_names_that_no_compiler_takes_are_refused() {
        use std::os::unix::ffi::OsStrExt;
        let table = LanguageTable::embedded();
        let refused = |files: &[&std::ffi::OsStr]| {
            let files = files.iter().map(|name| (PathBuf::from(name), SourceFile::new(b""))).collect();
            SourceLayout::new(table.get("c").unwrap(), &files, None, None).map(drop).unwrap_err().to_string()
        };
        let name = |bytes: &'static [u8]| std::ffi::OsStr::from_bytes(bytes);
        assert_eq!(refused(&[name(b"a.c"), name(b"\xff.c")]), "the name of \u{fffd}.c is not UTF-8");
        assert_eq!(refused(&[name(b"a.c"), name(b"../b.c")]), "../b.c is not among the files");
        assert_eq!(refused(&[name(b"a.c"), name(b".program")]), "a file must not be called .program");
        assert_eq!(refused(&[name(b"a.h"), name(b"b.h")]), "no file ends in .c");
    }
}
