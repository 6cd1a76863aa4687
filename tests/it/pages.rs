//! Pages in a real browser: nothing is loaded, nothing is injected, and keys do what mice do.

#[path = "pages/browser.rs"]
pub mod browser;

use crate::skip;
use browser::Browser;
use kopek::{
    base::Bytes,
    language::{FileBytes, SourceFile},
    pack::{StatementForm, choose_statement, statement_page},
    package::{self, HandIn, Level, Message},
    plan::Trial,
    points::Points,
    render::{ClassView, class_page, mutation_page, participant_pages, report_files, similar_page},
    results::{
        CaseReport, Deduction, GradeChange, GroupHead, Mutant, MutantFate, Mutation, MutationReport, Noise,
        Notices, OpenCase, OpenReason, PackageReport, Report, ReportChanges, ResultKind, RowReport,
    },
    sandbox::{Exit, Usage},
    score::{GroupScore, Scorecard, State},
    similar::Comparison,
    verdict::Verdict,
};
use serde_json::json;
use std::{collections::BTreeMap, fs, path::PathBuf, time::Duration};

const HOSTILE: &str =
    "<script>document.title='owned'</script>\"'><img src=http://127.0.0.1:9/x onerror=alert(1)>\u{202e}&amp;";

fn points(at: usize, max: u64) -> Points {
    Points::from((at as u64 * 7919) % (max + 1))
}

fn verdict(at: usize) -> Verdict {
    [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit, Verdict::RunTimeError][at * 7 % 11 % 4]
}

fn group(name: &str, at: usize) -> GroupScore {
    GroupScore {
        name: name.into(),
        points: Some(points(at, 25)),
        max: Some(Points::from(25)),
        state: State::Decided(verdict(at)),
        culprit: None,
        slowest: Some((format!("{name}/01"), Duration::from_millis(at as u64 * 37 % 1100))),
    }
}

fn case(group: &str, at: usize) -> CaseReport {
    let trial = Trial {
        usage: Usage { cpu: Duration::from_millis(5), ..Usage::default() },
        judge_message: HOSTILE.into(),
        team_message: HOSTILE.into(),
        ..Trial::ended(verdict(at), Exit::Code(0))
    };
    CaseReport {
        name: format!("{group}/{:02}", at % 10),
        group: group.into(),
        trial: Some(trial),
        decided: None,
        full_feedback: true,
        hint: Some(HOSTILE.into()),
        args: vec![HOSTILE.into()],
        files: vec![HOSTILE.into()],
        input: Some(HOSTILE.into()),
        input_path: None,
        answer: Some("3\n".into()),
    }
}

const GROUPS: [&str; 4] = ["secret/1", "secret/2", "secret/3", "secret/4"];

fn row(name: &str, at: usize, cases: usize) -> RowReport {
    let groups: Vec<GroupScore> =
        GROUPS.iter().enumerate().map(|(n, group_name)| group(group_name, at + n)).collect();
    let card = Scorecard {
        name: name.into(),
        points: Some(groups.iter().flat_map(|group| group.points.clone()).sum()),
        max: Some(Points::from(100)),
        state: State::Decided(verdict(at)),
        slowest: groups[0].slowest.clone(),
        groups,
        judge_errors: vec![],
    };
    RowReport {
        card,
        program: None,
        file: format!("{name}.py"),
        source: FileBytes::new(),
        hand_in: HandIn::default(),
        by_hand: None,
        late_steps: None,
        deduction: None,
        language: Some("python3".into()),
        notes: if at == 0 { vec![HOSTILE.into()] } else { vec![] },
        same_as: None,
        memory_mistake: None,
        growth: None,
        slow_input: None,
        compile_message: if at == 0 { HOSTILE.into() } else { String::new() },
        cases: (0..cases).map(|n| case(GROUPS[n % 4], at + n)).collect(),
    }
}

