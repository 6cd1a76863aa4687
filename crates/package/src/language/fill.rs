//! Commands with placeholders.

use std::collections::BTreeMap;

/// The values of each placeholder. An argument that is only a placeholder becomes one argument per value;
/// inside an argument only the first value is used.
pub type Values = BTreeMap<String, Vec<String>>;

/// The names in braces within an argument. Braces around anything but a word are left alone.
pub(crate) fn placeholders(argument: &str) -> Vec<&str> {
    split_placeholders(argument).into_iter().filter_map(|(name, _)| name).collect()
}

/// The command with all placeholders filled in.
pub fn fill(command: &[String], values: &Values) -> Vec<String> {
    command.iter().flat_map(|argument| fill_argument(argument, values)).collect()
}

fn fill_argument(argument: &str, values: &Values) -> Vec<String> {
    let alone = argument.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    if let Some(all) = alone.and_then(|name| values.get(name)) {
        return all.clone();
    }
    let piece = |(name, text): (Option<&str>, &str)| match name.and_then(|name| values.get(name)) {
        Some(value) => value.first().cloned().unwrap_or_default(),
        None => text.to_owned(),
    };
    vec![split_placeholders(argument).into_iter().map(piece).collect()]
}

/// Splits into placeholders (with their names) and the text between them.
fn split_placeholders(argument: &str) -> Vec<(Option<&str>, &str)> {
    let mut pieces = vec![];
    let mut rest = argument;
    while let Some(open) = rest.find('{') {
        let name = rest[open + 1..].split('}').next().unwrap_or("");
        let end = open + name.len() + 2;
        let word = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        let cut = if word && end <= rest.len() { open } else { open + 1 };
        pieces.push((None, &rest[..cut]));
        if cut == open {
            pieces.push((Some(name), &rest[open..end]));
        }
        rest = &rest[if cut == open { end } else { cut }..];
    }
    pieces.push((None, rest));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(command: &[&str]) -> Vec<String> {
        let values = [("files", vec!["./a b.c", "./c.c"]), ("static", vec![]), ("entry", vec!["Main"])];
        let values: Values = values
            .map(|(name, values)| (name.to_owned(), values.into_iter().map(String::from).collect()))
            .into();
        fill(&command.iter().map(|&a| a.to_owned()).collect::<Vec<_>>(), &values)
    }

    #[test]
    fn a_placeholder_alone_becomes_its_values_each_an_argument() {
        assert_eq!(filled(&["cc", "{static}", "{files}"]), ["cc", "./a b.c", "./c.c"]);
    }

    #[test]
    fn a_placeholder_within_an_argument_is_replaced_in_place() {
        assert_eq!(filled(&["/exe/{entry}.jar", "{{entry}}"]), ["/exe/Main.jar", "{Main}"]);
    }

    #[test]
    fn other_braces_stay() {
        assert_eq!(
            filled(&["{ x }", "{", "{}", "a{entry", "{Entry}"]),
            ["{ x }", "{", "{}", "a{entry", "{Entry}"]
        );
        assert_eq!(placeholders("{a}{ {b}"), ["a", "b"]);
    }
}
