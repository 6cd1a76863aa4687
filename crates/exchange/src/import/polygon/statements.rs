//! Titles and statements. The sections of a statement become one TeX file; without
//! sections, the PDF is copied, or the TeX of the whole.

use super::problem_xml::{FILE, PolygonManifest};
use crate::import::{
    draft::Draft,
    draft_files::{Content, legal_name},
};
use anyhow::Result;
use std::{collections::BTreeMap, fmt::Write};

/// Names of languages on Polygon, each followed by its code.
const CODES: &str = "afrikaans af arabic ar armenian hy azerbaijani az belarusian be bengali bn bulgarian bg \
                     catalan ca chinese zh croatian hr czech cs danish da dutch nl english en estonian et \
                     finnish fi french fr georgian ka german de greek el hebrew he hindi hi hungarian hu \
                     indonesian id italian it japanese ja kazakh kk korean ko kyrgyz ky latvian lv lithuanian lt \
                     macedonian mk mongolian mn norwegian no persian fa polish pl portuguese pt romanian ro \
                     russian ru serbian sr slovak sk slovenian sl spanish es swedish sv tajik tg thai th \
                     turkish tr turkmen tk ukrainian uk uzbek uz vietnamese vi";
/// Sections in order, and their headings.
const SECTIONS: &[(&str, &str)] = &[
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Notes"),
];
const PICTURES: [&str; 7] = [".png", ".jpg", ".jpeg", ".svg", ".eps", ".pdf", ".gif"];

/// The code of a language, from its name on Polygon or from a code.
fn language_code(language: &str) -> Option<String> {
    let mut words = CODES.split(' ');
    if words.any(|word| word == language && word.len() > 2) {
        return words.next().map(str::to_owned);
    }
    if language.len() == 2 { Some(language.to_ascii_lowercase()) } else { None }
}

pub fn add_statements(manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    let mut titles = BTreeMap::new();
    for (language, title) in &manifest.titles {
        if let Some(code) = language_code(language) {
            titles.insert(code, (language, title));
        } else {
            let what = format!("the language `{language}` is not known");
            draft.lost(format!("{FILE}: names"), what, "its title is left out");
        }
    }
    for (code, (language, title)) in titles {
        add_statement(manifest, language, &code, title, draft)?;
        draft.titles.insert(code, title.clone());
    }
    if draft.titles.is_empty() {
        let name = if manifest.name.is_empty() { "Problem" } else { &manifest.name };
        draft.titles.insert("en".into(), name.to_owned());
    }
    Ok(())
}

/// Adds the statement of a language, if there is one.
fn add_statement(
    manifest: &PolygonManifest,
    language: &str,
    code: &str,
    title: &str,
    draft: &mut Draft,
) -> Result<()> {
    let source = draft.source();
    let dir = format!("statement-sections/{language}");
    if source.has(&format!("{dir}/legend.tex")) {
        let text = Content::Text(join_sections(draft, &dir, title)?);
        draft.files.insert(format!("statement/problem.{code}.tex"), text);
        add_pictures(&dir, code, draft)?;
        if source.has(&format!("{dir}/tutorial.tex")) {
            let name = legal_name(&format!("{language}-tutorial.tex"));
            draft.copy(&format!("{dir}/tutorial.tex"), format!("solution/{name}"))?;
        }
        return Ok(());
    }
    for kind in ["pdf", "tex"] {
        let mut mine = manifest.statements.iter().filter(|(other, ..)| other == language);
        let Some((.., path)) = mine.find(|(_, own, path)| own.contains(kind) && source.has(path)) else {
            continue;
        };
        draft.copy(path, format!("statement/problem.{code}.{kind}"))?;
        if kind == "tex" {
            let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
            add_pictures(dir, code, draft)?;
            draft.changed(
                path,
                "a statement for olymp.sty",
                "it is copied as it is; its commands need that style",
            );
        }
        break;
    }
    Ok(())
}

fn join_sections(draft: &Draft, dir: &str, title: &str) -> Result<String> {
    let mut text = format!("\\problemname{{{title}}}\n");
    for (name, heading) in SECTIONS {
        let path = format!("{dir}/{name}.tex");
        let body = if draft.source().has(&path) { draft.source().read_text(&path)? } else { String::new() };
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

/// All languages share a directory.
fn add_pictures(dir: &str, code: &str, draft: &mut Draft) -> Result<()> {
    for name in draft.source().names_in(dir) {
        if !PICTURES.iter().any(|ending| name.to_lowercase().ends_with(ending)) {
            continue;
        }
        let at = format!("{dir}/{name}");
        let place = format!("statement/{}", legal_name(name));
        let picture = Content::File(draft.source().path_of(&at)?);
        if draft.files.get(&place).is_some_and(|other| *other != picture) {
            let what = format!("a picture whose name another language uses, too ({code})");
            draft.changed(at, what, "the first one is taken for both");
        } else {
            draft.files.insert(place, picture);
        }
    }
    Ok(())
}