fn package(name: &str, names: &[String], cases: usize) -> PackageReport {
    PackageReport {
        name: name.into(),
        title: HOSTILE.into(),
        kind: ResultKind::Scoring,
        groups: GROUPS.map(|name| GroupHead { name: name.into(), max: Some(Points::from(25)) }).into(),
        uuid: None,
        time_limit: Duration::from_secs(1),
        memory_limit: Bytes::mib(256),
        noise: Noise::default(),
        data: None,
        excluded: Vec::new(),
        rows: names.iter().enumerate().map(|(at, name)| row(name, at, cases)).collect(),
    }
}

fn class(names: &[String], packages: usize, cases: usize) -> Report {
    Report {
        packages: (0..packages).map(|n| package(&format!("problem-{n}"), names, cases)).collect(),
        isolation: HOSTILE.into(),
        machine: HOSTILE.into(),
        notices: Notices {
            warnings: vec![Message::new(Level::Warning, HOSTILE)],
            faults: vec![OpenCase {
                package: String::new(),
                what: String::new(),
                why: OpenReason::Fault(HOSTILE.into()),
            }],
            toolchains: [HOSTILE.into()].into(),
            ..Notices::default()
        },
        date: "2026-11-22 05:00 UTC".into(),
        ..Report::default()
    }
}

fn small_class() -> Vec<String> {
    [HOSTILE, "Zoë", "ada", "boris", "Ça va"].map(String::from).into()
}

/// A browser, or a skip by name.
fn browser(size: (u32, u32)) -> Option<Browser> {
    let program = browser::program();
    if program.is_none() {
        skip::report("no browser (chromium) is installed, so pages are not looked at");
    }
    program.map(|program| Browser::start(&program, size))
}

/// Files of a report in a folder, and the address of one of them.
struct Written(tempfile::TempDir);

impl Written {
    fn of(report: &Report) -> Written {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in report_files(report) {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Written(dir)
    }

    fn address(&self, name: &str) -> String {
        format!("file://{}", self.0.path().join(name).display())
    }
}

#[track_caller]
fn assert_quiet(browser: &Browser, page: &str) {
    assert_eq!(browser.complaints, [] as [&str; 0], "{page}");
    let others = |url: &&String| !url.starts_with("file:") && !url.starts_with("data:");
    assert_eq!(browser.requests.iter().filter(others).collect::<Vec<_>>(), [] as [&String; 0], "{page}");
}

#[test]
fn pages_load_nothing_complain_of_nothing_and_let_nothing_in() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let written = Written::of(&class(&small_class(), 2, 8));
    let pages: Vec<String> = report_files(&class(&small_class(), 2, 8))
        .into_iter()
        .map(|(path, _)| path.display().to_string())
        .filter(|path| path.ends_with(".html"))
        .collect();
    assert_eq!(pages.len(), 1 + 5);
    for page in &pages {
        browser.open(&written.address(page));
        assert_quiet(&browser, page);
        assert_ne!(browser.evaluate("document.title"), json!("owned"));
        assert_eq!(
            browser.evaluate("document.querySelectorAll('img, iframe, object, main script').length"),
            json!(0)
        );
        assert!(
            browser.evaluate("document.body.innerText").as_str().unwrap().contains("<script>")
                || page.contains("ada")
                || !page.contains("index"),
            "{page}: the text itself is shown"
        );
    }
}

#[test]
fn a_statement_loads_nothing_and_runs_nothing() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let home = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("problem.yaml", "problem_format_version: 2025-09\nname: Sum\nuuid: u\n");
    write("data/secret/1.in", "1\n");
    write("data/secret/1.ans", "1\n");
    write(
        "statement/problem.en.md",
        "[owned](javascript:document.title='owned') [own files](file:///etc/passwd) [web](https://a.example)\n\n\
         ![far](http://127.0.0.1:9/x.png) ![here](figure.svg) $\\textcolor{red}{x^2}$\n\n\
         | a | b |\n|:-:|--:|\n| 1 | 2 |\n\n<script>document.title='owned'</script>\n",
    );
    let figure =
        "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8'/></svg>";
    write("statement/figure.svg", figure);
    let package = package::read(home.path()).unwrap().package.unwrap();
    let (tests, _) = package::read_tests(&package).unwrap();
    write("page.html", &page_of(&package, &tests));
    browser.open(&format!("file://{}", home.path().join("page.html").display()));
    assert_eq!(browser.evaluate("Array.from(document.links, a => a.href)"), json!(["https://a.example/"]));
    assert_eq!(
        browser.evaluate("Array.from(document.images, image => [image.alt, image.naturalWidth])"),
        json!([["here", 8]])
    );
    assert_eq!(browser.evaluate("getComputedStyle(document.querySelector('th')).textAlign"), json!("center"));
    assert_eq!(browser.evaluate("document.title"), json!("Sum"));
    assert_quiet(&browser, "statement");
}

