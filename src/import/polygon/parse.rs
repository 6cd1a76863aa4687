//! `problem.xml` read: bombs are refused, what is not known is passed over.

use super::manifest::{FILE, Group, Manifest, Solution, Test, TestSet};
use crate::import::source::Source;
use anyhow::{Context, Result, bail, ensure};
use roxmltree::{Document, Node, ParsingOptions};
use std::str::FromStr;

/// More elements than this are no manifest.
const MOST: u32 = 2_000_000;
/// Elements are not nested deeper; readers of XML recurse.
const DEEPEST: usize = 64;

/// Reads it.
pub fn read(source: &Source) -> Result<Manifest> {
    let text = source.text(FILE)?;
    shallow(&text)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options).map_err(|error| match error {
        roxmltree::Error::DtdDetected => {
            anyhow::anyhow!(
                "{FILE} declares a document type: refused, entities can grow without end; remove it"
            )
        }
        other => anyhow::anyhow!("{FILE} is not XML: {other}"),
    })?;
    let root = document.root_element();
    ensure!(
        root.has_tag_name("problem"),
        "{FILE} is not of Polygon: its root is <{}>, not <problem>",
        root.tag_name().name()
    );
    manifest(root)
}

/// Depth by counting tags: before anything recurses.
fn shallow(text: &str) -> Result<()> {
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
    let (mut quote, mut last) = (None, ' ');
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

fn manifest(root: Node) -> Result<Manifest> {
    let judging = child(root, "judging");
    let of_judging = |key: &str| judging.and_then(|node| word(node, key)).unwrap_or_default();
    let paths = |outer: &str, inner: &str| {
        let list = at(root, &["files", outer]).into_iter().flat_map(|node| all(node, inner));
        list.filter_map(|node| source_path(node).or(word(node, "path"))).collect::<Vec<_>>()
    };
    let assets = child(root, "assets");
    let asset = |name: &str| assets.and_then(|node| child(node, name)).or_else(|| child(root, name));
    let validators = validators(assets);
    let checker = asset("checker");
    let run_count = of_judging("run-count");
    Ok(Manifest {
        name: word(root, "short-name").unwrap_or_default(),
        url: word(root, "url"),
        titles: listed(root, "names", |node| Some((word(node, "language")?, word(node, "value")?))),
        statements: listed(root, "statements", |node| {
            Some((word(node, "language")?, word(node, "type").unwrap_or_default(), word(node, "path")?))
        }),
        named_files: (of_judging("input-file"), of_judging("output-file")),
        run_count: if run_count.is_empty() { 1 } else { number("run-count", &run_count)? },
        percent: of_judging("treat-points-from-checker-as-percent") == "true",
        testsets: judging
            .into_iter()
            .flat_map(|node| all(node, "testset"))
            .map(test_set)
            .collect::<Result<_>>()?,
        graders: at(root, &["files"]).map(|node| listed(node, "resources", grader)).unwrap_or_default(),
        attachments: paths("attachments", "file"),
        executables: paths("executables", "executable"),
        checker: checker.map(|node| (word(node, "name").unwrap_or_default(), source_path(node))),
        checker_tests: checker.and_then(|node| child(node, "testset")).map(test_set).transpose()?,
        interactor: asset("interactor").and_then(source_path),
        validators: validators.iter().filter_map(|node| source_path(*node)).collect(),
        validator_tests: validators
            .iter()
            .filter_map(|node| child(*node, "testset"))
            .map(test_set)
            .collect::<Result<_>>()?,
        solutions: assets.map(|node| listed(node, "solutions", solution)).unwrap_or_default(),
        tags: listed(root, "tags", |node| word(node, "value")),
        others: others(root, assets),
    })
}

fn validators<'a, 'i>(assets: Option<Node<'a, 'i>>) -> Vec<Node<'a, 'i>> {
    let list = assets.and_then(|node| child(node, "validators"));
    let places = [list, assets].into_iter().flatten();
    places.flat_map(|node| all(node, "validator")).collect()
}

fn others(root: Node, assets: Option<Node>) -> Vec<&'static str> {
    let holds = |node: Option<Node>, name: &str| {
        node.and_then(|node| child(node, name)).is_some_and(|found| found.has_children())
    };
    let known = ["tutorials", "stresses", "documents", "custom-scores"];
    let mut found: Vec<&str> = known.into_iter().filter(|name| holds(Some(root), name)).collect();
    found.extend(["strategies", "scorer"].into_iter().filter(|name| holds(assets, name)));
    found
}

