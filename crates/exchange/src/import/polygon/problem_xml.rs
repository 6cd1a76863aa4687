//! `problem.xml` as plain data: refuses bombs, ignores unknown elements.

use crate::import::source::ForeignPackage;
use anyhow::{Context, Result, anyhow, bail, ensure};
use roxmltree::{Document, Node, ParsingOptions};
use std::str::FromStr;

pub const FILE: &str = "problem.xml";
/// A manifest has at most this number of elements.
const MAX_COUNT: u32 = 2_000_000;
/// The deepest nesting: readers of XML recurse.
const DEEPEST: usize = 64;

#[derive(Debug)]
pub struct PolygonManifest {
    pub name: String,
    pub url: Option<String>,
    pub titles: Vec<(String, String)>,
    /// Language, type and path.
    pub statements: Vec<(String, String, String)>,
    /// Input and output; empty: the standard stream.
    pub named_files: (String, String),
    /// How often a submission runs on a test.
    pub run_count: u32,
    pub percent: bool,
    pub testsets: Vec<PolygonTestSet>,
    /// Resources that are compiled with submissions.
    pub graders: Vec<String>,
    pub attachments: Vec<String>,
    pub executables: Vec<String>,
    /// The checker's name (`std::wcmp.cpp`) and source.
    pub checker: Option<(String, Option<String>)>,
    pub checker_tests: Option<PolygonTestSet>,
    pub interactor: Option<String>,
    pub validators: Vec<String>,
    pub validator_tests: Vec<PolygonTestSet>,
    pub solutions: Vec<PolygonSolution>,
    pub tags: Vec<String>,
    /// Elements without a counterpart that hold something.
    pub others: Vec<&'static str>,
}

#[derive(Debug)]
pub struct PolygonTestSet {
    /// `tests` counts.
    pub name: String,
    pub time_limit: Option<u64>,
    pub memory_limit: Option<u64>,
    /// `tests/%02d`.
    pub input: String,
    pub output: String,
    /// `tests/%02d.a`.
    pub answer: String,
    pub tests: Vec<PolygonTest>,
    pub groups: Vec<PolygonGroup>,
}

#[derive(Debug)]
pub struct PolygonTest {
    /// The generator's command; `None`: written by hand.
    pub cmd: Option<String>,
    /// Its index among the files of the command.
    pub from_file: Option<String>,
    pub sample: bool,
    pub group: Option<String>,
    pub points: Option<String>,
    pub description: Option<String>,
    /// Expected from a checker or validator.
    pub verdict: String,
    pub testset: Option<String>,
}

#[derive(Debug)]
pub struct PolygonGroup {
    pub name: String,
    pub points: Option<String>,
    /// `complete-group` or `each-test`.
    pub policy: String,
    /// What participants see.
    pub feedback: String,
    pub dependencies: Vec<String>,
}

#[derive(Debug)]
pub struct PolygonSolution {
    pub tag: String,
    pub path: String,
    /// Its language on Polygon: `cpp.g++17`.
    pub kind: String,
    /// Groups, and the tags of their claims.
    pub extra: Vec<(String, String)>,
}

pub fn read(source: &ForeignPackage) -> Result<PolygonManifest> {
    let text = source.read_text(FILE)?;
    check_depth(&text)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_COUNT, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options).map_err(|error| match error {
        roxmltree::Error::DtdDetected => {
            anyhow!("{FILE} declares a document type: refused, entities can grow without end; remove it")
        }
        other => anyhow!("{FILE} is not XML: {other}"),
    })?;
    let root = document.root_element();
    let name = root.tag_name().name();
    ensure!(name == "problem", "{FILE} is not of Polygon: its root is <{name}>, not <problem>");
    read_manifest(root)
}

/// The depth by counting tags, before anything recurses.
fn check_depth(text: &str) -> Result<()> {
    let mut depth = 0usize;
    for tag in text.split('<').skip(1) {
        match (tag.starts_with('/'), tag.starts_with(['!', '?']) || is_alone(tag)) {
            (true, _) => depth = depth.saturating_sub(1),
            (false, true) => {}
            (false, false) => depth += 1,
        }
        if depth > DEEPEST {
            bail!("{FILE}: elements nested deeper than {DEEPEST}: refused");
        }
    }
    Ok(())
}

