//! The directories of `data/`: their names now and in earlier versions, and their order.

use super::{
    directory_rules::{ChildKind, ChildRule, DirectoryRule},
    recipe::RecipeFindings,
};

/// Children of `data/`, in processing order.
const ROOTS: [&str; 8] = [
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
    "fuzz",
];

/// Their names in recipes of earlier versions.
const OLD_ROOTS: [(&str, &str); 4] = [
    ("invalid_inputs", "invalid_input"),
    ("invalid_answers", "invalid_answer"),
    ("invalid_outputs", "invalid_output"),
    ("valid_outputs", "valid_output"),
];

/// Advice for the directory in which earlier versions kept inputs, answers and outputs that validators must refuse.
const MOVE_BAD: &str = "move its cases to `invalid_input`, `invalid_answer` or `invalid_output`";

/// Puts the children of `data/` into processing order; an unknown child is an error.
pub(super) fn order_roots(root: &mut DirectoryRule, findings: &mut RecipeFindings) {
    root.children.retain(|child| !matches!(child.what, ChildKind::Empty));
    let place = |child: &ChildRule| ROOTS.iter().position(|name| *name == child.key);
    for child in root.children.iter().filter(|child| place(child).is_none()) {
        findings.error(child.line, format!("`{}` is not a directory of `data/`", child.key));
        let old = OLD_ROOTS.iter().find(|(old, _)| *old == child.key);
        findings.hint(match old {
            Some((_, new)) => format!("write `{new}`"),
            None if child.key == "bad" => MOVE_BAD.to_owned(),
            None => format!("there are {}", ROOTS.join(", ")),
        });
    }
    root.children.retain(|child| place(child).is_some());
    root.children.sort_by_key(place);
    for child in &root.children {
        if matches!(child.what, ChildKind::Case(_)) {
            findings.error(child.line, format!("`{}` must be a directory, not a test case", child.key));
        }
    }
}
