//! The line of a recipe that makes a found input a case. Pure.

use kopek_package::package::yaml::{YamlNode, emit};
use kopek_results::{Found, InputOrigin};

/// A longer text is unhandy to paste.
const MAX_TEXT: usize = 1 << 10;

/// The rule of a case of this name. A long input is made by its command, or copied from a file of this name in
/// `generators/`. `None`: it is a case already.
pub fn recipe_line(name: &str, found: &Found) -> Option<String> {
    let steps = &found.shrinking.steps;
    let command = match &found.origin {
        InputOrigin::Case(_) if steps.is_empty() => return None,
        InputOrigin::Command(command) if steps.is_empty() => Some(command),
        InputOrigin::Form | InputOrigin::Command(_) | InputOrigin::Case(_) | InputOrigin::ChangedCase(_) => {
            None
        }
    };
    // A recipe adds a newline to a text without one.
    let text = std::str::from_utf8(&found.input).ok().filter(|text| text.ends_with('\n'));
    let (rule, comment) = match (text, command) {
        (Some(text), _) if text.len() <= MAX_TEXT => (one_key("in", text), String::new()),
        (_, Some(command)) => (YamlNode::string(command.clone()), String::new()),
        _ => (one_key("copy", name), format!("  # put the input into generators/{name}.in")),
    };
    Some(emit(&YamlNode::map([(name, rule)])).trim_end().to_owned() + &comment)
}

fn one_key(key: &str, text: &str) -> YamlNode {
    YamlNode { flow: true, ..YamlNode::map([(key, YamlNode::string(text))]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_judge::generate::recipe::{Recipe, RecipeInputs};
    use kopek_results::ShrinkStep;

    fn found(input: &[u8], origin: InputOrigin) -> Found {
        Found::new(input.to_owned(), 0, origin)
    }

    #[test]
    fn a_pasted_text_comes_back_the_same() {
        let texts =
            ["\n", " 1\n", "1\n\n", "a\tb\n", "1\r\n", "\"'\\\n", "# x\n", "a: b\n- c\n", "é\n", "1\n\n2\n"];
        for text in texts {
            let finding = found(text.as_bytes(), InputOrigin::ChangedCase("secret/1".into()));
            let line = recipe_line("01-positive-c", &finding).unwrap();
            assert_eq!(line.lines().count(), 1, "{line}");
            let recipe = format!("data:\n  secret:\n    data:\n      {line}\n");
            let (recipe, findings) = Recipe::read(recipe.as_bytes(), &RecipeInputs::default());
            assert_eq!(recipe.makes[0].literals["in"], text, "{line}{findings:?}");
        }
    }

    #[test]
    fn a_long_input_is_made_by_its_command_or_copied() {
        let long = "1 ".repeat(MAX_TEXT) + "\n";
        let command = InputOrigin::Command("gen.c 30 7".into());
        let line = |input: &[u8], origin: &InputOrigin| recipe_line("a", &found(input, origin.clone()));
        assert_eq!(line(b"1\n", &command).unwrap(), "a: {in: \"1\\n\"}");
        assert_eq!(line(long.as_bytes(), &command).unwrap(), "a: gen.c 30 7");
        let case = InputOrigin::Case("secret/1".into());
        assert_eq!(
            line(long.as_bytes(), &InputOrigin::ChangedCase("secret/1".into())).unwrap(),
            "a: {copy: a}  # put the input into generators/a.in"
        );
        assert_eq!(
            line(b"1", &InputOrigin::ChangedCase("secret/1".into())).unwrap(),
            "a: {copy: a}  # put the input into generators/a.in"
        );
        assert_eq!(line(b"1\n", &case), None);
        let mut shrunk = found(long.as_bytes(), command);
        shrunk.shrinking.steps.push(ShrinkStep { what: "removed tokens", bytes: 1 });
        assert_eq!(recipe_line("a", &shrunk).unwrap(), "a: {copy: a}  # put the input into generators/a.in");
    }
}
