//! Pages in a real browser: nothing is loaded, hostile text stays text, phones show all, tables are sorted.

#[path = "pages/browser.rs"]
pub mod browser;

use crate::skip;
use browser::{View, look_at};
use kopek::{
    base::Bytes,
    language::{FileBytes, SourceFile},
    pack::{StatementForm, choose_statement, statement_page},
    package::{self, HandIn, Level, Message, Subject},
    plan::Trial,
    points::Points,
    render::{ClassView, class_page, moodle_answer, participant_pages, report_files, similar_page},
    results::{
        CaseReport, ChangeReason, DataDigests, Deduction, GradeChange, GroupHead, Noise, Note, Notices,
        OpenCase, OpenReason, PackageReport, Report, ReportChanges, ResultKind, RowReport, public_report,
    },
    sandbox::{Exit, Usage},
    score::{GroupScore, Scorecard, State},
    sentences::{PageLanguage, Said, Span},
    similar::Comparison,
    verdict::Verdict,
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::PathBuf,
    time::Duration,
};

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
        points: None,
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
        notes: if at == 0 { vec![Note::new(Subject::Whole, Said::foreign(HOSTILE))] } else { vec![] },
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

/// Every kind of page, of an ordinary class and of one whose texts are hostile.
fn every_page() -> Vec<(String, String)> {
    let mut report = crate::reports::counterexamples::report_with_inputs();
    report.notices.undecided = vec![crate::reports::undecided("nina", "secret/last/03")];
    let boris = &mut report.packages[0].rows[2];
    let program =
        "import sys\n\nn = int(input())\nrow = list(map(int, sys.stdin.read().split()))\nprint(max(row))\n";
    boris.source = [(PathBuf::from("boris.py"), SourceFile::new(program.as_bytes()))].into();
    let reason = Said::LateBy { span: Span(2 * 86_400) };
    boris.deduction = Some(Deduction { points: Points::from(4), reason });
    let participant = participant_pages(&report).into_iter().find(|(name, _)| name == "boris").unwrap().1;
    let answer = page_of_answer(&public_report(&report), 2);
    let hostile = page_of_answer(&public_report(&class(&small_class(), 1, 8)), 0);
    let copies = similar_page("class", &crate::similar::class_of_copies());
    let mut pages = hostile_pages();
    pages.extend([
        ("class".to_owned(), class_page(&report, ClassView::default())),
        ("participant".to_owned(), participant),
        ("copies".to_owned(), copies),
        ("answer in Moodle".to_owned(), answer),
        ("hostile answer in Moodle".to_owned(), hostile),
        ("statement".to_owned(), statement_of(WIDE_STATEMENT)),
    ]);
    pages
}

/// What Moodle shows of a row, with as much of its style as decides what scrolls.
fn page_of_answer(report: &Report, row: usize) -> String {
    let package = &report.packages[0];
    let row = &package.rows[row];
    let own = report.counterexample_for(&package.name, &row.card.name);
    let answer = moodle_answer(package, row, &Said::AboveIsRepeated, own, PageLanguage::English);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut table = String::new();
    for line in &answer["testresults"].as_array().unwrap()[1..] {
        table += &format!("<tr><td>{}</td><td>{}</td></tr>", text(&line[1]), text(&line[2]));
    }
    format!(
        "<!DOCTYPE html><html lang=en><meta name=viewport content='width=device-width'><title>Question</title>\
         <style>pre {{ overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere }}</style>\
         <main><h1>Quiz</h1><h2>Attempt</h2><h3>Question 1</h3>{}<table>{table}</table>{}</main>",
        text(&answer["prologuehtml"]),
        text(&answer["epiloguehtml"])
    )
}

/// Pages of which every text is hostile.
fn hostile_pages() -> Vec<(String, String)> {
    let files = report_files(&class(&small_class(), 2, 8)).into_iter();
    let files = files.map(|(path, text)| (path.display().to_string(), text));
    let mut pages: Vec<(String, String)> = files.filter(|(path, _)| path.ends_with(".html")).collect();
    assert_eq!(pages.len(), 1 + 5);
    pages.push(("similar".to_owned(), similar_page(HOSTILE, &Comparison::default())));
    pages.push(("hostile statement".to_owned(), statement_of(HOSTILE_STATEMENT)));
    pages
}

