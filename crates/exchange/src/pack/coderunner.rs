//! Packages as questions of Moodle's CodeRunner: one XML file with a prototype of our own, and a question for each package.
//! A server judges the answers with the package itself, so no test is in the file.

use super::{content_of_page, target::Target, title_in};
use kopek_base::wording::xml_characters;
use kopek_package::{
    language::{LanguageTable, detect_language},
    package::{Package, Submission},
    points::Points,
};
use serde::Serialize;
use serde_json::json;
use std::{fmt::Write, fs, path::PathBuf};

/// A package that becomes a question.
pub struct CoderunnerQuestion<'a> {
    pub package: &'a Package,
    /// The page of its statement.
    pub statement: String,
    /// Its points, if they have a maximum.
    pub max: Option<Points>,
    /// The codes of the languages that it allows, the default first.
    pub languages: Vec<String>,
}

/// Questions that were written.
#[derive(Debug, Clone, Serialize)]
pub struct PackedQuestions {
    pub packages: Vec<String>,
    #[serde(rename = "system")]
    pub target: Target,
    pub file: PathBuf,
    /// Their type, which a site imports first.
    pub type_file: PathBuf,
}

/// The name of the prototype.
const TYPE: &str = "kopek";

/// The template of all questions: the server reads this JSON as the program.
const TEMPLATE: &str = "{\"package\": {{ QUESTION.parameters.package | json_encode }}, \
    \"language\": {{ ANSWER_LANGUAGE | default(QUESTION.parameters.language) | json_encode }}, \
    \"feedback\": {{ QUESTION.parameters.feedback | default('') | json_encode }}, \
    \"precheck\": {{ IS_PRECHECK | default(0) }}, \"source\": {{ STUDENT_ANSWER | json_encode }}}";

const ABOUT: &str = "<p>Questions of this type are judged by <code>kopek serve</code> with a problem package. Template \
    parameters: <code>package</code>, the name of its folder on the server; <code>language</code>, if the question allows only \
    one; <code>feedback</code>: <code>brief</code>, <code>names</code> or empty, as the package says.</p>";

/// The languages of most courses, the first is preferred for model answers.
pub const USUAL_LANGUAGES: [&str; 4] = ["cpp", "c", "java", "python3"];

/// The file of the type. `server`: `HOST:PORT` of a server that is not the one of the site's settings.
pub fn coderunner_type(server: Option<&str>) -> String {
    let prototype = [
        ("coderunnertype", TYPE.to_owned()),
        ("prototypetype", "2".to_owned()),
        ("iscombinatortemplate", "1".to_owned()),
        ("template", TEMPLATE.to_owned()),
        ("grader", "TemplateGrader".to_owned()),
        ("language", "kopek".to_owned()),
        ("sandbox", "jobesandbox".to_owned()),
        ("sandboxparams", server.map(|server| json!({"jobeserver": server}).to_string()).unwrap_or_default()),
        ("allowmultiplestdins", "0".to_owned()),
        ("uiplugin", "ace".to_owned()),
        ("useace", "1".to_owned()),
    ];
    quiz(&question_element("PROTOTYPE_kopek", ABOUT, &prototype))
}

/// The file of the questions.
pub fn coderunner_questions(questions: &[CoderunnerQuestion]) -> String {
    quiz(&questions.iter().map(package_element).collect::<String>())
}

fn quiz(questions: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n<question type=\"category\"><category>\
         <text>$course$/top/kopek</text></category></question>\n{questions}</quiz>\n"
    )
}

fn package_element(question: &CoderunnerQuestion) -> String {
    let package = question.package;
    let answer = model_answer(package, &question.languages);
    let usual = question.languages.first().map(String::as_str).unwrap_or_default();
    let marked = |code: &String| if code == usual { format!("{code}*") } else { code.clone() };
    let editor = match question.languages.as_slice() {
        [only] => only.clone(),
        several => several.iter().map(marked).collect::<Vec<_>>().join(","),
    };
    let language = answer.as_ref().map(|answer| answer.language.as_str());
    let parameters = json!({
        "package": package.name, "language": usual, "feedback": "", "answer_language": language.unwrap_or(usual),
    });
    let max = question.max.as_ref().map_or("1.0000000".to_owned(), |max| format!("{max:.7}"));
    let validates = if answer.is_some() { "1" } else { "0" };
    let own = [
        ("coderunnertype", TYPE.to_owned()),
        ("prototypetype", "0".to_owned()),
        ("defaultgrade", max),
        ("acelang", editor),
        ("answer", answer.map(|answer| answer.text).unwrap_or_default()),
        ("validateonsave", validates.to_owned()),
        ("templateparams", parameters.to_string()),
    ];
    let title = title_in(package, "en");
    let name = if title.is_empty() { &package.name } else { &title };
    question_element(name, &body_of(&question.statement), &own)
}

