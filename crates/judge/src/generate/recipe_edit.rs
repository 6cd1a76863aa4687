//! Adds a case to the text of a recipe: only lines are added; comments and layout are kept. If that is not possible,
//! the error says what to write by hand.

use super::recipe::{Recipe, RecipeCase, RecipeInputs};
use kopek_package::package::Level;

/// The source of a new case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewCase {
    Literal(String),
    /// A complete command of a generator.
    Command(String),
    /// A file below `generators/`, without its extension.
    Copy(String),
}

/// A recipe with a new case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedRecipe {
    pub text: String,
    /// Path of the case below `data/`.
    pub case: String,
    /// How many lines were added.
    pub lines: usize,
}

/// Adds a case at the end of a group. `Err`: why that is not possible, and what to do instead.
pub(super) fn add_case(
    text: &str,
    inputs: &RecipeInputs,
    group: &str,
    name: &str,
    new: &NewCase,
) -> Result<EditedRecipe, String> {
    let (before, _) = Recipe::read(text.as_bytes(), inputs);
    let Some(folder) = before.folders.iter().find(|folder| folder.path == group) else {
        let groups: Vec<&str> = before.folders.iter().map(|folder| folder.path.as_str()).collect();
        return Err(format!(
            "the recipe has no group {group}; it has {}",
            groups[1.min(groups.len())..].join(", ")
        ));
    };
    let mut lines: Vec<&str> = text.lines().collect();
    let by_hand = || format!("add it by hand to {group}:\n{}", rule_lines(0, name, new).join("\n"));
    let place = find_place(&lines, folder.line as usize - 1).ok_or_else(by_hand)?;
    let list_lines = if place.is_list { listed_lines } else { rule_lines };
    let rule = list_lines(place.indent, name, new);
    lines.splice(place.line..place.line, rule.iter().map(String::as_str));
    let edited = lines.join("\n") + "\n";
    // The edited text is read again as a check: comments and multi-line texts can look like anything.
    let case = added_case(&before, &edited, inputs).ok_or_else(by_hand)?;
    Ok(EditedRecipe { text: edited, case, lines: rule.len() })
}

/// The place to insert a rule.
struct InsertionPlace {
    /// Before this line.
    line: usize,
    indent: usize,
    is_list: bool,
}

/// The end of the `data` of a directory whose keys begin on this line.
fn find_place(lines: &[&str], first: usize) -> Option<InsertionPlace> {
    let child = indent_of(lines.get(first)?);
    let is_outside = |line: &usize| is_content(lines[*line]) && indent_of(lines[*line]) < child;
    let end = (first..lines.len()).find(is_outside).unwrap_or(lines.len());
    let content: Vec<usize> = (first..end).filter(|line| is_content(lines[*line])).collect();
    let is_data = |line: &&usize| {
        let bare = lines[**line].split(" #").next().unwrap_or_default();
        indent_of(lines[**line]) == child && bare.trim() == "data:"
    };
    let data = *content.iter().find(is_data)?;
    let first = *content.iter().find(|line| **line > data)?;
    let indent = indent_of(lines[first]);
    let is_list = lines[first].trim_start().starts_with("- ");
    if indent < child || (indent == child && !is_list) {
        return None;
    }
    let belongs = |line: usize| {
        let at = indent_of(lines[line]);
        at > indent || (at == indent && lines[line].trim_start().starts_with('-') == is_list)
    };
    let below = content.into_iter().filter(|line| *line >= first);
    let last = below.take_while(|line| belongs(*line)).last()?;
    Some(InsertionPlace { line: last + 1, indent, is_list })
}

