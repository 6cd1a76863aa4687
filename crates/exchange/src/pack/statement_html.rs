//! A statement in Markdown as one self-contained HTML page: formulas are MathML, figures are
//! embedded. HTML of the author is shown as text, and links lead to the web only.

use base64::{Engine, prelude::BASE64_STANDARD};
use kopek_base::wording::escape_markup;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd, html::push_html};
use pulldown_latex::{Parser as Formula, RenderConfig, Storage, config::DisplayMode, push_mathml};
use std::{fs, path::Path};

const STYLE: &str = ":root{color-scheme:light dark}\
body{max-width:46em;margin:2em auto;padding:0 1em;font:1rem/1.5 serif;overflow-wrap:break-word}\
h1{margin-bottom:0}.limits{margin-top:0;opacity:.75}\
table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #888;padding:.2em .6em;text-align:left}\
.wide{overflow-x:auto}.formula{display:block;overflow:auto hidden;padding:.4em 0 .6em}\
pre{background:#8882;padding:.5em;margin:0;overflow:auto}\
.sample{width:100%;table-layout:fixed}.sample td{vertical-align:top}img{max-width:100%}\
@media(prefers-color-scheme:dark){img{background:#fff}}";

/// The page loads nothing and runs nothing. Tables and formulas have styles of their own.
const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A sample as readers see it.
pub struct SampleText {
    /// A title and a text each.
    pub parts: Vec<(&'static str, String)>,
}

/// A statement in one language, constants filled in.
pub struct StatementText {
    pub title: String,
    /// Time limit and memory limit, in a line.
    pub limits: String,
    pub language: String,
    pub markdown: String,
    pub formulas: FormulaForm,
}

/// How a page writes formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormulaForm {
    MathMl,
    /// `\(x\)`, for a site that renders TeX itself; its editor may not keep MathML.
    Tex,
}

impl FormulaForm {
    fn render(self, text: &str, mode: DisplayMode) -> String {
        match (self, mode) {
            (FormulaForm::MathMl, _) => render_formula(text, mode),
            (FormulaForm::Tex, DisplayMode::Inline) => format!("\\({}\\)", escape_markup(text)),
            (FormulaForm::Tex, DisplayMode::Block) => format!("\\[{}\\]", escape_markup(text)),
        }
    }
}

/// Extensions of Markdown in statements.
pub fn markdown_options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH
}

/// Renders it, with samples in their places and the others at the end. `dir` has the figures.
pub fn render_page(statement: &StatementText, samples: &[SampleText], dir: &Path) -> String {
    let mut body = String::new();
    let mut events = PageEvents { dir, formulas: statement.formulas, shown: Vec::new() };
    let parser = Parser::new_ext(&statement.markdown, markdown_options());
    push_html(&mut body, parser.filter_map(|event| events.render_event(event)));
    let mut body = focusable(&body);
    let mut left = samples.iter().enumerate();
    while let Some(at) = body.find("{{nextsample}}") {
        let sample = left.next().map(|(index, one)| render_sample(index, one)).unwrap_or_default();
        body.replace_range(at..at + "{{nextsample}}".len(), &sample);
    }
    let rest: String = left.map(|(index, one)| render_sample(index, one)).collect();
    if body.contains("{{remainingsamples}}") {
        body = body.replacen("{{remainingsamples}}", &rest, 1);
    } else {
        body += &rest;
    }
    let title = escape_markup(&statement.title);
    let language = escape_markup(&statement.language);
    let limits = escape_markup(&statement.limits);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head>\n<body>\n<main>\n<h1>{title}</h1>\n<p class=\"limits\">{limits}</p>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// Wide parts scroll, also by keyboard. HTML of the author is text by now.
fn focusable(body: &str) -> String {
    body.replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
}

/// The content of the page of a statement.
pub fn content_of_page(page: &str) -> &str {
    let content = page.split_once("<main>").map_or(page, |(_, content)| content);
    content.split_once("</main>").map_or(content, |(content, _)| content)
}

/// The events of a statement, without anything that is unsafe in a browser.
struct PageEvents<'a> {
    dir: &'a Path,
    formulas: FormulaForm,
    /// For each open link and image, whether it is shown as one; otherwise only its text is.
    shown: Vec<bool>,
}

impl PageEvents<'_> {
    fn render_event<'e>(&mut self, event: Event<'e>) -> Option<Event<'e>> {
        let event = match event {
            Event::InlineMath(text) => {
                Event::InlineHtml(self.formulas.render(&text, DisplayMode::Inline).into())
            }
            Event::DisplayMath(text) => {
                Event::InlineHtml(self.formulas.render(&text, DisplayMode::Block).into())
            }
            // Text gets escaped: a statement must not bring scripts into the judge's pages.
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let embedded = embed_image(&dest_url, self.dir);
                self.shown.push(embedded.is_some());
                Event::Start(Tag::Image { link_type, dest_url: embedded?.into(), title, id })
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let is_shown = link_type == LinkType::Email || is_web_link(&dest_url);
                self.shown.push(is_shown);
                is_shown.then_some(Event::Start(Tag::Link { link_type, dest_url, title, id }))?
            }
            Event::End(TagEnd::Image | TagEnd::Link) => self.shown.pop()?.then_some(event)?,
            other => other,
        };
        Some(event)
    }
}

