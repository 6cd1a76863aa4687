//! What a teacher can publish of a package: statements, samples, templates, and how to try a program at home.

use super::{
    hidden_words::refuse_hidden_cases,
    packed::{Bundle, PLAIN, PackContents, PackFile, PackFiles, files_in},
    statement_html::{FormulaForm, StatementText, render_page},
    statement_page::{limits_line, samples_of, statement_files, title_in},
    target::Target,
};
use anyhow::{Result, bail};
use kopek_package::package::{Case, Judge, Package, TestSet, case_extras};
use std::{collections::BTreeMap, path::Path};

/// Lays out the zip. `pages`: statements as HTML, by language.
pub fn pack_for_students(
    package: &Package,
    tests: &TestSet,
    pages: BTreeMap<String, Vec<u8>>,
) -> Result<Bundle> {
    let mut files = PackFiles::new();
    for (language, page) in pages {
        files.insert(format!("statement.{language}.html"), plain(PackContents::Bytes(page)));
    }
    for file in statement_files(package).into_iter().filter(|file| file.ending == "pdf") {
        let name = format!("statement.{}.pdf", file.language);
        files.insert(name, plain(PackContents::Of(file.path)));
    }
    for case in samples_of(tests) {
        add_sample(package, case, &mut files)?;
    }
    for path in files_in(package, Path::new("attachments"))? {
        let from = package.dir.join("attachments").join(&path);
        let name = match path.strip_prefix("templates") {
            Ok(template) => format!("templates/{}", template.display()),
            Err(_) => path.display().to_string(),
        };
        if files.insert(name.clone(), plain(PackContents::Of(from))).is_some() {
            bail!("attachments/{name} has the name of another file for students; rename it");
        }
    }
    refuse_hidden_cases(package, tests, &files)?;
    let page = home_page(package, tests, &files);
    files.insert("index.html".to_owned(), plain(PackContents::Bytes(page.into_bytes())));
    let target = Target::Students;
    let name = target.problem_name(&package.name);
    Ok(Bundle { target, root: format!("{name}/"), name, files, notes: Vec::new() })
}

fn plain(contents: PackContents) -> PackFile {
    PackFile { contents, mode: PLAIN }
}

/// The sample as contestants may download it; a conversation is in the statement.
fn add_sample(package: &Package, case: &Case, files: &mut PackFiles) -> Result<()> {
    let beside = case_extras(package, case)?;
    if beside.interaction.is_some() {
        return Ok(());
    }
    let name = case.name.trim_start_matches("sample/").replace('/', "-");
    let answer = [beside.answer_given, beside.answer_shown, beside.output].into_iter().flatten().next();
    let input = beside.input_given.or(beside.input_shown).unwrap_or_else(|| case.input.clone());
    files.insert(format!("test/{name}.in"), plain(PackContents::Of(input)));
    let answer = answer.unwrap_or_else(|| case.answer.clone());
    files.insert(format!("test/{name}.ans"), plain(PackContents::Of(answer)));
    Ok(())
}

/// Where to begin.
fn home_page(package: &Package, tests: &TestSet, files: &PackFiles) -> String {
    let mut text = "## Files\n\n".to_owned();
    for name in files.keys() {
        text += &format!("* `{name}`\n");
    }
    if let Some(codes) = &package.languages {
        text += &format!("\nAllowed languages: {}.\n", codes.join(", "));
    }
    text += "\n## Try your program\n\n";
    text += &if package.kind.interactive || package.kind.multi_pass {
        "Your program talks with a judge that is not among these files. The statement shows conversations."
            .to_owned()
    } else if package.kind.submit_answer {
        "Hand in the outputs themselves.".to_owned()
    } else {
        let options = test_options(package, tests);
        format!(
            "Save your program in this folder. This runs the samples:\n\n    kopek test{options} YOUR_PROGRAM\n"
        )
    };
    if matches!(package.judge, Judge::Programs { .. }) {
        text += "\nSeveral outputs can be right. The judge accepts all of them; here, only that of the sample counts.\n";
    }
    let statement = StatementText {
        title: title_in(package, "en"),
        limits: limits_line(package),
        language: "en".to_owned(),
        markdown: text,
        formulas: FormulaForm::MathMl,
    };
    render_page(&statement, &[], &package.dir)
}

/// The limits and the comparison of the package.
fn test_options(package: &Package, tests: &TestSet) -> String {
    let mut options = String::new();
    if let Some(time) = package.limits.time {
        options += &format!(" --time-limit {}", time.as_secs_f64());
    }
    options += &format!(" --memory-limit {}MiB", package.limits.memory.0 >> 20);
    let args = samples_of(tests).next().map(|case| &case.arguments.output[..]).unwrap_or_default();
    for pair in args.windows(2).filter(|pair| pair[0].starts_with("float_")).take(1) {
        options += &format!(" --tolerance {}", pair[1]);
    }
    if args.iter().any(|arg| matches!(arg.as_str(), "case_sensitive" | "space_change_sensitive")) {
        options += " --exact";
    }
    options
}
