//! `kopek pack --for coderunner`: the questions that Moodle imports.

use super::{run_body, server::Server, write_sum};
use crate::{
    home::{Desk, ended},
    skip,
};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// A desk with the package `sum` and a model answer.
fn desk() -> Desk {
    let desk = Desk::new();
    write_sum(&desk.path().join("sum"));
    desk.write("sum/submissions/accepted/sum.py", "print(sum(map(int, input().split())))  # a < b & c\n");
    desk
}

#[test]
fn a_package_becomes_a_question_with_its_statement_points_and_answer() {
    let desk = desk();
    let (code, out, err) =
        ended(&desk.kopek(&["pack", "--for", "coderunner", "sum", "--server", "judge.example:4000"]));
    assert_eq!(code, 0, "{out}{err}");
    let text = fs::read_to_string(desk.path().join("kopek-questions.xml")).unwrap();
    let xml = roxmltree::Document::parse(&text).unwrap();
    let questions: Vec<_> =
        xml.descendants().filter(|node| node.attribute("type") == Some("coderunner")).collect();
    assert_eq!(questions.len(), 2, "the prototype and the package");
    let value = |at: usize, name: &str| {
        let element = questions[at].descendants().find(|node| node.has_tag_name(name)).expect(name);
        element
            .descendants()
            .filter(|node| node.is_text())
            .filter_map(|node| node.text())
            .collect::<String>()
            .trim()
            .to_owned()
    };
    assert_eq!((value(0, "prototypetype"), value(0, "grader")), ("2".into(), "TemplateGrader".into()));
    assert_eq!(value(0, "sandboxparams"), r#"{"jobeserver":"judge.example:4000"}"#);
    assert!(value(0, "template").contains("{{ STUDENT_ANSWER | json_encode }}"));
    assert_eq!((value(1, "name"), value(1, "defaultgrade")), ("Sum & more".into(), "100".into()));
    let statement = value(1, "questiontext");
    assert!(
        statement.contains("<em>all</em>") && statement.contains("data:image/svg+xml;base64,"),
        "{statement}"
    );
    assert!(statement.contains("Time limit: 1 s") && statement.contains("<pre>1 2\n</pre>"), "{statement}");
    assert_eq!(value(1, "acelang"), "c,cpp,java,python3*");
    assert!(value(1, "answer").ends_with("# a < b & c"));
    assert_eq!(value(1, "templateparams"), r#"{"feedback":"","language":"python3","package":"sum"}"#);
    assert!(!text.contains("7000001"), "tests stay with the server");
    assert_eq!(questions[1].descendants().filter(|node| node.has_tag_name("testcase")).count(), 1);
}

#[test]
fn a_server_is_for_coderunner_only() {
    let desk = desk();
    let (code, _, err) = ended(&desk.kopek(&["pack", "--for", "kattis", "sum", "--server", "x:1"]));
    assert!(code == 2 && err.contains("--server is for CodeRunner only"), "{err}");
}

/// Renders a template as CodeRunner does; its variables come as JSON.
const RENDER: &str = "require '/usr/share/php/Twig/autoload.php';
    $given = json_decode(stream_get_contents(STDIN), true);
    $twig = new \\Twig\\Environment(new \\Twig\\Loader\\ArrayLoader(['t' => $given['template']]),
        ['autoescape' => false, 'strict_variables' => true]);
    echo $twig->render('t', $given['variables']);";

fn render_twig(template: &str, variables: &Value) -> String {
    let mut php = Command::new("php");
    let mut child = php
        .args(["-r", RENDER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("php is installed");
    let given = json!({"template": template, "variables": variables}).to_string();
    child.stdin.take().unwrap().write_all(given.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "needs Twig for PHP"]
fn a_template_that_twig_renders_is_a_request_that_the_server_answers() {
    if !Path::new("/usr/share/php/Twig/autoload.php").exists() {
        return skip::report("Twig for PHP is not installed: apt-get install php-twig");
    }
    let desk = desk();
    desk.kopek(&["pack", "--for", "coderunner", "sum"]);
    let text = fs::read_to_string(desk.path().join("kopek-questions.xml")).unwrap();
    let xml = roxmltree::Document::parse(&text).unwrap();
    let values = |name: &str| {
        let elements = xml.descendants().filter(|node| node.has_tag_name(name));
        elements.map(|node| node.text().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let parameters: Value = serde_json::from_str(&values("templateparams")[1]).unwrap();
    let answer =
        values("answer")[1].clone() + "\nprint(\"'</script>{{ 7 }} é\", file=__import__('sys').stderr)\n";
    let server = Server::start(&desk, &["--problems", "."]);
    for language in [None, Some("python3")] {
        let mut variables = json!({"QUESTION": {"parameters": parameters}, "STUDENT_ANSWER": answer});
        if let Some(language) = language {
            variables["ANSWER_LANGUAGE"] = language.into();
        }
        let program = render_twig(&values("template")[0], &variables);
        let (status, body) = server.send("POST", "runs", "", &run_body("kopek", &program));
        assert_eq!((status, &body["outcome"]), (200, &json!(15)), "{body}");
        let graded: Value = serde_json::from_str(body["stdout"].as_str().unwrap()).unwrap();
        assert_eq!(graded["fraction"], json!(1.0), "{graded}");
        let known = ["columnformats", "epiloguehtml", "fraction", "prologuehtml", "testresults"];
        assert!(graded.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{graded}");
    }
}

/// A page with the answer to a program of the example class, in the table that CodeRunner makes of it.
pub fn answer_page(file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let desk = Desk::new();
    let package = "from-russia-with-love";
    std::os::unix::fs::symlink(root.join("problems").join(package), desk.path().join(package)).unwrap();
    let source = fs::read_to_string(root.join("testdata/class").join(file)).unwrap();
    let program =
        json!({"package": package, "language": null, "file": file, "source": source, "feedback": ""});
    let server = Server::start(&desk, &["--problems", "."]);
    let (_, body) = server.send("POST", "runs", "", &run_body("kopek", &program.to_string()));
    let answer: Value = serde_json::from_str(body["stdout"].as_str().unwrap()).unwrap();
    let rows = answer["testresults"].as_array().unwrap();
    let cells = |row: &Value, tag: &str| -> String {
        let texts = row.as_array().unwrap()[1..].iter().map(|cell| cell.as_str().unwrap());
        texts.map(|text| format!("<{tag}>{text}</{tag}>")).collect()
    };
    let mut table = format!("<tr><th></th>{}</tr>", cells(&rows[0], "th"));
    for row in &rows[1..] {
        let mark = if row[0].as_f64() == Some(1.0) { "&#10003;" } else { "&#10007;" };
        table += &format!("<tr><td>{mark}</td>{}</tr>", cells(row, "td"));
    }
    let part = |name: &str| answer[name].as_str().unwrap().to_owned();
    format!(
        "<!DOCTYPE html><meta charset=utf-8><style>
         body {{ font: 15px sans-serif; margin: 0; padding: 16px; background: #fcefdc; color: #7d5a29 }}
         table {{ border-collapse: collapse; margin: 12px 0; color: #1d2125 }}
         th, td {{ border: 1px solid #b0a890; padding: 4px 8px; text-align: left; vertical-align: top }}
         th {{ background: #eee }} pre {{ white-space: pre-wrap; margin: 4px 0 }}</style>{}<table>{table}</table>{}",
        part("prologuehtml"),
        part("epiloguehtml")
    )
}