/// Whether a link leads to the web or within the page. All others run something, lead into the reader's
/// own machine, or are broken in a page without its directory.
pub fn is_web_link(link: &str) -> bool {
    let link = link.to_ascii_lowercase();
    ["https://", "http://", "mailto:", "#"].iter().any(|start| link.starts_with(start))
}

fn render_formula(text: &str, display_mode: DisplayMode) -> String {
    let storage = Storage::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let mut mathml = String::new();
    match push_mathml(&mut mathml, Formula::new(text, &storage), config) {
        // Wider than a phone, it scrolls by itself.
        Ok(()) if display_mode == DisplayMode::Block => {
            format!("<span class=\"formula\" tabindex=\"0\">{mathml}</span>")
        }
        Ok(()) => mathml,
        Err(_) => format!("<code>{}</code>", escape_markup(text)),
    }
}

/// A figure of the package as a data URL; `None`: only its description is shown.
fn embed_image(link: &str, dir: &Path) -> Option<String> {
    // TeX names figures without their endings.
    let endings = ["", ".svg", ".png", ".jpg", ".jpeg"];
    endings.into_iter().find_map(|ending| {
        let file = format!("{link}{ending}");
        let kind = match file.rsplit_once('.')?.1 {
            "svg" => "svg+xml",
            "png" => "png",
            "jpg" | "jpeg" => "jpeg",
            _ => return None,
        };
        let bytes = read_below(dir, &file)?;
        Some(format!("data:image/{kind};base64,{}", BASE64_STANDARD.encode(bytes)))
    })
}

/// A file of a directory. A path or link out of the directory is not read: a statement could put any
/// file of this machine into the page.
pub fn read_below(dir: &Path, path: &str) -> Option<Vec<u8>> {
    let file = dir.join(path).canonicalize().ok()?;
    if file.starts_with(dir.canonicalize().ok()?) { fs::read(file).ok() } else { None }
}

/// A table: input beside output, as contestants know it.
fn render_sample(index: usize, sample: &SampleText) -> String {
    let heads = sample.parts.iter().map(|(title, _)| format!("<th>{title}</th>")).collect::<String>();
    let texts = sample
        .parts
        .iter()
        .map(|(_, text)| format!("<td><pre tabindex=\"0\">{}</pre></td>", escape_markup(text)));
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
        for link in ["figure..1.png", "figure..1"] {
            assert_eq!(embed_image(link, &dir).unwrap(), "data:image/png;base64,ZmlndXJl");
        }
        for link in [outside.to_str().unwrap(), "../outside.png", "link.png", "missing.png"] {
            assert_eq!(embed_image(link, &dir), None, "{link}");
        }
    }

    #[test]
    fn a_page_links_to_the_web_alone_and_loads_nothing() {
        let page = |markdown: &str| {
            let statement = StatementText {
                title: "x".into(),
                limits: "y".into(),
                language: "en".into(),
                markdown: markdown.into(),
                formulas: FormulaForm::MathMl,
            };
            render_page(&statement, &[], Path::new("/"))
        };
        let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
        assert!(
            page("").contains(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"))
        );
        for link in ["https://a.example/x", "HTTP://a.example", "mailto:a@b.example", "#input"] {
            assert!(
                page(&format!("[text]({link})")).contains(&format!("<a href=\"{link}\">text</a>")),
                "{link}"
            );
        }
        assert!(page("<a@b.example>").contains("<a href=\"mailto:a@b.example\">"));
        for link in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "<java&Tab;script:alert(1)>",
            "file:///etc/passwd",
            "data:text/html,x",
            "//a.example",
            "x.zip",
            "vbscript:x",
        ] {
            let page = page(&format!("[*some* text]({link}) [second][s]\n\n[s]: {link}"));
            assert!(!page.contains("<a ") && page.contains("<em>some</em> text second"), "{link}: {page}");
        }
        for image in ["https://a.example/x.png", "file:///x.png", "//a.example/x.svg", "missing.png", "x.gif"]
        {
            let page = page(&format!("![the *figure*]({image})"));
            assert!(!page.contains("<img") && page.contains("the <em>figure</em>"), "{image}: {page}");
        }
        let inside =
            page("![a [link](javascript:x) there](missing.png) [![alt](missing.png)](https://a.example)");
        assert!(inside.contains("a link there <a href=\"https://a.example\">alt</a>"), "{inside}");
    }

    #[test]
    fn a_page_has_formulas_and_samples_and_no_html_of_the_author() {
        let sample = SampleText { parts: vec![("Input", "1 < 2\n".into())] };
        let statement = StatementText {
            title: "A & B".into(),
            limits: "Time limit: 1 s".into(),
            language: "en".into(),
            markdown: "$n \\le 5$ <b>x</b>\n\n{{nextsample}}\n\nend".into(),
            formulas: FormulaForm::MathMl,
        };
        let page = render_page(&statement, &[sample], Path::new("/"));
        for part in [
            "<math",
            "≤",
            "&lt;b&gt;",
            "A &amp; B",
            "Time limit: 1 s",
            "<pre tabindex=\"0\">1 &lt; 2\n</pre>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(page.find("<pre ") < page.find("end"), "{page}");
    }
}
