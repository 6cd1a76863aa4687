//! JUnit: suites of test cases, as build systems read them.

use kopek_base::wording::{escape_markup, without_control_characters};
use std::time::Duration;

/// Test cases that a build system lists together.
pub(super) struct Suite {
    pub name: String,
    /// The class of all its cases.
    pub class: String,
    pub properties: Vec<(&'static str, String)>,
    pub cases: Vec<TestCase>,
}

pub(super) struct TestCase {
    pub name: String,
    pub time: Option<Duration>,
    pub end: TestEnd,
}

/// How a test case ended.
pub(super) enum TestEnd {
    Passed,
    Skipped,
    /// Passed, with a remark.
    Remarked(String),
    Failed {
        message: String,
        text: String,
    },
    /// Undecided, so not a failure.
    Open {
        message: &'static str,
        text: String,
    },
}

/// A file of several suites.
pub(super) fn suites_xml(name: &str, suites: &[Suite]) -> String {
    let suites: String = suites.iter().map(Suite::element).collect();
    format!("{XML_HEAD}<testsuites name=\"{}\">\n{suites}</testsuites>\n", escape_xml(name))
}

/// A file of one suite.
pub(super) fn suite_xml(suite: &Suite) -> String {
    format!("{XML_HEAD}{}", suite.element())
}

const XML_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

impl Suite {
    fn element(&self) -> String {
        let count =
            |is_meant: fn(&TestEnd) -> bool| self.cases.iter().filter(|case| is_meant(&case.end)).count();
        let mut text = format!(
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
            escape_xml(&self.name),
            self.cases.len(),
            count(|end| matches!(end, TestEnd::Failed { .. })),
            count(|end| matches!(end, TestEnd::Open { .. })),
            count(|end| matches!(end, TestEnd::Skipped)),
        );
        if !self.properties.is_empty() {
            text += "  <properties>\n";
            for (name, value) in &self.properties {
                text += &format!("    <property name=\"{name}\" value=\"{}\"/>\n", escape_xml(value));
            }
            text += "  </properties>\n";
        }
        for case in &self.cases {
            text += &case.element(&self.class);
        }
        text + "</testsuite>\n"
    }
}

impl TestCase {
    fn element(&self, class: &str) -> String {
        let class = escape_xml(class);
        let name = escape_xml(&self.name);
        let time = match self.time {
            Some(time) => format!(" time=\"{:.3}\"", time.as_secs_f64()),
            None => String::new(),
        };
        let inside = match &self.end {
            TestEnd::Passed => String::new(),
            TestEnd::Skipped => "<skipped/>".to_owned(),
            TestEnd::Remarked(text) => format!("<system-out>{}</system-out>", escape_xml(text)),
            TestEnd::Failed { message, text } => body("failure", message, text),
            TestEnd::Open { message, text } => body("error", message, text),
        };
        let inside = if inside.is_empty() { inside } else { format!("\n    {inside}\n  ") };
        format!("  <testcase classname=\"{class}\" name=\"{name}\"{time}>{inside}</testcase>\n")
    }
}

fn body(element: &str, message: &str, text: &str) -> String {
    format!("<{element} message=\"{}\">{}</{element}>", escape_xml(message), escape_xml(text))
}

/// XML knows no control characters at all, escaped or not.
fn escape_xml(text: &str) -> String {
    escape_markup(&without_control_characters(text))
}