/// Everything that needs room: a formula, a table, code, samples.
const WIDE_STATEMENT: &str = "Read a row $a_1, \\dots, a_n$ and print its sum:\n\n\
    $$\\sum_{i=1}^n a_i = a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + \\dots + a_{n-1} + a_n$$\n\n\
    | group | points | numbers | values | remark |\n|---|--:|---|---|---|\n\
    | 1 | 40 | $1 \\le n \\le 100$ | $1 \\le a_i \\le 1000$ | small |\n\
    | 2 | 60 | $1 \\le n \\le 200000$ | $1 \\le a_i \\le 1000000000$ | large |\n\n\
    ```\nfor (int i = 0; i < n; i++) { sum += a[i]; } // the sum needs 64 bits, so take care of it\n```\n";

const HOSTILE_STATEMENT: &str = "[owned](javascript:document.title='owned') [own files](file:///etc/passwd) \
    [web](https://a.example)\n\n\
    ![far](http://127.0.0.1:9/x.png) ![here](figure.svg) $\\textcolor{red}{x^2}$\n\n\
    | a | b |\n|:-:|--:|\n| 1 | 2 |\n\n<script>document.title='owned'</script>\n";

/// The page of a problem with this statement, a figure and a sample.
fn statement_of(text: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("problem.yaml", "problem_format_version: 2025-09\nname: Sum of a row\nuuid: u\n");
    for name in ["sample/1", "secret/1"] {
        let input = "8\n314159265 358979323 846264338 327950288 419716939 937510582 97494 4592\n";
        write(&format!("data/{name}.in"), input);
        write(&format!("data/{name}.ans"), "2905173821\n");
    }
    write("statement/problem.en.md", text);
    let figure =
        "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8'/></svg>";
    write("statement/figure.svg", figure);
    let package = package::read(home.path()).unwrap().package.unwrap();
    let (tests, _) = package::read_tests(&package).unwrap();
    let file = choose_statement(&package, None, StatementForm::Page).unwrap();
    let text = file.read(&package).unwrap();
    statement_page(&package, &tests, &file, text, kopek::pack::FormulaForm::MathMl).unwrap()
}

/// Names of the pages, and their texts.
fn apart(pages: Vec<(String, String)>) -> (Vec<String>, Vec<String>) {
    pages.into_iter().unzip()
}

#[test]
fn pages_load_nothing_and_complain_of_nothing() {
    let (mut names, mut pages) = apart(every_page());
    names.push("a page that loads something".to_owned());
    pages.push("<!DOCTYPE html><img src=http://127.0.0.1:9/x>".to_owned());
    let loaded = "page => page.performance.getEntriesByType('resource').map(one => one.name)
        .filter(name => !name.startsWith('data:'))";
    let Some(found) = look_at(&pages, View::Desktop, loaded) else { return };
    assert_eq!(found.console, [] as [&str; 0]);
    let last = names.len() - 1;
    for (name, loaded) in names.iter().zip(&found.values).take(last) {
        assert_eq!(*loaded, json!([]), "{name}");
    }
    assert_eq!(found.values[last], json!(["http://127.0.0.1:9/x"]));
}

#[test]
fn hostile_text_is_only_text() {
    let (names, pages) = apart(hostile_pages());
    let facts = "page => ({
        title: page.document.title,
        foreign: page.document.querySelectorAll('img, iframe, object, embed, main script').length,
        text: page.document.documentElement.textContent.includes('<script>'),
        links: Array.from(page.document.links, link => link.protocol),
        images: Array.from(page.document.images, image => [image.alt, image.naturalWidth]),
    })";
    let Some(found) = look_at(&pages, View::Desktop, facts) else { return };
    for (name, page) in names.iter().zip(&found.values) {
        assert_ne!(page["title"], "owned", "{name}");
        assert_eq!(page["text"], true, "{name}");
        let is_statement = name == "hostile statement";
        let images = if is_statement { json!([["here", 8]]) } else { json!([]) };
        assert_eq!((&page["foreign"], &page["images"]), (&json!(images.as_array().unwrap().len()), &images));
        if is_statement {
            assert_eq!(page["links"], json!(["https:"]));
        }
        let links = page["links"].as_array().unwrap();
        assert!(links.iter().all(|link| *link != "javascript:"), "{name}: {links:?}");
    }
}

