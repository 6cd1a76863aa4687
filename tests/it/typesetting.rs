//! Chapter: typesetting. Statements as PDF, by a fake TeX, and by a real one if installed.

use crate::{scratch, skip};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};
use tempfile::TempDir;

const FILES: &[(&str, &str)] = &[
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: {en: Sum & more, de: Summe}\n\
         uuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\nlimits: {time_limit: 1.5}\nconstants: {most: 9}\n",
    ),
    ("statement/problem.en.md", "Add $n \\le {{most}}$ numbers, 3% of them.\n\n![Two](two.svg)\n"),
    ("statement/problem.de.tex", "Addiere.\n\\illustration{0.3}{pic.png}{Bild}\n\\nextsample\n"),
    ("statement/pic.png", "a picture"),
    (
        "statement/two.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\"><rect width=\"5\" height=\"5\"/></svg>\n",
    ),
    ("data/sample/1.in", "1 < 2\n"),
    ("data/sample/1.ans", "3\n"),
    ("submissions/accepted/a.py", "print(3)\n"),
];

/// A fake TeX: complains about `\nonsense`, otherwise prints every file it sees.
const TEX: &str = r#"#!/bin/sh
[ "$1" != --version ] || { echo "stand-in for TeX 1"; exit 0; }
for entry; do :; done
if found=$(grep -n 'nonsense' ./*.tex | head -1) && [ -n "$found" ]; then
    rest=${found#*:}
    echo "This is no TeX"
    echo "${found%%:*}:${rest%%:*}: Undefined control sequence."
    printf 'l.%s %s\n' "${rest%%:*}" "${rest#*:}"
    exit 1
fi
{ echo "%PDF-1.4"; echo "called with $*"; env; ls /home /root 2>&1; for file in ./*; do echo "== $file"; cat "$file"; done; } >.made
mv .made "${entry%.tex}.pdf"
"#;

/// A fake pandoc, which prints how it was called and what it read.
const PANDOC: &str = "#!/bin/sh\n[ \"$1\" != --version ] || { echo pandoc 0; exit 0; }\n\
for entry; do :; done\nif grep -q nonsense \"$entry\"; then echo 'Error at line 1' >&2; exit 64; fi\n\
{ echo \"called with $*\"; ls; cat definitions.tex \"$entry\"; } >statement.md\n";

const RSVG: &str = "#!/bin/sh\n[ $1 = -f ] && cp \"$5\" \"$4\"\n";

fn package(more: &[(&str, &str)]) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    for (path, text) in FILES.iter().chain(more) {
        let path = home.path().join("sum").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    home
}

/// Directories with programs, made once: changing a program in use makes faults. Not below the
/// temporary directory, which is not shown to programs.
fn programs(name: &str) -> PathBuf {
    static MADE: OnceLock<()> = OnceLock::new();
    MADE.get_or_init(|| {
        write_programs("tex", &[("pdflatex", TEX)]);
        write_programs("tex-and-svg", &[("pdflatex", TEX), ("rsvg-convert", RSVG)]);
        write_programs("pandoc", &[("pandoc", PANDOC)]);
    });
    scratch::path(name).join("bin")
}

fn write_programs(name: &str, scripts: &[(&str, &str)]) {
    let bin = scratch::path(name).join("bin");
    fs::create_dir_all(&bin).unwrap();
    for (name, script) in scripts {
        fs::write(bin.join(name), script).unwrap();
        fs::set_permissions(bin.join(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
}

fn statement(home: &TempDir, bin: &Path, more: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.arg("statement").arg(home.path().join("sum")).arg("--store").arg(scratch::store());
    let Output { status, stdout, stderr } = command.args(more).env("PATH", bin).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn a_statement_in_markdown_becomes_a_pdf_with_limits_samples_and_figures() {
    let (home, bin) = (package(&[]), programs("tex-and-svg"));
    let file = home.path().join("sum.pdf");
    let (code, out, err) = statement(&home, &bin, &["--output", file.to_str().unwrap()]);
    assert!(code == 0 && out.trim_end().ends_with("sum.pdf") && err.is_empty(), "{err}");
    let made = fs::read_to_string(file).unwrap();
    for part in [
        "%PDF-1.4",
        "\\problemname{Sum \\& more}",
        "Time limit: 1.5 s",
        "$n \\le 9$ numbers, 3\\% of them",
        "\\kopekcode{1\\ \\textless{}\\ 2} & \\kopekcode{3}",
        "{two-svg.pdf}",
        "== ./two-svg.pdf",
        "\\remainingsamples",
    ] {
        assert!(made.contains(part), "{part}: {made}");
    }
}

#[test]
fn tex_may_call_no_program_and_read_nothing_from_elsewhere() {
    let (home, bin) = (package(&[]), programs("tex"));
    let (code, made, err) = statement(&home, &bin, &["--format", "pdf", "--language", "de"]);
    assert_eq!(code, 0, "{err}");
    for part in ["-no-shell-escape", "-halt-on-error", "openin_any=p", "openout_any=p", "shell_escape=f"] {
        assert!(made.contains(part), "{part}: {made}");
    }
    assert!(!made.contains("problem.en.md") && !made.contains("/.ssh"), "only its own files: {made}");
}

#[test]
fn a_statement_in_tex_is_set_with_the_files_beside_it() {
    let (home, bin) = (package(&[]), programs("tex"));
    let (code, made, err) = statement(&home, &bin, &["--format", "pdf", "--language", "de"]);
    assert_eq!(code, 0, "{err}");
    for part in ["\\problemname{Summe}Addiere.", "== ./pic.png\na picture", "\\input{problem.de.tex}"] {
        assert!(made.contains(part), "{part}: {made}");
    }
    let ready = package(&[("statement/problem.fr.pdf", "%PDF-1.4 by hand")]);
    let (code, made, _) = statement(&ready, Path::new("/nowhere"), &["--format", "pdf", "--language", "fr"]);
    assert_eq!((code, made.as_str()), (0, "%PDF-1.4 by hand"), "a PDF needs no TeX");
}

#[test]
fn a_statement_in_tex_becomes_a_page_by_pandoc() {
    let home = package(&[
        ("statement/parts/limits.tex", "at most {{most}}\n"),
        ("statement/problem.fr.tex", "\\nonsense\n"),
    ]);
    let (code, page, err) = statement(&home, &programs("pandoc"), &["--language", "de"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(err, "warning: statement/problem.de.tex was converted by pandoc: read the page\n");
    for part in [
        "<h1>Summe</h1>",
        "--from=latex",
        "definitions.tex parts problem.de.tex",
        "Addiere.",
        "<pre tabindex=\"0\">1 &lt; 2",
    ] {
        assert!(page.replace('\n', " ").contains(part), "{part}: {page}");
    }
    let (code, _, err) = statement(&home, &programs("pandoc"), &["--language", "fr"]);
    assert_eq!(
        (code, err.as_str()),
        (2, "error: statement/problem.fr.tex: pandoc failed: Error at line 1\n")
    );
    let (code, out, err) = statement(&home, Path::new("/nowhere"), &["--language", "de"]);
    assert!(
        code == 3 && out.is_empty() && err.contains("`pandoc`") && err.contains("install pandoc"),
        "{err}"
    );
}

#[test]
fn tex_shows_figures_in_svg_as_markdown_does() {
    let home = package(&[("statement/problem.de.tex", "\\includegraphics[width=2cm]{two.svg}\n")]);
    let arguments = ["--format", "pdf", "--language", "de"];
    let (code, made, err) = statement(&home, &programs("tex-and-svg"), &arguments);
    assert_eq!(code, 0, "{err}");
    for part in ["\\includegraphics[width=2cm]{two-svg.pdf}", "== ./two-svg.pdf"] {
        assert!(made.contains(part), "{part}: {made}");
    }
    let (code, _, err) = statement(&home, &programs("tex"), &arguments);
    assert_eq!(
        (code, err.as_str()),
        (2, "error: statement/problem.de.tex: shows two.svg; install librsvg2-bin for figures in SVG\n")
    );
}

#[test]
fn errors_of_tex_name_the_line_of_the_statement() {
    let bin = programs("tex");
    let markdown = "One.\n\nTwo\nthree $\\nonsense$.\n";
    let home = package(&[
        ("statement/problem.en.md", markdown),
        ("statement/problem.de.tex", "Eins\n\\nonsense zwei\n"),
        ("statement/problem.fr.md", "![Missing](no.png)\n"),
    ]);
    for (language, expected) in [
        ("en", "error: statement/problem.en.md:4: Undefined control sequence, at `three $\\nonsense$.`"),
        ("de", "error: statement/problem.de.tex:2: Undefined control sequence, at `\\nonsense zwei`"),
        ("fr", "error: statement/problem.fr.md: there is no figure no.png beside it"),
    ] {
        let (code, out, err) = statement(&home, &bin, &["--format", "pdf", "--language", language]);
        assert_eq!((code, out.as_str(), err.trim_end()), (2, "", expected));
    }
}

#[test]
fn without_tex_the_remedy_is_named_and_pages_are_made() {
    let (home, nowhere) = (package(&[]), Path::new("/nowhere"));
    let (code, out, err) = statement(&home, nowhere, &["--format", "pdf"]);
    assert!(code == 3 && out.is_empty(), "{err}");
    assert!(err.contains("`pdflatex`") && err.contains("install texlive-latex-recommended"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert_eq!(statement(&home, nowhere, &[]).0, 0);
}

#[test]
fn figures_that_cannot_be_shown_are_reported() {
    let (home, bin) = (package(&[]), programs("tex"));
    let (code, made, err) = statement(&home, &bin, &["--format", "pdf"]);
    assert!(code == 0 && made.contains("\\emph{Two}"), "{err}");
    assert!(err.contains("two.svg is not shown") && err.contains("librsvg2-bin"), "{err}");
}

#[test]
fn tex_itself_sets_a_statement_where_it_is_installed() {
    let path = PathBuf::from(std::env::var_os("PATH").unwrap());
    let has_tex = std::env::split_paths(&path).any(|dir| dir.join("pdflatex").is_file());
    if !has_tex {
        // Not required: the fake tests everything except TeX itself.
        return skip::note("skipped: no pdflatex here");
    }
    let home = package(&[
        (
            "statement/problem.en.md",
            "Add $n \\le 5$ — “numbers” ≤ 3.\n\n| a | b |\n|---|---|\n| 1 | `x_y` |\n",
        ),
        (
            "statement/problem.de.tex",
            "\\problemname{Summe}\nÜber\n\\begin{Input}\nZahlen\n\\end{Input}\n\\nextsample\n",
        ),
        ("statement/problem.fr.tex", "Un\n\ndeux \\nonsense\n"),
        ("statement/problem.pl.tex", "\\input{/etc/passwd}\n"),
        ("data/sample/1.in", "#$%&_{}~^\\<>|\"'`-- a\tb\n\n  x\n"),
    ]);
    for language in ["en", "de"] {
        let (code, made, err) = statement(&home, &path, &["--format", "pdf", "--language", language]);
        assert!(code == 0 && made.starts_with("%PDF-") && made.len() > 10_000, "{language}: {err}");
    }
    let (code, _, err) = statement(&home, &path, &["--format", "pdf", "--language", "fr"]);
    let expected = "error: statement/problem.fr.tex:3: Undefined control sequence, at `deux \\nonsense`";
    assert_eq!((code, err.trim_end()), (2, expected));
    let (code, _, err) = statement(&home, &path, &["--format", "pdf", "--language", "pl"]);
    assert!(code == 2 && err.contains("statement/problem.pl.tex:1: "), "{err}");
}
