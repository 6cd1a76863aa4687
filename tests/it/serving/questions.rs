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
    // Nothing listens there.
    let options = ["--server", "127.0.0.1:1", "--allow", "java,c,python3"];
    let (code, out, err) =
        ended(&desk.kopek(&[&["pack", "--for", "coderunner", "sum"], &options[..]].concat()));
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("cannot ask 127.0.0.1:1 for its languages: connect"), "{err}");
    let texts = ["kopek-type.xml", "kopek-questions.xml"]
        .map(|file| fs::read_to_string(desk.path().join(file)).unwrap());
    let files = texts.each_ref().map(|text| roxmltree::Document::parse(text).unwrap());
    let questions = files.each_ref().map(|xml| {
        let all = xml.descendants().filter(|node| node.attribute("type") == Some("coderunner"));
        let all: Vec<_> = all.collect();
        assert_eq!(all.len(), 1);
        all[0]
    });
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
    assert_eq!(value(0, "sandboxparams"), r#"{"jobeserver":"127.0.0.1:1"}"#);
    assert!(value(0, "template").contains("{{ STUDENT_ANSWER | json_encode }}"));
    assert_eq!((value(1, "name"), value(1, "defaultgrade")), ("Sum & more".into(), "100".into()));
    let statement = value(1, "questiontext");
    assert!(
        statement.contains(r"<em>all</em> \(n &lt; 9\) numbers")
            && statement.contains("data:image/svg+xml;base64,"),
        "{statement}"
    );
    assert!(
        statement.contains("Time limit: 1 s") && statement.contains("<pre tabindex=\"0\">1 2\n</pre>"),
        "{statement}"
    );
    assert!(statement.contains("<h4>Sample 1</h4>") && !statement.contains("<h1>"), "{statement}");
    assert_eq!(value(1, "acelang"), "java*,c,python3");
    assert_eq!([0, 1].map(|at| value(at, "testsplitterre")), [r"|#<ab@17943918#@>#\n|ms"; 2]);
    assert!(value(1, "answer").ends_with("# a < b & c"));
    assert_eq!(
        value(1, "templateparams"),
        r#"{"answer_language":"python3","feedback":"","language":"java","package":"sum"}"#
    );
    assert!(!texts[1].contains("7000001"), "tests stay with the server");
    assert_eq!(questions[1].descendants().filter(|node| node.has_tag_name("testcase")).count(), 1);
}

#[test]
fn programs_read_which_files_were_written() {
    let desk = desk();
    let (code, out, err) =
        ended(&desk.kopek(&["pack", "--for", "coderunner", "sum", "--allow", "c", "--format", "json"]));
    assert_eq!(code, 0, "{out}{err}");
    let expected = json!([{
        "packages": ["sum"],
        "system": "CodeRunner",
        "file": "./kopek-questions.xml",
        "type_file": "./kopek-type.xml",
    }]);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), expected);
}

#[test]
fn a_server_is_for_coderunner_only() {
    let desk = desk();
    let (code, _, err) = ended(&desk.kopek(&["pack", "--for", "kattis", "sum", "--server", "x:1"]));
    assert!(code == 2 && err.contains("--server and --allow are for CodeRunner only"), "{err}");
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
    let value = |file: &str, name: &str| {
        let text = fs::read_to_string(desk.path().join(file)).unwrap();
        let xml = roxmltree::Document::parse(&text).unwrap();
        let element = xml.descendants().find(|node| node.has_tag_name(name));
        element.and_then(|node| node.text()).unwrap_or_default().to_owned()
    };
    let parameters: Value = serde_json::from_str(&value("kopek-questions.xml", "templateparams")).unwrap();
    let answer = value("kopek-questions.xml", "answer")
        + "\nprint(\"'</script>{{ 7 }} é\", file=__import__('sys').stderr)\n";
    let server = Server::start(&desk, &["--problems", "."]);
    for precheck in ["0", "1"] {
        let variables = json!({
            "QUESTION": {"parameters": parameters}, "STUDENT_ANSWER": answer, "ANSWER_LANGUAGE": "python3",
            "IS_PRECHECK": precheck,
        });
        let program = render_twig(&value("kopek-type.xml", "template"), &variables);
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
