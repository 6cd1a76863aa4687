//! Groups and cases as people call them, without their paths.

use kopek_sentences::Said;

/// A group on a page: `secret/1` is `Group 1`, and `secret/small` is `small`.
pub fn group_heading(name: &str) -> Said {
    let own = name.strip_prefix("secret/").unwrap_or(name);
    match own {
        "sample" => Said::Samples,
        "secret" => Said::SecretCases,
        own if own.starts_with(|letter: char| letter.is_ascii_digit()) => {
            Said::GroupHeading { name: own.to_owned() }
        }
        own => Said::Name { name: own.to_owned() },
    }
}

/// A group within a sentence: `group 1`, `group small`.
pub fn group_in_text(name: &str) -> Said {
    Said::GroupNamed { name: name.strip_prefix("secret/").unwrap_or(name).to_owned() }
}

/// `case triple of group 1`.
pub fn case_in_text(name: &str) -> Said {
    match name.rsplit_once('/') {
        Some((group, case)) => {
            Said::CaseOfGroup { case: case.to_owned(), group: group_in_text(group).into() }
        }
        None => Said::CaseNamed { case: name.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_without_a_name_is_called_by_its_number() {
        let heads = ["sample", "secret/1", "secret/2/a", "secret/small", "secret"]
            .map(|name| group_heading(name).to_string());
        assert_eq!(heads, ["sample", "Group 1", "Group 2/a", "small", "secret"]);
        assert_eq!(case_in_text("secret/1/triple").to_string(), "case triple of group 1");
    }
}