/// Whether a tag closes itself; a `>` in quotes does not end it.
fn is_alone(tag: &str) -> bool {
    let mut quote = None;
    let mut last = ' ';
    for c in tag.chars() {
        match (quote, c) {
            (None, '>') => return last == '/',
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            (None | Some(_), _) => {}
        }
        last = c;
    }
    false
}

fn read_manifest(root: Node) -> Result<PolygonManifest> {
    let judging = child_named(root, "judging");
    let assets = child_named(root, "assets");
    let of_judging = |key: &str| judging.map(|node| attribute_text(node, key)).unwrap_or_default();
    let files = child_named(root, "files");
    let listed = |outer: &str, inner: &str| {
        let list = children_named(files.and_then(|node| child_named(node, outer)), inner);
        let path = |node: Node| source_path(node).or(filled_text(node, "path"));
        list.into_iter().filter_map(path).collect::<Vec<_>>()
    };
    let asset =
        |name: &str| assets.and_then(|node| child_named(node, name)).or_else(|| child_named(root, name));
    let mut validators = children_named(assets.and_then(|node| child_named(node, "validators")), "validator");
    validators.extend(children_named(assets, "validator"));
    let test_sets = |nodes: Vec<Node>| nodes.into_iter().map(read_test_set).collect::<Result<Vec<_>>>();
    let checker = asset("checker");
    let run_count = of_judging("run-count");
    Ok(PolygonManifest {
        name: attribute_text(root, "short-name"),
        url: filled_text(root, "url"),
        titles: read_list(root, "names", |node| {
            Some((filled_text(node, "language")?, filled_text(node, "value")?))
        }),
        statements: read_list(root, "statements", |node| {
            Some((filled_text(node, "language")?, attribute_text(node, "type"), filled_text(node, "path")?))
        }),
        named_files: (of_judging("input-file"), of_judging("output-file")),
        run_count: if run_count.is_empty() { 1 } else { parse_number("run-count", &run_count)? },
        percent: of_judging("treat-points-from-checker-as-percent") == "true",
        testsets: test_sets(children_named(judging, "testset"))?,
        graders: files.map(|node| read_list(node, "resources", read_grader)).unwrap_or_default(),
        attachments: listed("attachments", "file"),
        executables: listed("executables", "executable"),
        checker: checker.map(|node| (attribute_text(node, "name"), source_path(node))),
        checker_tests: test_sets(children_named(checker, "testset"))?.into_iter().next(),
        interactor: asset("interactor").and_then(source_path),
        validators: validators.iter().filter_map(|node| source_path(*node)).collect(),
        validator_tests: test_sets(
            validators.iter().filter_map(|node| child_named(*node, "testset")).collect(),
        )?,
        solutions: assets.map(|node| read_list(node, "solutions", read_solution)).unwrap_or_default(),
        tags: read_list(root, "tags", |node| filled_text(node, "value")),
        others: unknown_elements(root, assets),
    })
}

fn unknown_elements(root: Node, assets: Option<Node>) -> Vec<&'static str> {
    let of_root = ["tutorials", "stresses", "documents", "custom-scores"].map(|name| (Some(root), name));
    let all = of_root.into_iter().chain(["strategies", "scorer"].map(|name| (assets, name)));
    let holds = |node: Node, name: &str| child_named(node, name).is_some_and(|found| found.has_children());
    all.filter_map(|(node, name)| holds(node?, name).then_some(name)).collect()
}

fn read_test_set(node: Node) -> Result<PolygonTestSet> {
    let text = |name: &str| {
        child_named(node, name).and_then(|node| node.text()).unwrap_or_default().trim().to_owned()
    };
    let size = |name: &str| match text(name).as_str() {
        "" => Ok(None),
        digits => parse_number(name, digits).map(Some),
    };
    Ok(PolygonTestSet {
        name: attribute_text(node, "name"),
        time_limit: size("time-limit")?,
        memory_limit: size("memory-limit")?,
        input: text("input-path-pattern"),
        output: text("output-path-pattern"),
        answer: text("answer-path-pattern"),
        tests: read_list(node, "tests", |node| Some(read_test(node))),
        groups: read_list(node, "groups", |node| Some(read_group(node))),
    })
}

