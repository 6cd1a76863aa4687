//! Reads `problem.xml`: refuses bombs, ignores unknown elements.

use super::problem_xml::{FILE, PolygonGroup, PolygonManifest, PolygonSolution, PolygonTest, PolygonTestSet};
use crate::import::source::ForeignPackage;
use anyhow::{Context, Result, bail, ensure};
use roxmltree::{Document, Node, ParsingOptions};
use std::str::FromStr;

/// A manifest has at most this number of elements.
const MOST: u32 = 2_000_000;
/// The deepest nesting: readers of XML recurse.
const DEEPEST: usize = 64;

pub fn read(source: &ForeignPackage) -> Result<PolygonManifest> {
    let text = source.read_text(FILE)?;
    check_depth(&text)?;
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

fn read_manifest(root: Node) -> Result<PolygonManifest> {
    let judging = child_named(root, "judging");
    let of_judging = |key: &str| judging.and_then(|node| attribute_text(node, key)).unwrap_or_default();
    let paths = |outer: &str, inner: &str| {
        let list = node_at(root, &["files", outer]).into_iter().flat_map(|node| children_named(node, inner));
        list.filter_map(|node| source_path(node).or(attribute_text(node, "path"))).collect::<Vec<_>>()
    };
    let assets = child_named(root, "assets");
    let asset =
        |name: &str| assets.and_then(|node| child_named(node, name)).or_else(|| child_named(root, name));
    let validators = validator_nodes(assets);
    let checker = asset("checker");
    let run_count = of_judging("run-count");
    Ok(PolygonManifest {
        name: attribute_text(root, "short-name").unwrap_or_default(),
        url: attribute_text(root, "url"),
        titles: read_list(root, "names", |node| {
            Some((attribute_text(node, "language")?, attribute_text(node, "value")?))
        }),
        statements: read_list(root, "statements", |node| {
            Some((
                attribute_text(node, "language")?,
                attribute_text(node, "type").unwrap_or_default(),
                attribute_text(node, "path")?,
            ))
        }),
        named_files: (of_judging("input-file"), of_judging("output-file")),
        run_count: if run_count.is_empty() { 1 } else { parse_number("run-count", &run_count)? },
        percent: of_judging("treat-points-from-checker-as-percent") == "true",
        testsets: judging
            .into_iter()
            .flat_map(|node| children_named(node, "testset"))
            .map(read_test_set)
            .collect::<Result<_>>()?,
        graders: node_at(root, &["files"])
            .map(|node| read_list(node, "resources", read_grader))
            .unwrap_or_default(),
        attachments: paths("attachments", "file"),
        executables: paths("executables", "executable"),
        checker: checker.map(|node| (attribute_text(node, "name").unwrap_or_default(), source_path(node))),
        checker_tests: checker
            .and_then(|node| child_named(node, "testset"))
            .map(read_test_set)
            .transpose()?,
        interactor: asset("interactor").and_then(source_path),
        validators: validators.iter().filter_map(|node| source_path(*node)).collect(),
        validator_tests: validators
            .iter()
            .filter_map(|node| child_named(*node, "testset"))
            .map(read_test_set)
            .collect::<Result<_>>()?,
        solutions: assets.map(|node| read_list(node, "solutions", read_solution)).unwrap_or_default(),
        tags: read_list(root, "tags", |node| attribute_text(node, "value")),
        others: unknown_elements(root, assets),
    })
}

fn validator_nodes<'a, 'i>(assets: Option<Node<'a, 'i>>) -> Vec<Node<'a, 'i>> {
    let list = assets.and_then(|node| child_named(node, "validators"));
    let places = [list, assets].into_iter().flatten();
    places.flat_map(|node| children_named(node, "validator")).collect()
}

fn unknown_elements(root: Node, assets: Option<Node>) -> Vec<&'static str> {
    let holds = |node: Option<Node>, name: &str| {
        node.and_then(|node| child_named(node, name)).is_some_and(|found| found.has_children())
    };
    let known = ["tutorials", "stresses", "documents", "custom-scores"];
    let mut found: Vec<&str> = known.into_iter().filter(|name| holds(Some(root), name)).collect();
    found.extend(["strategies", "scorer"].into_iter().filter(|name| holds(assets, name)));
    found
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
        name: attribute_text(node, "name").unwrap_or_default(),
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
    let filled = |key: &str| attribute_text(node, key).filter(|text| !text.is_empty());
    PolygonTest {
        cmd: filled("cmd"),
        from_file: filled("from-file"),
        sample: attribute_text(node, "sample").as_deref() == Some("true"),
        group: filled("group"),
        points: filled("points"),
        description: filled("description"),
        verdict: attribute_text(node, "verdict").unwrap_or_default().to_uppercase(),
        testset: filled("testset"),
    }
}

fn read_group(node: Node) -> PolygonGroup {
    let named = |node: Node| attribute_text(node, "group");
    PolygonGroup {
        name: attribute_text(node, "name").unwrap_or_default(),
        points: attribute_text(node, "points").filter(|text| !text.is_empty()),
        policy: attribute_text(node, "points-policy").unwrap_or_default(),
        feedback: attribute_text(node, "feedback-policy").unwrap_or_default(),
        dependencies: read_list(node, "dependencies", named),
    }
}

fn read_solution(node: Node) -> Option<PolygonSolution> {
    let source = child_named(node, "source")?;
    let extra = |node: Node| Some((attribute_text(node, "group")?, attribute_text(node, "tag")?));
    Some(PolygonSolution {
        tag: attribute_text(node, "tag").unwrap_or_default(),
        path: attribute_text(source, "path")?,
        kind: attribute_text(source, "type").unwrap_or_default(),
        extra: read_list(node, "extra-tags", extra),
    })
}

/// A resource for solutions, by its path.
fn read_grader(node: Node) -> Option<String> {
    let of_solutions = |asset: &Node| {
        attribute_text(*asset, "name").is_some_and(|name| name.eq_ignore_ascii_case("solution"))
    };
    let for_solutions =
        child_named(node, "assets").is_some_and(|assets| assets.children().any(|asset| of_solutions(&asset)));
    attribute_text(node, "path").filter(|_| for_solutions)
}

/// The path of `<source path="…">`, or of `<copy path="…">`.
fn source_path(node: Node) -> Option<String> {
    ["source", "copy"].iter().find_map(|name| attribute_text(child_named(node, name)?, "path"))
}

fn parse_number<N: FromStr>(name: &str, text: &str) -> Result<N> {
    text.parse().ok().with_context(|| format!("{FILE}: `{name}` is {text:?}, not a number"))
}

fn attribute_text(node: Node, key: &str) -> Option<String> {
    node.attribute(key).map(|text| text.trim().to_owned())
}

fn child_named<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn children_named<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Vec<Node<'a, 'i>> {
    node.children().filter(|child| child.has_tag_name(name)).collect()
}

fn node_at<'a, 'i>(node: Node<'a, 'i>, path: &[&str]) -> Option<Node<'a, 'i>> {
    path.iter().try_fold(node, |node, name| child_named(node, name))
}

fn read_list<T>(node: Node, name: &str, one: impl Fn(Node) -> Option<T>) -> Vec<T> {
    let inner = child_named(node, name).into_iter().flat_map(|list| list.children().collect::<Vec<_>>());
    inner.filter(Node::is_element).filter_map(one).collect()
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
