//! Lists on pages of the guide that repeat a table of the program: none may be stale.

#[cfg(test)]
mod tests {
    use super::super::{Args, exit_status::ExitStatus};
    use crate::{class::HandInLayout, import::ForeignFormat, language::LanguageTable};
    use clap::{Command, CommandFactory};
    use std::{collections::BTreeSet, fs, path::Path};

    fn page(name: &str) -> String {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
    }

    /// The cells of the first table whose head begins with this word, row by row.
    fn table(page: &str, head: &str) -> Vec<Vec<String>> {
        let head = format!("| {head} |");
        let rows = page.lines().skip_while(|line| !line.starts_with(&head)).skip(2);
        let cells =
            |row: &str| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
        rows.take_while(|line| line.starts_with('|')).map(cells).collect()
    }

    /// The words in backticks.
    fn codes(text: &str) -> BTreeSet<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    fn first_codes(page: &str, head: &str) -> BTreeSet<String> {
        table(page, head).iter().flat_map(|row| codes(&row[0])).collect()
    }

    fn set<T: ToString>(all: impl IntoIterator<Item = T>) -> BTreeSet<String> {
        all.into_iter().map(|one| one.to_string()).collect()
    }

    /// The values of an option of a command.
    fn values(command: &Command, option: &str) -> BTreeSet<String> {
        let mut options = command.get_arguments().filter(|one| one.get_long() == Some(option));
        let values = options.next().map(clap::Arg::get_possible_values).unwrap_or_default();
        set(values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()))
    }

    #[test]
    fn the_page_of_languages_lists_all_of_them() {
        let page = page("docs/reference/languages.md");
        let list = page.split("\n\n").nth(1).unwrap().replace('\n', " ");
        let table = LanguageTable::embedded();
        let names = table.languages().iter().map(|language| &language.name);
        assert_eq!(set(list.trim_end_matches('.').split(", ")), set(names));
    }

    #[test]
    fn the_page_of_export_lists_all_targets_and_the_readme_names_them() {
        let kopek = Args::command();
        let targets = values(kopek.find_subcommand("pack").unwrap(), "for");
        assert_eq!(first_codes(&page("docs/packing.md"), "system"), targets);
        let readme = page("README.md").to_lowercase();
        let named = |target: &&String| readme.replace(' ', "").contains(target.as_str());
        let missing: Vec<&String> = targets.iter().filter(|target| !named(target)).collect();
        assert_eq!(missing, ["students"], "all but this are systems");
    }

    #[test]
    fn the_page_and_the_help_of_import_name_all_formats() {
        use ForeignFormat::{Italian, Polygon, TestFolder};
        let name = |format: ForeignFormat| match format {
            Polygon => "Polygon",
            Italian => "CMS",
            TestFolder => "folders of tests",
        };
        let page = page("docs/reference/import.md");
        let rows = table(&page, "source");
        let help = Args::command().find_subcommand("import").unwrap().get_after_help().unwrap().to_string();
        for format in [Polygon, Italian, TestFolder] {
            let name = name(format);
            assert!(help.contains(name), "{help}");
            let short = name.trim_start_matches("folders");
            assert!(rows.iter().any(|row| row[0].contains(short)), "{name}: {rows:?}");
        }
    }

    #[test]
    fn the_page_of_reports_lists_all_formats_with_their_commands_and_all_exit_codes() {
        let page = page("docs/reference/reports.md");
        let kopek = Args::command();
        let of_command = |command: &Command| values(command, "format");
        let rows = table(&page, "format");
        let formats: BTreeSet<String> = kopek.get_subcommands().flat_map(of_command).collect();
        assert_eq!(first_codes(&page, "format"), formats);
        for row in rows.iter().filter(|row| !row[1].starts_with("all")) {
            for format in codes(&row[0]) {
                let writers = kopek.get_subcommands().filter(|command| of_command(command).contains(&format));
                assert_eq!(set(row[1].split(", ")), set(writers.map(Command::get_name)), "{format}");
            }
        }
        let statuses = [
            ExitStatus::Success,
            ExitStatus::Negative,
            ExitStatus::Refused,
            ExitStatus::Faults,
            ExitStatus::Unsound,
            ExitStatus::Interrupted,
            ExitStatus::Unread,
        ];
        let codes: Vec<String> = table(&page, "code").into_iter().map(|row| row[0].clone()).collect();
        assert_eq!(codes, statuses.map(|status| (status as u8).to_string()));
    }

    #[test]
    fn the_page_of_hand_ins_lists_all_layouts() {
        let layouts = HandInLayout::ALL.map(HandInLayout::name);
        assert_eq!(first_codes(&page("docs/reference/hand-ins.md"), "layout"), set(layouts));
    }

    #[test]
    fn every_visible_command_is_shown_on_some_page() {
        let summary = page("docs/SUMMARY.md");
        let links = summary.split("](").skip(1).filter_map(|link| link.split(')').next());
        let mut guide = page("README.md");
        links.for_each(|link| guide += &page(&format!("docs/{link}")));
        for command in Args::command().get_subcommands() {
            assert!(guide.contains(&format!("kopek {}", command.get_name())), "{}", command.get_name());
        }
    }
}
