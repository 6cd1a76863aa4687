//! Groups and cases as people call them, without their paths.

use kopek_base::wording::one_line;

/// A group on a page: `secret/1` is `Group 1`, and `secret/small` is `small`.
pub fn group_heading(name: &str) -> String {
    let own = one_line(name.strip_prefix("secret/").unwrap_or(name));
    if own.starts_with(|letter: char| letter.is_ascii_digit()) { format!("Group {own}") } else { own }
}

/// A group within a sentence: `group 1`, `group small`.
pub fn group_in_text(name: &str) -> String {
    let own = one_line(name.strip_prefix("secret/").unwrap_or(name));
    format!("group {own}")
}

/// `case triple of group 1`.
pub fn case_in_text(name: &str) -> String {
    match name.rsplit_once('/') {
        Some((group, case)) => format!("case {} of {}", one_line(case), group_in_text(group)),
        None => format!("case {}", one_line(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_without_a_name_is_called_by_its_number() {
        let heads = ["sample", "secret/1", "secret/2/a", "secret/small", "secret"].map(group_heading);
        assert_eq!(heads, ["sample", "Group 1", "Group 2/a", "small", "secret"]);
        assert_eq!(case_in_text("secret/1/triple"), "case triple of group 1");
    }
}