#[test]
fn rows_are_sorted_and_filtered_by_keys() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let written = Written::of(&class(&small_class(), 1, 8));
    browser.open(&written.address("index.html"));
    let names = "Array.from(document.querySelectorAll('table[data-sort] tbody tr:not([hidden]) th'), th => th.textContent)";
    let shown =
        |browser: &mut Browser| -> Vec<String> { serde_json::from_value(browser.evaluate(names)).unwrap() };
    let totals = "Array.from(document.querySelectorAll('table[data-sort] tbody tr'), row => Number(row.cells[5].dataset.v))";
    browser.press("/");
    assert_eq!(browser.evaluate("document.activeElement.type"), json!("search"));
    for key in ["Z", "o", "e"] {
        browser.press(key);
    }
    assert_eq!(shown(&mut browser), ["Zoë"], "letters match without their accents");
    assert_eq!(
        browser.evaluate("document.querySelector('[role=status].soft').textContent"),
        json!("1 of 5 shown")
    );
    browser.press("Escape");
    assert_eq!(shown(&mut browser).len(), 5);
    browser.evaluate("document.querySelectorAll('table[data-sort] th button')[5].focus()");
    for (order, sign) in [("descending", -1.0), ("ascending", 1.0)] {
        browser.press("Enter");
        let sorted = browser
            .evaluate("document.querySelectorAll('table[data-sort] thead th')[5].getAttribute('aria-sort')");
        assert_eq!(sorted, json!(order));
        let values: Vec<f64> = serde_json::from_value(browser.evaluate(totals)).unwrap();
        assert!(values.windows(2).all(|pair| sign * pair[0] <= sign * pair[1]), "{order}: {values:?}");
    }
    browser.evaluate("document.querySelectorAll('table[data-sort] th button')[0].focus()");
    browser.press("Enter");
    let names = shown(&mut browser);
    let place = |name: &str| names.iter().position(|own| own == name).unwrap();
    assert!(
        place("ada") < place("boris") && place("boris") < place("Ça va") && place("Ça va") < place("Zoë")
    );
    assert_quiet(&browser, "index.html");
}

/// Every kind of page, of an ordinary class.
fn every_page() -> Vec<(&'static str, String)> {
    let mut report = crate::reports::counterexamples::report_with_inputs();
    report.notices.undecided = vec![crate::reports::undecided("nina", "secret/last/03")];
    let boris = &mut report.packages[0].rows[2];
    let program =
        "import sys\n\nn = int(input())\nrow = list(map(int, sys.stdin.read().split()))\nprint(max(row))\n";
    boris.source = [(PathBuf::from("boris.py"), SourceFile::new(program.as_bytes()))].into();
    let reason = "2 days late, 10 % each".to_owned();
    boris.deduction = Some(Deduction { points: Points::from(4), reason });
    let participant = participant_pages(&report).into_iter().find(|(name, _)| name == "boris").unwrap().1;
    let names = ["index.html", "pages/ada.html"].map(|name| (name, hostile_page(name)));
    [
        ("class", class_page(&report, ClassView::default())),
        ("participant", participant),
        ("similar", similar_page("class", &crate::similar::class_of_copies())),
        ("statement", example_statement()),
        ("mutants", mutation_page(&hostile_mutants())),
    ]
    .into_iter()
    .chain(names)
    .collect()
}

