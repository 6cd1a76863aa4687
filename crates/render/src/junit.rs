//! JUnit, as build systems read it: suites of test cases.

use kopek_base::wording::{escape_markup, without_control_characters, xml_characters};

/// Test cases that a build system lists together.
pub(super) struct Suite {
    /// Also the class of all its cases.
    pub name: String,
    pub cases: Vec<TestCase>,
}

pub(super) struct TestCase {
    pub name: String,
    pub end: TestEnd,
}

/// How a test case ended.
pub(super) enum TestEnd {
    Passed,
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
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    format!("{head}<testsuites name=\"{}\">\n{suites}</testsuites>\n", escape_xml(name))
}

impl Suite {
    fn element(&self) -> String {
        let count =
            |is_meant: fn(&TestEnd) -> bool| self.cases.iter().filter(|case| is_meant(&case.end)).count();
        let mut text = format!(
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
            escape_xml(&self.name),
            self.cases.len(),
            count(|end| matches!(end, TestEnd::Failed { .. })),
            count(|end| matches!(end, TestEnd::Open { .. })),
        );
        for case in &self.cases {
            text += &case.element(&self.name);
        }
        text + "</testsuite>\n"
    }
}

impl TestCase {
    fn element(&self, class: &str) -> String {
        let class = escape_xml(class);
        let name = escape_xml(&self.name);
        let inside = match &self.end {
            TestEnd::Passed => String::new(),
            TestEnd::Remarked(text) => format!("<system-out>{}</system-out>", escape_xml(text)),
            TestEnd::Failed { message, text } => body("failure", message, text),
            TestEnd::Open { message, text } => body("error", message, text),
        };
        let inside = if inside.is_empty() { inside } else { format!("\n    {inside}\n  ") };
        format!("  <testcase classname=\"{class}\" name=\"{name}\">{inside}</testcase>\n")
    }
}

fn body(element: &str, message: &str, text: &str) -> String {
    format!("<{element} message=\"{}\">{}</{element}>", escape_xml(message), escape_xml(text))
}

fn escape_xml(text: &str) -> String {
    escape_markup(&xml_characters(&without_control_characters(text)))
}
