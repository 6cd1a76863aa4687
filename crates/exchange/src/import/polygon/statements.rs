//! Titles and statements. The sections of a statement become one TeX file; without
//! sections, the PDF is copied, or the TeX of the whole.

use super::problem_xml::{FILE, PolygonManifest};
use crate::import::{
    draft::{Content, Draft, legal_name},
    source::ForeignPackage,
};
use anyhow::Result;
use std::{collections::BTreeMap, fmt::Write};

/// Names of languages on Polygon.
const CODES: &[(&str, &str)] = &[
    ("afrikaans", "af"),
    ("arabic", "ar"),
    ("armenian", "hy"),
    ("azerbaijani", "az"),
    ("belarusian", "be"),
    ("bengali", "bn"),
    ("bulgarian", "bg"),
    ("catalan", "ca"),
    ("chinese", "zh"),
    ("croatian", "hr"),
    ("czech", "cs"),
    ("danish", "da"),
    ("dutch", "nl"),
    ("english", "en"),
    ("estonian", "et"),
    ("finnish", "fi"),
    ("french", "fr"),
    ("georgian", "ka"),
    ("german", "de"),
    ("greek", "el"),
    ("hebrew", "he"),
    ("hindi", "hi"),
    ("hungarian", "hu"),
    ("indonesian", "id"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("kazakh", "kk"),
    ("korean", "ko"),
    ("kyrgyz", "ky"),
    ("latvian", "lv"),
    ("lithuanian", "lt"),
    ("macedonian", "mk"),
    ("mongolian", "mn"),
    ("norwegian", "no"),
    ("persian", "fa"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("romanian", "ro"),
    ("russian", "ru"),
    ("serbian", "sr"),
    ("slovak", "sk"),
    ("slovenian", "sl"),
    ("spanish", "es"),
    ("swedish", "sv"),
    ("tajik", "tg"),
    ("thai", "th"),
    ("turkish", "tr"),
    ("turkmen", "tk"),
    ("ukrainian", "uk"),
    ("uzbek", "uz"),
    ("vietnamese", "vi"),
];
/// Sections in order, and their headings.
const SECTIONS: &[(&str, &str)] = &[
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Notes"),
];

/// The code of a language, from its name on Polygon or from a code.
pub fn language_code(language: &str) -> Option<String> {
    let known = CODES.iter().find(|(name, _)| *name == language).map(|(_, code)| (*code).to_owned());
    known.or((language.len() == 2).then(|| language.to_ascii_lowercase()))
}

pub fn add_statements(source: &ForeignPackage, manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    let mut titles = BTreeMap::new();
    for (language, title) in &manifest.titles {
        match language_code(language) {
            Some(code) => drop(titles.insert(code, (language.as_str(), title.clone()))),
            None => draft.changes.add_loss(
                format!("{FILE}: names"),
                format!("the language `{language}` is not known"),
                "its title is left out",
            ),
        }
    }
    for (code, (language, title)) in &titles {
        add_statement(source, manifest, &Title { code, language, title }, draft)?;
    }
    draft.titles = titles.into_iter().map(|(code, (_, title))| (code, title)).collect();
    if draft.titles.is_empty() {
        let name = if manifest.name.is_empty() { "Problem" } else { &manifest.name };
        draft.titles.insert("en".into(), name.to_owned());
    }
    Ok(())
}

/// A title and its language, as a code and as in the source.
struct Title<'a> {
    code: &'a str,
    language: &'a str,
    title: &'a str,
}

/// Adds the statement of a language, if there is one.
fn add_statement(
    source: &ForeignPackage,
    manifest: &PolygonManifest,
    title: &Title,
    draft: &mut Draft,
) -> Result<()> {
    let Title { code, language, title } = *title;
    let dir = format!("statement-sections/{language}");
    if source.has(&format!("{dir}/legend.tex")) {
        let text = join_sections(source, &dir, title)?;
        draft.files.insert(format!("statement/problem.{code}.tex"), Content::Text(text));
        add_pictures(source, &dir, code, draft)?;
        report_tutorial(source, &dir, draft);
        return Ok(());
    }
    let of = |kind: &str| {
        let mine = manifest.statements.iter().filter(|(lang, ..)| lang == language);
        mine.filter(|(_, own, _)| own.contains(kind)).map(|(.., path)| path).find(|path| source.has(path))
    };
    let ready =
        [("pdf", "pdf"), ("tex", "tex")].into_iter().find_map(|(kind, ending)| Some((of(kind)?, ending)));
    let Some((path, ending)) = ready else { return Ok(()) };
    draft.files.insert(format!("statement/problem.{code}.{ending}"), Content::File(source.path_of(path)?));
    if ending == "tex" {
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        add_pictures(source, dir, code, draft)?;
        draft.changes.add_change(
            path,
            "a statement for olymp.sty",
            "it is copied as it is; its commands need that style",
        );
    }
    Ok(())
}

fn join_sections(source: &ForeignPackage, dir: &str, title: &str) -> Result<String> {
    let mut text = format!("\\problemname{{{title}}}\n");
    for (name, heading) in SECTIONS {
        let path = format!("{dir}/{name}.tex");
        let body = if source.has(&path) { source.read_text(&path)? } else { String::new() };
        if body.trim().is_empty() {
            continue;
        }
        if !heading.is_empty() {
            let _ = write!(text, "\n\\section*{{{heading}}}\n");
        }
        let _ = writeln!(text, "\n{}", body.trim_end());
    }
    Ok(text)
}

/// All languages share a directory: equal names of other languages get the code as a prefix.
fn add_pictures(source: &ForeignPackage, dir: &str, code: &str, draft: &mut Draft) -> Result<()> {
    let is_picture = |name: &&str| {
        ["png", "jpg", "jpeg", "svg", "eps", "pdf", "gif"]
            .iter()
            .any(|end| name.to_lowercase().ends_with(&format!(".{end}")))
    };
    for name in source.names_in(dir).filter(is_picture) {
        let at = format!("{dir}/{name}");
        let picture = Content::File(source.path_of(&at)?);
        let path = format!("statement/{}", legal_name(name));
        match draft.files.get(&path) {
            Some(other) if *other != picture => {
                draft.changes.add_change(
                    at,
                    format!("a picture whose name another language uses, too ({code})"),
                    "the first one is taken for both",
                );
            }
            Some(_) | None => drop(draft.files.insert(path, picture)),
        }
    }
    Ok(())
}

fn report_tutorial(source: &ForeignPackage, dir: &str, draft: &mut Draft) {
    let path = format!("{dir}/tutorial.tex");
    if let Ok(file) = source.path_of(&path) {
        let name = legal_name(&path.replace('/', "-").replace("statement-sections-", ""));
        draft.files.insert(format!("solution/{name}"), Content::File(file));
    }
}