/// How wide a page is, cells of tables that are cut off with no way to scroll to them, and elements that need a script.
const PHONE: &str = "page => ({
    width: page.document.documentElement.scrollWidth,
    lost: Array.from(page.document.querySelectorAll('th, td')).filter(cell => {
        const style = page.getComputedStyle(cell), box = cell.getBoundingClientRect();
        if (!cell.checkVisibility()) return !cell.closest('details:not([open]), [hidden]');
        for (let at = cell; at; at = at.parentElement)
            if (['auto', 'scroll'].includes(page.getComputedStyle(at).overflowX)) return false;
        return style.display === 'none' || box.right > page.innerWidth + 1 || cell.scrollWidth > cell.clientWidth + 1;
    }).map(cell => cell.outerHTML.slice(0, 120)),
    dead: page.document.querySelectorAll('button, input').length,
})";

#[test]
fn pages_fit_a_phone_and_are_whole_without_scripts() {
    let (names, pages) = apart(every_page());
    let Some(found) = look_at(&pages, View::PhoneWithoutScripts, PHONE) else { return };
    for (name, page) in names.iter().zip(&found.values) {
        assert!(page["width"].as_u64().unwrap() <= 375, "{name}: {page}");
        assert_eq!((&page["lost"], &page["dead"]), (&json!([]), &json!(0)), "{name}");
    }
}

#[test]
fn rows_are_sorted_and_filtered() {
    let page = class_page(&class(&small_class(), 1, 8), ClassView::default());
    let steps = "page => {
        const table = page.document.querySelector('table[data-sort]'), filter = page.document.querySelector('input');
        const rows = () => Array.from(table.tBodies[0].rows).filter(row => !row.hidden);
        const names = () => rows().map(row => row.cells[0].textContent);
        const sort = at => {
            table.querySelectorAll('th button')[at].click();
            return [table.tHead.rows[0].cells[at].ariaSort, rows().map(row => Number(row.cells[at].dataset.v)), names()];
        };
        const type = text => {
            filter.value = text;
            filter.dispatchEvent(new page.Event('input'));
            return [names(), page.document.querySelector('[role=status].soft').textContent];
        };
        return [type('zoe'), type(''), sort(5), sort(5), sort(0)];
    }";
    let Some(found) = look_at(&[page], View::Desktop, steps) else { return };
    let [typed, deleted, down, up, by_name]: [Value; 5] =
        serde_json::from_value(found.values[0].clone()).unwrap();
    assert_eq!(typed, json!([["Zoë"], "1 of 5 shown"]), "letters match without their accents");
    assert_eq!((deleted[0].as_array().unwrap().len(), &deleted[1]), (5, &json!("")));
    for (sorted, order, sign) in [(down, "descending", -1.0), (up, "ascending", 1.0)] {
        let values: Vec<f64> = serde_json::from_value(sorted[1].clone()).unwrap();
        assert_eq!(sorted[0], order);
        assert!(values.windows(2).all(|pair| sign * pair[0] <= sign * pair[1]), "{order}: {values:?}");
    }
    let names: Vec<String> = serde_json::from_value(by_name[2].clone()).unwrap();
    assert_eq!(
        names.iter().filter(|name| !name.starts_with('<')).collect::<Vec<_>>(),
        ["ada", "boris", "Ça va", "Zoë"]
    );
    assert_eq!(found.console, [] as [&str; 0]);
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
fn a_case_of_several_groups_is_once_among_the_hardest() {
    let mut report = class(&small_class(), 1, 8);
    let cases: Vec<String> = report.packages[0].rows[0].cases.iter().map(|case| case.name.clone()).collect();
    let mut digests: BTreeMap<String, String> =
        cases.iter().map(|name| (name.clone(), name.clone())).collect();
    let hardest = |report: &Report| {
        let page = class_page(report, ClassView::default());
        let part = page.split("<h3>Hardest cases</h3>").nth(1).unwrap().split("</table>").next().unwrap();
        cases.iter().filter(|name| part.contains(*name)).cloned().collect::<Vec<_>>()
    };
    let data = |cases: &BTreeMap<String, String>| {
        Some(DataDigests { whole: String::new(), setting: String::new(), cases: cases.clone() })
    };
    report.packages[0].data = data(&digests);
    let all = hardest(&report);
    assert!(all.len() > 2, "{all:?}");
    digests.insert(all[1].clone(), all[0].clone());
    report.packages[0].data = data(&digests);
    assert_eq!(hardest(&report), [&all[..1], &all[2..]].concat());
}