/// A statement with everything that needs room: a formula, a table, code, samples.
fn example_statement() -> String {
    let home = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Sum of a row\nuuid: u\nlimits:\n  time_limit: 1.5\n  memory: 256\n",
    );
    for name in ["sample/1", "secret/1"] {
        write(
            &format!("data/{name}.in"),
            "8\n314159265 358979323 846264338 327950288 419716939 937510582 97494 4592\n",
        );
        write(&format!("data/{name}.ans"), "2905173821\n");
    }
    write(
        "statement/problem.en.md",
        "Read a row $a_1, \\dots, a_n$ and print its sum:\n\n\
         $$\\sum_{i=1}^n a_i = a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + \\dots + a_{n-1} + a_n$$\n\n\
         | group | points | numbers | values | remark |\n|---|--:|---|---|---|\n\
         | 1 | 40 | $1 \\le n \\le 100$ | $1 \\le a_i \\le 1000$ | small |\n\
         | 2 | 60 | $1 \\le n \\le 200000$ | $1 \\le a_i \\le 1000000000$ | large |\n\n\
         ```\nfor (int i = 0; i < n; i++) { sum += a[i]; } // the sum needs 64 bits, so take care of it\n```\n",
    );
    let package = package::read(home.path()).unwrap().package.unwrap();
    let (tests, _) = package::read_tests(&package).unwrap();
    page_of(&package, &tests)
}

fn page_of(package: &package::Package, tests: &package::TestSet) -> String {
    let file = choose_statement(package, None, StatementForm::Page).unwrap();
    let text = file.read(package).unwrap();
    statement_page(package, tests, &file, text, kopek::pack::FormulaForm::MathMl).unwrap()
}

/// A page of a class of which every text is hostile.
fn hostile_page(name: &str) -> String {
    let files = report_files(&class(&small_class(), 2, 8));
    files.into_iter().find(|(path, _)| path.ends_with(name)).unwrap().1
}

/// Parts of tables that are cut off, with no way to scroll to them.
const LOST_CELLS: &str = "Array.from(document.querySelectorAll('th, td')).filter(cell => {
    const style = getComputedStyle(cell), box = cell.getBoundingClientRect();
    if (!cell.checkVisibility()) return !cell.closest('details:not([open]), [hidden]');
    for (let at = cell; at; at = at.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)) return false;
    return style.display === 'none' || box.right > innerWidth + 1 || cell.scrollWidth > cell.clientWidth + 1;
}).map(cell => cell.outerHTML.slice(0, 120))";

#[test]
fn pages_are_whole_without_scripts_and_fit_a_phone() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let home = tempfile::tempdir().unwrap();
    browser.resize((375, 812));
    browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    for (name, page) in every_page() {
        let file = home.path().join("page.html");
        fs::write(&file, page).unwrap();
        browser.open(&format!("file://{}", file.display()));
        browser.keep_picture(&format!("{}-phone", name.replace(['/', '.'], "-")));
        let width = browser.evaluate("document.documentElement.scrollWidth");
        assert!(width.as_u64().unwrap() <= 375, "{name} is {width} wide on a phone");
        assert_eq!(browser.evaluate(LOST_CELLS), json!([]), "{name}");
        assert_eq!(
            browser.evaluate("document.querySelectorAll('button, input').length"),
            json!(0),
            "{name}: nothing that does nothing"
        );
    }
}