fn read_test(node: Node) -> PolygonTest {
    PolygonTest {
        cmd: filled_text(node, "cmd"),
        from_file: filled_text(node, "from-file"),
        sample: attribute_text(node, "sample") == "true",
        group: filled_text(node, "group"),
        points: filled_text(node, "points"),
        description: filled_text(node, "description"),
        verdict: attribute_text(node, "verdict").to_uppercase(),
        testset: filled_text(node, "testset"),
    }
}

fn read_group(node: Node) -> PolygonGroup {
    PolygonGroup {
        name: attribute_text(node, "name"),
        points: filled_text(node, "points"),
        policy: attribute_text(node, "points-policy"),
        feedback: attribute_text(node, "feedback-policy"),
        dependencies: read_list(node, "dependencies", |node| filled_text(node, "group")),
    }
}

fn read_solution(node: Node) -> Option<PolygonSolution> {
    let source = child_named(node, "source")?;
    Some(PolygonSolution {
        tag: attribute_text(node, "tag"),
        path: filled_text(source, "path")?,
        kind: attribute_text(source, "type"),
        extra: read_list(node, "extra-tags", |node| {
            Some((filled_text(node, "group")?, filled_text(node, "tag")?))
        }),
    })
}

/// A resource for solutions, by its path.
fn read_grader(node: Node) -> Option<String> {
    let mut assets = child_named(node, "assets")?.children();
    let is_for_solutions = assets.any(|asset| attribute_text(asset, "name").eq_ignore_ascii_case("solution"));
    filled_text(node, "path").filter(|_| is_for_solutions)
}

/// The path of `<source path="…">`, or of `<copy path="…">`.
fn source_path(node: Node) -> Option<String> {
    ["source", "copy"].iter().find_map(|name| filled_text(child_named(node, name)?, "path"))
}

fn parse_number<N: FromStr>(name: &str, text: &str) -> Result<N> {
    text.parse().ok().with_context(|| format!("{FILE}: `{name}` is {text:?}, not a number"))
}

/// An attribute; empty: there is none.
fn attribute_text(node: Node, key: &str) -> String {
    node.attribute(key).unwrap_or_default().trim().to_owned()
}

fn filled_text(node: Node, key: &str) -> Option<String> {
    Some(attribute_text(node, key)).filter(|text| !text.is_empty())
}

fn child_named<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// All such children of a node that may be missing.
fn children_named<'a, 'i>(node: Option<Node<'a, 'i>>, name: &str) -> Vec<Node<'a, 'i>> {
    let children = node.into_iter().flat_map(|node| node.children());
    children.filter(|child| child.has_tag_name(name)).collect()
}

fn read_list<T>(node: Node, name: &str, one: impl Fn(Node) -> Option<T>) -> Vec<T> {
    let items = child_named(node, name).into_iter().flat_map(|list| list.children());
    items.filter(Node::is_element).filter_map(one).collect()
}

/// `tests/%02d.a` and 7 to `tests/07.a`.
pub fn numbered_path(pattern: &str, number: usize) -> Result<String> {
    let odd = || format!("{FILE}: `{pattern}` is not a pattern like tests/%02d");
    let (before, rest) = pattern.split_once('%').with_context(odd)?;
    let (width, after) = rest.split_once('d').with_context(odd)?;
    // Bounded: a width of a billion would fill the memory with zeros.
    let width: usize =
        if width.is_empty() { 1 } else { width.parse().ok().filter(|w| *w < 10).with_context(odd)? };
    Ok(format!("{before}{number:0width$}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_a_test_by_its_number() {
        for (pattern, expected) in [("tests/%02d", "tests/07"), ("t/%d.a", "t/7.a"), ("%03d", "007")] {
            assert_eq!(numbered_path(pattern, 7).unwrap(), expected);
        }
        for odd in ["tests", "%s", "%0999999999d", ""] {
            assert!(numbered_path(odd, 7).unwrap_err().to_string().contains("not a pattern"));
        }
    }

    #[test]
    fn deep_nesting_is_refused_before_it_is_parsed() {
        assert!(check_depth(&"<a>".repeat(100_000)).is_err());
        assert!(check_depth(&"<a></a><b/><!-- x -->".repeat(10_000)).is_ok());
        assert!(check_depth(&"<test cmd=\"gen 1 > 5\"/>".repeat(100)).is_ok());
    }
}
