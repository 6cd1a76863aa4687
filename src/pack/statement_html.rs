//! A statement in Markdown as one HTML page that needs nothing else: formulas are MathML, figures are
//! inside. Nothing that the author wrote as HTML is let through.

use crate::base::wording::escape_markup;
use base64::{Engine, prelude::BASE64_STANDARD};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html::push_html};
use pulldown_latex::{Parser as Formula, RenderConfig, Storage, config::DisplayMode, push_mathml};
use std::{fs, path::Path};

const STYLE: &str = "body{max-width:46em;margin:2em auto;padding:0 1em;font:1rem/1.5 serif}\
table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #888;padding:.2em .6em;text-align:left}\
pre{background:#f4f4f4;padding:.5em;overflow:auto}\
.sample{width:100%;table-layout:fixed}.sample td{vertical-align:top}img{max-width:100%}";

/// A sample as people see it: a title and a text each.
pub(crate) struct SampleText {
    pub parts: Vec<(&'static str, String)>,
}

/// A statement in one language, constants filled in.
pub(crate) struct StatementText {
    pub title: String,
    /// Its code.
    pub language: String,
    pub markdown: String,
}

/// What statements may use beyond plain Markdown.
pub(crate) fn markdown_options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH
}

/// Renders it; samples stand where the text wants them, the rest at its end. `dir` has the figures.
pub(crate) fn render_page(statement: &StatementText, samples: &[SampleText], dir: &Path) -> String {
    let mut body = String::new();
    push_html(
        &mut body,
        Parser::new_ext(&statement.markdown, markdown_options()).map(|event| render_event(event, dir)),
    );
    let mut left = samples.iter().enumerate();
    while let Some(at) = body.find("{{nextsample}}") {
        let sample = left.next().map(|(index, one)| render_sample(index, one)).unwrap_or_default();
        body.replace_range(at..at + "{{nextsample}}".len(), &sample);
    }
    let rest: String = left.map(|(index, one)| render_sample(index, one)).collect();
    match body.contains("{{remainingsamples}}") {
        true => body = body.replacen("{{remainingsamples}}", &rest, 1),
        false => body += &rest,
    }
    let (title, language) = (escape_markup(&statement.title), escape_markup(&statement.language));
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

fn render_event<'a>(event: Event<'a>, dir: &Path) -> Event<'a> {
    match event {
        Event::InlineMath(text) => Event::InlineHtml(render_formula(&text, DisplayMode::Inline).into()),
        Event::DisplayMath(text) => Event::InlineHtml(render_formula(&text, DisplayMode::Block).into()),
        // Text gets escaped: a statement must not bring scripts into the judge's pages.
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Image { link_type, dest_url: embed_image(dest_url, dir), title, id })
        }
        other => other,
    }
}

fn render_formula(text: &str, display_mode: DisplayMode) -> String {
    let storage = Storage::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let mut mathml = String::new();
    match push_mathml(&mut mathml, Formula::new(text, &storage), config) {
        Ok(()) => mathml,
        Err(_) => format!("<code>{}</code>", escape_markup(text)),
    }
}

/// A figure of the package as a link that holds it.
fn embed_image<'a>(link: CowStr<'a>, dir: &Path) -> CowStr<'a> {
    let kind = match link.rsplit_once('.').map(|(_, ending)| ending) {
        Some("svg") => "svg+xml",
        Some("png") => "png",
        Some("jpg" | "jpeg") => "jpeg",
        _ => return link,
    };
    match read_below(dir, &link) {
        Some(bytes) => format!("data:image/{kind};base64,{}", BASE64_STANDARD.encode(bytes)).into(),
        None => link,
    }
}

/// A file of a directory. What leads out of it, by its path or by a link, is not read: a statement
/// could put any file of this machine into the page.
pub(crate) fn read_below(dir: &Path, path: &str) -> Option<Vec<u8>> {
    let file = dir.join(path).canonicalize().ok()?;
    if file.starts_with(dir.canonicalize().ok()?) { fs::read(file).ok() } else { None }
}

/// A table: input beside output, as contestants know it.
fn render_sample(index: usize, sample: &SampleText) -> String {
    let heads = sample.parts.iter().map(|(title, _)| format!("<th>{title}</th>")).collect::<String>();
    let texts = sample.parts.iter().map(|(_, text)| format!("<td><pre>{}</pre></td>", escape_markup(text)));
    let texts = texts.collect::<String>();
    format!(
        "<h2>Sample {}</h2>\n<table class=\"sample\"><tr>{heads}</tr>\n<tr>{texts}</tr></table>\n",
        index + 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_embeds_figures_of_its_directory_and_nothing_from_outside() {
        let home = tempfile::tempdir().unwrap();
        let (dir, outside) = (home.path().join("statement"), home.path().join("outside.png"));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("figure..1.png"), "figure").unwrap();
        fs::write(&outside, "secret").unwrap();
        std::os::unix::fs::symlink(&outside, dir.join("link.png")).unwrap();
        let embedded = |link: &str| embed_image(CowStr::from(link.to_owned()), &dir).into_string();
        assert_eq!(embedded("figure..1.png"), "data:image/png;base64,ZmlndXJl");
        for link in [outside.to_str().unwrap(), "../outside.png", "link.png", "missing.png"] {
            assert_eq!(embedded(link), link);
        }
    }

    #[test]
    fn a_page_has_formulas_and_samples_and_no_html_of_the_author() {
        let sample = SampleText { parts: vec![("Input", "1 < 2\n".into())] };
        let statement = StatementText {
            title: "A & B".into(),
            language: "en".into(),
            markdown: "$n \\le 5$ <b>x</b>\n\n{{nextsample}}\n\nend".into(),
        };
        let page = render_page(&statement, &[sample], Path::new("/"));
        for part in ["<math", "≤", "&lt;b&gt;", "A &amp; B", "<pre>1 &lt; 2\n</pre>"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(page.find("<pre>") < page.find("end"), "{page}");
    }
}