/// The content of a page for the inside of another page, which has larger headings and its own style of tables.
fn body_of(page: &str) -> String {
    let body = content_of_page(page).trim();
    let mut body = body.replace("<table class=\"sample\">", "<table class=\"sample table table-bordered\">");
    for level in (1..=3).rev() {
        for tag in ["<h", "</h"] {
            body = body.replace(&format!("{tag}{level}>"), &format!("{tag}{}>", level + 2));
        }
    }
    body
}

/// An accepted submission that a question can show and check.
struct ModelAnswer {
    language: String,
    text: String,
}

/// An accepted submission that is one file in an allowed language.
fn model_answer(package: &Package, languages: &[String]) -> Option<ModelAnswer> {
    let table = LanguageTable::embedded();
    let answer = |submission: &Submission| {
        let [file] = submission.source.files.as_slice() else { return None };
        let row = detect_language(&table, &submission.source, submission.language.as_deref(), None).ok()?;
        let text = fs::read_to_string(submission.source.root.join(file)).ok()?;
        languages.contains(&row.code).then_some(ModelAnswer { language: row.code.clone(), text })
    };
    let rank = |answer: &ModelAnswer| USUAL_LANGUAGES.iter().position(|code| *code == answer.language);
    let accepted = package.submissions.iter().filter(|one| one.name.starts_with("accepted/"));
    accepted.filter_map(answer).min_by_key(|answer| rank(answer).unwrap_or(usize::MAX))
}

/// All elements of a question with their usual values, in the order in which CodeRunner exports them. A question without
/// `testsplitterre` cannot be saved, though only other graders use it.
const ELEMENTS: &str = "\
    defaultgrade=1.0000000 penalty=0.0000000 hidden=0 idnumber= coderunnertype= prototypetype= allornothing=0 \
    penaltyregime=0 precheck=0 hidecheck=0 showsource=0 answerboxlines=18 answerboxcolumns=100 answerpreload= \
    globalextra= useace= resultcolumns= template= iscombinatortemplate= allowmultiplestdins= answer= \
    validateonsave=0 testsplitterre=|#<ab@17943918#@>#\\n|ms language= acelang= sandbox= grader= cputimelimitsecs= memlimitmb= \
    sandboxparams= templateparams= hoisttemplateparams=1 extractcodefromjson=1 templateparamslang=None \
    templateparamsevalpertry=0 templateparamsevald= twigall=0 uiplugin= uiparameters= attachments=0 \
    attachmentsrequired=0 maxfilesize=0 filenamesregex= displayfeedback=1";

/// CodeRunner wants a test in each question; the tests of ours are with the server.
const TEST: &str = "<testcases><testcase testtype=\"0\" useasexample=\"0\" hiderestiffail=\"0\" mark=\"1.0000000\">\
    <testcode><text></text></testcode><stdin><text></text></stdin><expected><text></text></expected>\
    <extra><text></text></extra><display><text>SHOW</text></display></testcase></testcases>\n";

fn question_element(name: &str, text: &str, own: &[(&str, String)]) -> String {
    let mut xml = format!(
        "<question type=\"coderunner\">\n<name><text>{}</text></name>\n<questiontext format=\"html\"><text>{}</text>\
         </questiontext>\n<generalfeedback format=\"html\"><text></text></generalfeedback>\n",
        xml_text(name),
        xml_text(text)
    );
    for (element, usual) in ELEMENTS.split(' ').filter_map(|element| element.split_once('=')) {
        let given = own.iter().find(|(name, _)| *name == element).map(|(_, value)| value.as_str());
        let value = xml_text(given.unwrap_or(usual));
        let _ = writeln!(xml, "<{element}>{value}</{element}>");
    }
    xml + TEST + "</question>\n"
}

/// A text of an element. Moodle's parser drops blanks between two escaped characters, so it is not escaped.
fn xml_text(text: &str) -> String {
    let text = xml_characters(text);
    if text.contains(['<', '>', '&']) {
        format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_read_again_as_it_was() {
        for text in ["a", "x(\" \" + 1);\n\"a\"", "<b>u</b> <b>v</b>", "a[b[0]]>1 ]]>", "&amp; &lt;", ""] {
            let xml = format!("<a>{}</a>", xml_text(text));
            let read = roxmltree::Document::parse(&xml).unwrap();
            let texts = read.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
            assert_eq!(texts.collect::<String>(), text);
            assert!(!xml.contains("&quot;") && !xml.contains("&lt; "), "{xml}");
        }
        assert_eq!(xml_text("Sum\u{1}\u{b}\u{ffff}\n"), "Sum\u{fffd}\u{fffd}\u{fffd}\n");
    }
}