#[test]
fn a_right_program_without_points_is_not_green_and_a_box_without_rules_is_not_shown() {
    let mut report = class(&small_class(), 2, 4);
    report.rules_from = Some("rules of the course".into());
    let row = &mut report.packages[0].rows[2];
    row.card.state = State::Decided(Verdict::Accepted);
    row.card.points = Some(Points::from(100));
    let cell = |report: &Report| {
        let page = class_page(report, ClassView::default());
        assert!(!page.contains("rules of the course"), "{page}");
        let row = page.split("\"row\" class=\"name\">ada").nth(1).unwrap();
        row.split("<td class=\"").nth(1).unwrap().split('>').next().unwrap().to_owned()
    };
    assert!(cell(&report).starts_with("n good"), "{}", cell(&report));
    report.packages[0].rows[2]
        .take_off(Deduction { points: Points::from(100), reason: Said::LateBy { span: Span(60) } });
    assert!(cell(&report).starts_with("n \""), "{}", cell(&report));
}

/// What axe-core finds in a page, with its first place.
const AXE: &str = "async page => {
    page.eval(AXE);
    const found = await page.axe.run(page.document);
    return found.violations.map(one => one.id + ': ' + one.nodes[0].html.slice(0, 200));
}";

#[test]
#[ignore = "axe-core: .ci/nightly fetches it"]
fn axe_finds_nothing_on_pages_in_any_width_and_medium() {
    let axe =
        fs::read_to_string(env::var_os("KOPEK_AXE").expect("KOPEK_AXE is the path of axe.min.js")).unwrap();
    // It is in a script of the outer page.
    let script = AXE.replace("AXE", &serde_json::to_string(&axe).unwrap().replace('<', "\\u003c"));
    let (mut names, mut pages) = apart(every_page());
    names.push("a page with a mistake".to_owned());
    pages.push("<!DOCTYPE html><html lang=en><title>t</title><main><h1>t</h1><h3>u</h3></main>".to_owned());
    for view in [View::Desktop, View::Phone] {
        for medium in ["@media screen", "@media (prefers-color-scheme: dark)", "@media print"] {
            // The policy of a page refuses other scripts and styles.
            let changed = pages.iter().map(|page| {
                page.replace("http-equiv=\"Content-Security-Policy\"", "name=\"policy\"")
                    .replace(medium, "@media all")
            });
            let Some(found) = look_at(&changed.collect::<Vec<_>>(), view, &script) else { return };
            let last = names.len() - 1;
            let wrong = names.iter().zip(&found.values).take(last).filter(|(_, found)| **found != json!([]));
            assert_eq!(wrong.collect::<Vec<_>>(), [], "{view:?}, {medium}");
            assert!(found.values[last].to_string().contains("heading-order"), "{}", found.values[last]);
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
    assert!(page.len() < 16 << 20 && files.len() > 2000);
}

#[test]
fn the_page_of_a_course_of_two_thousand_is_small() {
    let names: Vec<String> = (0..2000).map(|n| format!("participant {n:04}")).collect();
    let page = class_page(&class(&names, 9, 0), ClassView::default());
    // The work of a browser: bytes to read, and elements to lay out.
    let (bytes, elements) = (page.len() / names.len(), page.matches("</").count() / names.len());
    assert!(bytes < 4096 && elements < 128, "{bytes} bytes and {elements} elements a row");
}

#[test]
fn the_page_of_a_class_of_sixty_folds_long_parts() {
    let names: Vec<String> = (0..60).map(|n| format!("participant {n:02}")).collect();
    let mut report = class(&names, 1, 12);
    for row in &mut report.packages[0].rows {
        row.notes = vec![Note::new(
            Subject::Whole,
            Said::foreign("a note for the teacher that needs a line of its own"),
        )];
    }
    let change = |name: &String| GradeChange {
        name: name.clone(),
        id: None,
        email: None,
        package: Some("problem-0".into()),
        before: Some(Points::from(60)),
        after: Some(Points::from(100)),
        reasons: BTreeSet::from([ChangeReason::Data]),
        groups: vec!["secret/3".into()],
    };
    let changes = names.iter().map(change).collect();
    report.since = Some(ReportChanges { place: "before".into(), changes, totals: BTreeMap::new() });
    let page = class_page(&report, ClassView::default());
    let folded: Vec<&str> = page.split("<details><summary>").skip(1).collect();
    let titles: Vec<&str> = folded.iter().map(|part| part.split_once("</summary>").unwrap().0).collect();
    assert_eq!(titles, ["60 changes", "<h3>Remarks</h3> <span class=\"soft\">60</span>", "Case by case"]);
}