/// For each element with text of its own: the least contrast of letters and ground.
const MIN_CONTRAST: &str = "(() => {
    const parse = text => text.match(/[\\d.]+/g).map(Number);
    const ground = at => { for (; at; at = at.parentElement) { const c = parse(getComputedStyle(at).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
    let least = 99, what = '';
    for (const at of document.querySelectorAll('main *')) {
        if (!Array.from(at.childNodes).some(node => node.nodeType === 3 && node.data.trim())) continue;
        if (at.closest('svg')) continue;
        const [a, b] = [light(parse(getComputedStyle(at).color)), light(ground(at))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < least) [least, what] = [ratio, at.outerHTML.slice(0, 90)];
    }
    return [least, what];
})()";

#[test]
fn text_has_enough_contrast_in_light_and_dark() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let home = tempfile::tempdir().unwrap();
    let pages = every_page();
    for scheme in ["light", "dark"] {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        browser.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        for (page, text) in &pages {
            let file = home.path().join("page.html");
            fs::write(&file, text).unwrap();
            browser.open(&format!("file://{}", file.display()));
            browser.keep_picture(&format!("{}-{scheme}", page.replace(['/', '.'], "-")));
            let found = browser.evaluate(MIN_CONTRAST);
            assert!(found[0].as_f64().unwrap() >= 4.5, "{page} in {scheme}: {found}");
        }
    }
}

#[test]
fn everything_has_a_name_for_those_who_do_not_see_it() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let written = Written::of(&class(&small_class(), 2, 8));
    browser.call("Accessibility.enable", json!({}));
    for page in ["index.html", "pages/ada.html"] {
        browser.open(&written.address(page));
        let tree = browser.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().unwrap();
        let role = |node: &serde_json::Value| node["role"]["value"].as_str().unwrap_or_default().to_owned();
        let nameless = |node: &&serde_json::Value| {
            ["button", "link", "searchbox", "image", "img", "region", "columnheader"]
                .contains(&role(node).as_str())
                && node["name"]["value"].as_str().unwrap_or_default().trim().is_empty()
                && node["ignored"] == json!(false)
        };
        assert_eq!(nodes.iter().filter(nameless).map(role).collect::<Vec<_>>(), [] as [String; 0], "{page}");
        let heads = browser
            .evaluate("Array.from(document.querySelectorAll('h1, h2, h3'), h => Number(h.tagName[1]))");
        let levels: Vec<u32> = serde_json::from_value(heads).unwrap();
        assert!(levels[0] == 1 && levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{page}: {levels:?}");
        let twice = "(() => { const ids = Array.from(document.querySelectorAll('[id]'), at => at.id); return ids.length - new Set(ids).size; })()";
        assert_eq!(browser.evaluate(twice), json!(0), "{page}");
    }
}

#[test]
fn a_page_prints_wholly() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let written = Written::of(&class(&small_class(), 1, 8));
    for page in ["index.html", "pages/ada.html"] {
        browser.open(&written.address(page));
        let printed = browser.call("Page.printToPDF", json!({ "printBackground": false }));
        assert!(printed["data"].as_str().unwrap().len() > 10_000, "{page}");
    }
}

#[test]
fn the_page_of_a_course_of_two_thousand_is_small() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let names: Vec<String> = (0..2000).map(|n| format!("participant {n:04}")).collect();
    let report = class(&names, 9, 0);
    let page = class_page(&report, ClassView::default());
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("index.html"), &page).unwrap();
    browser.open(&format!("file://{}/index.html", dir.path().display()));
    browser.call("Performance.enable", json!({}));
    let metrics = browser.call("Performance.getMetrics", json!({}));
    let listeners = metrics["metrics"].as_array().unwrap().iter();
    let listeners = listeners.filter(|metric| metric["name"] == "JSEventListeners");
    let listeners = listeners.map(|metric| metric["value"].as_f64().unwrap()).sum::<f64>();
    let elements = browser.evaluate("document.querySelectorAll('*').length").as_u64().unwrap();
    // The work of a browser: bytes to read, elements to lay out, listeners.
    let figures = (page.len() / names.len(), elements as usize / names.len(), listeners);
    skip::note(&format!("2000 participants, 9 problems: {figures:?} bytes and elements a row, listeners"));
    assert!(figures.0 < 4096 && figures.1 < 128, "{figures:?}");
    assert!(listeners < 1000.0, "no row has one of its own: {figures:?}");
}

