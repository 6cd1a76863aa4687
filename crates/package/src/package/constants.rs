//! `{{name}}` and `{{name.variant}}` in texts of the package.

use std::collections::BTreeMap;

/// The text with all known constants filled in; sequences with an unknown name stay unchanged.
///
/// ```
/// use std::collections::BTreeMap;
/// let constants = BTreeMap::from([("n".to_owned(), "100".to_owned())]);
/// assert_eq!(kopek_package::package::fill_constants("n <= {{n}}, {{m}}", &constants), "n <= 100, {{m}}");
/// ```
pub fn fill_constants(text: &str, constants: &BTreeMap<String, String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let value = rest[start + 2..].find("}}").and_then(|len| {
            let name = &rest[start + 2..start + 2 + len];
            Some((constants.get(name)?, start + 4 + len))
        });
        match value {
            Some((value, end)) => {
                filled += &rest[..start];
                filled += value;
                rest = &rest[end..];
            }
            None => {
                // Skip one brace only: `{{{n}}` holds a constant after its first brace.
                filled += &rest[..=start];
                rest = &rest[start + 1..];
            }
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_put_in_and_strangers_stay() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let constants = BTreeMap::from([pair("n", "5"), pair("n.latex", "10^5")]);
        for (text, expected) in [
            ("{{n}}", "5"),
            ("{{{n}}}", "{5}"),
            ("{{n.latex}}{{n}}", "10^55"),
            ("{{ n }}{{x}}", "{{ n }}{{x}}"),
            ("{{n", "{{n"),
            ("ä{{n}}ä", "ä5ä"),
        ] {
            assert_eq!(fill_constants(text, &constants), expected);
        }
    }
}