fn test_set(node: Node) -> Result<TestSet> {
    let text =
        |name: &str| child(node, name).and_then(|node| node.text()).unwrap_or_default().trim().to_owned();
    let size = |name: &str| match text(name).as_str() {
        "" => Ok(None),
        said => number(name, said).map(Some),
    };
    Ok(TestSet {
        name: word(node, "name").unwrap_or_default(),
        time_limit: size("time-limit")?,
        memory_limit: size("memory-limit")?,
        input: text("input-path-pattern"),
        output: text("output-path-pattern"),
        answer: text("answer-path-pattern"),
        tests: listed(node, "tests", |node| Some(test(node))),
        groups: listed(node, "groups", |node| Some(group(node))),
    })
}

fn test(node: Node) -> Test {
    let filled = |key: &str| word(node, key).filter(|text| !text.is_empty());
    Test {
        cmd: filled("cmd"),
        from_file: filled("from-file"),
        sample: word(node, "sample").as_deref() == Some("true"),
        group: filled("group"),
        points: filled("points"),
        description: filled("description"),
        verdict: word(node, "verdict").unwrap_or_default().to_uppercase(),
        testset: filled("testset"),
    }
}

fn group(node: Node) -> Group {
    let named = |node: Node| word(node, "group");
    Group {
        name: word(node, "name").unwrap_or_default(),
        points: word(node, "points").filter(|text| !text.is_empty()),
        policy: word(node, "points-policy").unwrap_or_default(),
        feedback: word(node, "feedback-policy").unwrap_or_default(),
        dependencies: listed(node, "dependencies", named),
    }
}

fn solution(node: Node) -> Option<Solution> {
    let source = child(node, "source")?;
    let extra = |node: Node| Some((word(node, "group")?, word(node, "tag")?));
    Some(Solution {
        tag: word(node, "tag").unwrap_or_default(),
        path: word(source, "path")?,
        kind: word(source, "type").unwrap_or_default(),
        extra: listed(node, "extra-tags", extra),
    })
}

/// A resource that solutions are given, by its path.
fn grader(node: Node) -> Option<String> {
    let of_solutions =
        |asset: &Node| word(*asset, "name").is_some_and(|name| name.eq_ignore_ascii_case("solution"));
    let given =
        child(node, "assets").is_some_and(|assets| assets.children().any(|asset| of_solutions(&asset)));
    word(node, "path").filter(|_| given)
}

/// The path of `<source path="…">`, or of `<copy path="…">`.
fn source_path(node: Node) -> Option<String> {
    ["source", "copy"].iter().find_map(|name| word(child(node, name)?, "path"))
}

fn number<N: FromStr>(name: &str, text: &str) -> Result<N> {
    text.parse().ok().with_context(|| format!("{FILE}: `{name}` is {text:?}, not a number"))
}

fn word(node: Node, key: &str) -> Option<String> {
    node.attribute(key).map(|text| text.trim().to_owned())
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn all<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Vec<Node<'a, 'i>> {
    node.children().filter(|child| child.has_tag_name(name)).collect()
}

fn at<'a, 'i>(node: Node<'a, 'i>, path: &[&str]) -> Option<Node<'a, 'i>> {
    path.iter().try_fold(node, |node, name| child(node, name))
}

/// What becomes of the elements within another.
fn listed<T>(node: Node, name: &str, one: impl Fn(Node) -> Option<T>) -> Vec<T> {
    let inner = child(node, name).into_iter().flat_map(|list| list.children().collect::<Vec<_>>());
    inner.filter(Node::is_element).filter_map(one).collect()
}

/// `tests/%02d.a` and 7 to `tests/07.a`.
pub fn numbered(pattern: &str, number: usize) -> Result<String> {
    let odd = || format!("{FILE}: `{pattern}` is not a pattern like tests/%02d");
    let (before, rest) = pattern.split_once('%').with_context(odd)?;
    let (width, after) = rest.split_once('d').with_context(odd)?;
    let width: usize =
        if width.is_empty() { 1 } else { width.parse().ok().filter(|w| *w < 10).with_context(odd)? };
    Ok(format!("{before}{number:0width$}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_a_test_by_its_number() {
        for (pattern, wanted) in [("tests/%02d", "tests/07"), ("t/%d.a", "t/7.a"), ("%03d", "007")] {
            assert_eq!(numbered(pattern, 7).unwrap(), wanted);
        }
        for odd in ["tests", "%s", "%0999999999d", ""] {
            assert!(numbered(odd, 7).unwrap_err().to_string().contains("not a pattern"));
        }
    }

    #[test]
    fn deep_nesting_is_refused_before_it_is_parsed() {
        assert!(shallow(&"<a>".repeat(100_000)).is_err());
        assert!(shallow(&"<a></a><b/><!-- x -->".repeat(10_000)).is_ok());
        assert!(shallow(&"<test cmd=\"gen 1 > 5\"/>".repeat(100)).is_ok());
    }
}