#[test]
fn the_page_of_a_class_of_sixty_folds_what_is_long() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let names: Vec<String> = (0..60).map(|n| format!("participant {n:02}")).collect();
    let mut report = class(&names, 1, 12);
    for row in &mut report.packages[0].rows {
        row.notes = vec!["a note for the teacher that needs a line of its own".to_owned()];
    }
    let change = |name: &String| GradeChange {
        name: name.clone(),
        id: None,
        email: None,
        package: Some("problem-0".into()),
        before: Some(Points::from(60)),
        after: Some(Points::from(100)),
        why: "case equal of group 3 was changed".into(),
    };
    let changes = names.iter().map(change).collect();
    report.since = Some(ReportChanges { place: "before".into(), changes, totals: BTreeMap::new() });
    let written = Written::of(&report);
    browser.open(&written.address("index.html"));
    let height = browser.evaluate("document.documentElement.scrollHeight").as_u64().unwrap();
    assert!(height < 4000, "{height}");
    let folded =
        "Array.from(document.querySelectorAll('details:not([open]) > summary'), one => one.textContent)";
    assert_eq!(browser.evaluate(folded), json!(["60 changes", "Remarks 60", "Case by case"]));
    let heads = "Array.from(document.querySelectorAll('[data-filter] > thead th'), one => one.textContent)";
    assert_eq!(browser.evaluate(heads)[1], json!("Group 1 /25"));
}

#[test]
fn a_page_of_similar_programs_loads_without_messages() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = similar_page(HOSTILE, &Comparison::default());
    fs::write(dir.path().join("a.html"), page).unwrap();
    browser.open(&format!("file://{}/a.html", dir.path().display()));
    assert_quiet(&browser, "similar");
}

#[test]
fn a_page_of_mutants_loads_without_messages() {
    let Some(mut browser) = browser((1280, 900)) else { return };
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.html"), mutation_page(&hostile_mutants())).unwrap();
    browser.open(&format!("file://{}/a.html", dir.path().display()));
    assert_quiet(&browser, "mutants");
}

/// One survivor whose every word is hostile.
fn hostile_mutants() -> MutationReport {
    let mutation = Mutation { kind: "constant", range: 0..HOSTILE.len(), by: HOSTILE.into(), line: 1 };
    let mutant = Mutant {
        submission: HOSTILE.into(),
        file: "a.c".into(),
        source: format!("{HOSTILE}\n{HOSTILE}\n"),
        mutation,
    };
    MutationReport {
        title: HOSTILE.into(),
        listed: 1,
        mutants: vec![(mutant, MutantFate::ProbablyEquivalent)],
        groups: vec![HOSTILE.into()],
        hunt: None,
        trials: 1,
        took: Duration::ZERO,
        faults: vec![HOSTILE.into()],
    }
}

#[test]
fn names_of_participants_are_names_of_pages() {
    let report = class(&small_class(), 2, 1);
    let pages = participant_pages(&report);
    assert_eq!(pages.len(), 5);
    for (name, page) in &pages {
        assert!(page.starts_with("<!DOCTYPE html>"), "{name}");
        assert_eq!(page.matches("<script>").count(), 1, "{name}");
        // What the page says of others: nothing.
        for (other, _) in pages.iter().filter(|(other, _)| other != name && other.len() > 4) {
            assert!(!page.contains(&format!("<h1>{other}")), "{name} reads of {other}");
        }
    }
}

#[test]
#[ignore = "140 000 trials: run it alone"]
fn the_pages_of_two_thousand_and_seventy_cases_are_small() {
    let names: Vec<String> = (0..2000).map(|n| format!("participant {n:04}")).collect();
    let report = class(&names, 1, 70);
    let page = class_page(&report, ClassView::default());
    let files = report_files(&report);
    let size: usize = files.iter().map(|(_, text)| text.len()).sum();
    skip::note(&format!(
        "2000 participants, 70 cases: page of {} KiB; all {} files, {} MiB",
        page.len() >> 10,
        files.len(),
        size >> 20,
    ));
    assert!(page.len() < 16 << 20 && files.len() > 4000);
}