fn is_content(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && !text.starts_with('#')
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn rule_lines(indent: usize, name: &str, new: &NewCase) -> Vec<String> {
    let pad = " ".repeat(indent);
    let name = quoted_name(name);
    match new {
        NewCase::Command(command) => vec![format!("{pad}{name}: {}", plain_or_quoted(command))],
        NewCase::Copy(path) => {
            vec![format!("{pad}{name}:"), format!("{pad}  copy: {}", plain_or_quoted(path))]
        }
        NewCase::Literal(text) => {
            let mut lines = vec![format!("{pad}{name}:")];
            if is_block_text(text) {
                lines.push(format!("{pad}  in: |"));
                let content = text.strip_suffix('\n').unwrap_or(text).split('\n');
                lines.extend(content.map(|line| match line {
                    "" => String::new(),
                    line => format!("{pad}    {line}"),
                }));
            } else {
                lines.push(format!("{pad}  in: {}", quoted(text)));
            }
            lines
        }
    }
}

fn listed_lines(indent: usize, name: &str, new: &NewCase) -> Vec<String> {
    let mut lines = rule_lines(indent + 2, name, new);
    let first = lines[0].trim_start().to_owned();
    lines[0] = format!("{}- {first}", " ".repeat(indent));
    lines
}

/// Whether a text can be written as a block, as people write inputs.
fn is_block_text(text: &str) -> bool {
    let plain = |c: char| c == '\n' || !c.is_control();
    text.ends_with('\n')
        && !text.ends_with("\n\n")
        && !text.starts_with([' ', '\n'])
        && text.chars().all(plain)
        && text.split('\n').all(|line| line.is_empty() || !line.trim().is_empty())
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn quoted_name(name: &str) -> String {
    // A bare number would be read as a number.
    if name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !matches!(name, "true" | "false" | "null" | "yes" | "no")
    {
        name.to_owned()
    } else {
        format!("'{name}'")
    }
}

pub(super) fn plain_or_quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || " ._=,/+-".contains(c);
    let is_plain = text.chars().all(plain) && text.starts_with(|c: char| c.is_ascii_alphabetic());
    if is_plain { text.to_owned() } else { quoted(text) }
}

/// The path of the added case, if the edited recipe has exactly one more; all others must be unchanged, except for
/// the numbers of lists.
fn added_case(before: &Recipe, edited: &str, inputs: &RecipeInputs) -> Option<String> {
    let (after, findings) = Recipe::read(edited.as_bytes(), inputs);
    if findings.iter().any(|finding| finding.level == Level::Error) {
        return None;
    }
    let same = |one: &RecipeCase, other: &RecipeCase| {
        let of = |case: &RecipeCase| RecipeCase { path: String::new(), line: 0, ..case.clone() };
        of(one) == of(other)
    };
    let changed = before.makes.iter().zip(&after.makes).position(|(one, other)| !same(one, other));
    let at = changed.unwrap_or(before.makes.len());
    let rest = after.makes.get(at + 1..)?;
    let is_rest_same = rest.len() == before.makes.len() - at
        && rest.iter().zip(&before.makes[at..]).all(|(one, other)| same(one, other));
    let is_one_more = is_rest_same && before.folders.len() == after.folders.len();
    if is_one_more { Some(after.makes[at].path.clone()) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = "# Head.
solution: /submissions/accepted/a.c

data:
  sample:
    data:
      one: {in: '1'}   # flow inside
  secret:
    test_group.yaml:
      max_score: 100
    data:
      # First group.
      '1':
        data:
          a:
            in: |
              1
              # no comment
          b: gen {seed}  # but this is
          # Behind the last.

      '2':
        data:
        - x: gen 1
        - y:
            in: |
              5
      flow: {data: {z: gen 2}}
# The end.
";

    fn add(group: &str, new: &NewCase) -> Result<EditedRecipe, String> {
        add_case(RECIPE, &RecipeInputs::default(), group, "found", new)
    }

    /// The lines that were added to a text; all others are the same.
    fn added_lines(edited: &str) -> Vec<&str> {
        let (mut old, mut added) = (RECIPE.lines().peekable(), Vec::new());
        for line in edited.lines() {
            match old.peek() == Some(&line) && added.len() < 20 {
                true => drop(old.next()),
                false => added.push(line),
            }
        }
        assert_eq!(old.next(), None, "{edited}");
        added
    }

    #[test]
    fn only_the_lines_of_the_new_case_are_added() {
        let literal = NewCase::Literal("2\n1 1\n".into());
        let edited = add("secret/1", &literal).unwrap();
        let expected = ["          found:", "            in: |", "              2", "              1 1"];
        assert_eq!((added_lines(&edited.text), edited.case.as_str()), (expected.to_vec(), "secret/1/found"));
        let edited = add("secret/2", &NewCase::Command("gen 7 8".into())).unwrap();
        assert_eq!(added_lines(&edited.text), ["        - found: gen 7 8"]);
        assert_eq!(edited.case, "secret/2/3-found");
        let edited = add("sample", &NewCase::Copy("kept/found".into())).unwrap();
        assert_eq!(added_lines(&edited.text), ["      found:", "        copy: kept/found"]);
    }

    #[test]
    fn a_text_that_is_no_block_is_quoted_and_comes_back_the_same() {
        for text in [
            "",
            "\n",
            " 1\n",
            "1\n\n",
            "a\tb\n",
            "1\r\n",
            "\"'\\\n",
            "# x\n",
            "a: b\n- c\n",
            "é\n",
            "1\n\n2\n",
        ] {
            let edited = add("secret/1", &NewCase::Literal(text.into())).unwrap();
            let (recipe, _) = Recipe::read(edited.text.as_bytes(), &RecipeInputs::default());
            let found = recipe.makes.iter().find(|make| make.path == edited.case).unwrap();
            assert_eq!(found.literals["in"], text, "{}", edited.text);
        }
    }

    #[test]
    fn what_cannot_be_added_is_refused_with_what_to_write() {
        let new = NewCase::Command("gen 7".into());
        assert!(add("secret/flow", &new).unwrap_err().contains("by hand to secret/flow:\nfound: gen 7"));
        assert!(add("secret/9", &new).unwrap_err().contains("has no group secret/9; it has sample, secret"));
        let taken = add_case(RECIPE, &RecipeInputs::default(), "secret/1", "a", &new);
        assert!(taken.is_err(), "{taken:?}");
    }
}
