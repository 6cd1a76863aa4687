//! The rows of documents: a PDF or Markdown is built like a program, from TeX. TeX is untrusted text, so it is read in
//! a compiler's box, where it starts no programs and reads no files outside.

use super::{
    answers_row::row_of_answers,
    resources::Machine,
    sources::{lay_out, no_toolchain_here, task_of},
};
use crate::toolchains::find_tools;
use kopek_base::Bytes;
use kopek_package::language::{EntryPoint, FileBytes, Language, ReadyLanguage};
use kopek_plan::plan::{BuildTask, Unplanned};
use kopek_sandbox::Limits;
use std::time::Duration;

/// Converts figures for TeX and typesets the document twice, because references are known in the second run.
/// Only the PDF is kept.
const TYPESET: &str = "
entry=$1 stem=$2 tex=$3 svg=$4
find . -name '*.svg' >.figures
while read -r figure; do
    \"$svg\" -f pdf -o \"${figure%.svg}-svg.pdf\" \"$figure\" || exit 1
done <.figures
typeset() {
    \"$tex\" -no-shell-escape -interaction=nonstopmode -halt-on-error -file-line-error \"$entry\" </dev/null >.said 2>&1
}
typeset && typeset || { cat .said >&2; exit 1; }
find . -type f ! -name \"$stem.pdf\" -exec rm -f {} + 2>/dev/null || :
";

/// Pandoc reads the definitions before the statement, as one text. Its other output formats keep HTML, which the page
/// would show as text.
const CONVERT: &str = "
entry=$1 pandoc=$2
\"$pandoc\" --from=latex --to=commonmark-raw_html+tex_math_dollars+pipe_tables+strikeout --wrap=preserve \\
    --shift-heading-level-by=1 --output=statement.md definitions.tex \"$entry\" </dev/null || exit 1
find . -type f ! -name statement.md -exec rm -f {} + 2>/dev/null || :
";

/// Far more than a statement needs.
const DOCUMENT_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory: Bytes::mib(1024),
    output: Bytes::mib(8),
    files: Bytes::mib(128),
    processes: 64,
};

/// Files of Debian's TeX, and of the one with its own installer, that their programs do not name.
const NEEDS: [&str; 4] = ["/etc/texmf", "/var/lib/texmf", "/etc/fonts", "/var/cache/fontconfig"];

/// Rewritten whenever a TeX package is installed or changed.
const SURROUNDINGS: [&str; 1] = ["/usr/local/texlive/*/texmf-var/web2c"];
const PARTS: [&str; 1] = ["/usr/local/texlive/*/texmf-dist/ls-R"];

/// `p` allows no files above the box, and no absolute paths. All PDFs have the same date; otherwise two of
/// the same text would differ.
const ENVIRONMENT: [(&str, &str); 8] = [
    ("openin_any", "p"),
    ("openout_any", "p"),
    ("shell_escape", "f"),
    ("max_print_line", "1000"),
    ("SOURCE_DATE_EPOCH", "0"),
    ("FORCE_SOURCE_DATE", "1"),
    ("TEXMFVAR", "/box/.texmf-var"),
    ("TEXMFHOME", "/box/.texmf-home"),
];

/// The build of a document: all its files, and the main TeX file. Figures called `NAME.svg` become
/// `NAME-svg.pdf`.
pub fn plan_document(machine: &Machine, files: &FileBytes, entry: &str) -> Result<BuildTask, Unplanned> {
    let is_drawn = files.keys().any(|path| path.extension().is_some_and(|ending| ending == "svg"));
    plan_by(machine, &tex_row(is_drawn.then(svg_tool)), files, entry)
}

/// The build of `statement.md` from the main TeX file, after the macros in `definitions.tex`.
pub fn plan_markdown(machine: &Machine, files: &FileBytes, entry: &str) -> Result<BuildTask, Unplanned> {
    plan_by(machine, &pandoc_row(), files, entry)
}

fn plan_by(
    machine: &Machine,
    language: &Language,
    files: &FileBytes,
    entry: &str,
) -> Result<BuildTask, Unplanned> {
    let toolchain = machine.toolchain(language).map_err(no_toolchain_here)?;
    let layout = lay_out(language, files, None, Some(entry))?;
    task_of(machine, ReadyLanguage { row: language, toolchain: &toolchain }, layout, DOCUMENT_LIMITS)
}

/// Why documents cannot be built here; `None` if there is a TeX.
pub fn missing_tex(machine: &Machine) -> Option<String> {
    find_tools(&tex_row(None), &machine.toolchains.search).err().map(|missing| missing.what)
}

/// Why TeX cannot become Markdown here; `None` if there is a pandoc.
pub fn missing_pandoc(machine: &Machine) -> Option<String> {
    find_tools(&pandoc_row(), &machine.toolchains.search).err().map(|missing| missing.what)
}

/// Whether documents can contain SVG figures.
pub fn draws_svg(machine: &Machine) -> bool {
    find_tools(&tex_row(Some(svg_tool())), &machine.toolchains.search).is_ok()
}

/// Placeholder and candidate names of a tool.
type NamedTool = (String, Vec<String>);

fn svg_tool() -> NamedTool {
    ("svg".to_owned(), vec!["rsvg-convert".to_owned()])
}

fn pandoc_row() -> Language {
    Language {
        code: "pandoc".into(),
        name: "pandoc".into(),
        endings: vec![".tex".into()],
        entry: EntryPoint::File("document.tex".into()),
        tools: [("pandoc".to_owned(), vec!["pandoc".to_owned()])].into(),
        build: Some(["sh", "-c", CONVERT, "sh", "{entry}", "{pandoc}"].map(String::from).to_vec()),
        probe: ["{pandoc}", "--version"].map(String::from).to_vec(),
        ..row_of_answers()
    }
}

fn tex_row(more: Option<NamedTool>) -> Language {
    let engines = ["pdflatex", "lualatex", "xelatex"].map(String::from).to_vec();
    let mut build = ["sh", "-c", TYPESET, "sh", "{entry}", "{stem}", "{tex}"].map(String::from).to_vec();
    build.extend(more.iter().map(|(name, _)| format!("{{{name}}}")));
    Language {
        code: "tex".into(),
        name: "TeX".into(),
        endings: vec![".tex".into()],
        entry: EntryPoint::File("document.tex".into()),
        tools: [("tex".to_owned(), engines)].into_iter().chain(more).collect(),
        build: Some(build),
        probe: ["{tex}", "--version"].map(String::from).to_vec(),
        env: ENVIRONMENT.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        needs: NEEDS.map(Into::into).into(),
        parts: PARTS.map(Into::into).into(),
        surroundings: SURROUNDINGS.map(Into::into).into(),
        ..row_of_answers()
    }
}
