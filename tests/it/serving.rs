//! Chapter: the server for Moodle, by its protocol and as a process.

mod exam;
mod protocol;
mod questions;
mod server;

pub use questions::answer_page;

use kopek::{
    package::{self, Package},
    serve::{ClientReply, ClientRequest, ProtocolServer, Route},
};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// A package whose sum is judged in two groups.
const SUM: [(&str, &str); 14] = [
    (
        "problem.yaml",
        "problem_format_version: 2025-09\ntype: scoring\nname: Sum & more\nuuid: 5ca6ba5b-9ad5-4a49-8ac0-3a1c2a4f2a4e\n\
         limits:\n  time_limit: 1\n",
    ),
    ("statement/problem.en.md", "Add *all* $n < 9$ numbers; ![a figure](plot.svg).\n"),
    ("statement/plot.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
    ("data/sample/1.in", "1 2\n"),
    ("data/sample/1.ans", "3\n"),
    ("data/secret/test_group.yaml", "max_score: 100\nscore_aggregation: sum\n"),
    ("data/secret/small/test_group.yaml", "max_score: 40\nscore_aggregation: pass-fail\n"),
    ("data/secret/small/1.in", "4 3\n"),
    ("data/secret/small/1.ans", "7\n"),
    ("data/secret/small/2.in", "0 0\n"),
    ("data/secret/small/2.ans", "0\n"),
    ("data/secret/large/test_group.yaml", "max_score: 60\nscore_aggregation: pass-fail\n"),
    ("data/secret/large/1.in", "7000000 1\n"),
    ("data/secret/large/1.ans", "7000001\n"),
];

fn write_sum(dir: &Path) {
    for (path, text) in SUM {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn read_package(dir: &Path) -> Package {
    package::read(dir).unwrap().package.unwrap()
}

/// A request below the root of the protocol.
fn ask(service: &ProtocolServer, method: &str, below: &str, body: &str) -> ClientReply {
    let route = Route::parse(&format!("/jobe/index.php/restapi/{below}"));
    let request = ClientRequest { method, route: &route, body: body.into() };
    service.answer(request, &|| true).expect("the client waits")
}

/// The body of a request that judges with a package.
fn judge_body(language: Value, file: &str, source: &str, feedback: &str) -> String {
    let program =
        json!({"package": "sum", "language": language, "file": file, "source": source, "feedback": feedback});
    run_body("kopek", &program.to_string())
}

fn run_body(language: &str, source: &str) -> String {
    json!({"run_spec": {"language_id": language, "sourcecode": source}}).to_string()
}
