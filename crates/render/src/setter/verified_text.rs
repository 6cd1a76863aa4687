//! The result for people: sections, then remarks with advice; short if there are no problems.

use super::limit_picture::{add_legend, cut_front, picture_lines, place_name};
use crate::Document;
use kopek_base::{
    Bytes,
    wording::{counted, shortened},
};
use kopek_package::package::{Level, and_more_cases};
use kopek_results::{CaseStrength, LimitRole, LimitSurvey, Remark, Section, Strength, Verified};
use std::time::Duration;

const SECTIONS: [(Section, &str); 4] = [
    (Section::Package, "package"),
    (Section::Data, "data"),
    (Section::Submissions, "submissions"),
    (Section::Limits, "limits"),
];
/// The column at which the text of a section begins.
const INDENT: usize = 15;
/// The roles of the submissions that bound the limit: `kopek limits` shows the others, too.
const BOUNDING: [LimitRole; 2] = [LimitRole::MustFit, LimitRole::MustNotFit];
/// The most remarks printed per section; the JSON has all.
const MAX_COUNT: usize = 40;

pub fn verified_document(verified: &Verified) -> Document<'_> {
    let mut document = Document::default();
    document.line(&verified.name);
    for (section, title) in SECTIONS {
        add_section(&mut document, verified, section, title);
    }
    if let Some(survey) = &verified.limits {
        document.drawn(|width| picture_lines(survey, &BOUNDING, width));
        add_legend(&mut document, survey);
    }
    if let Some(strength) = &verified.strength {
        document.item(&section_head("strength"), &strength_summary(strength));
        document.drawn(|width| strength_lines(strength, width));
        add_other_cases(&mut document, strength);
    }
    for fault in &verified.faults {
        document.item("  fault: ", fault);
    }
    document.item(&section_head("verdict"), &verdict_line(verified));
    document
}

fn section_head(title: &str) -> String {
    format!("  {title:<width$}", width = INDENT - 2)
}

fn add_section(document: &mut Document, verified: &Verified, section: Section, title: &str) {
    let checks = verified.checks.iter().filter(|check| check.section == section);
    let mut checks = checks.map(|check| check.what.clone()).collect::<Vec<_>>();
    if let (Section::Limits, Some(survey)) = (section, &verified.limits) {
        checks.extend(survey.limit().map(|limit| limits_line(survey, limit)));
    }
    if let (Section::Limits, Some(memory)) = (section, &verified.memory) {
        let used = Bytes(memory.used);
        let limit = Bytes(memory.limit);
        checks.push(format!("memory: at most {used} of {limit} in accepted submissions"));
    }
    let mut remarks: Vec<&Remark> =
        verified.remarks.iter().filter(|remark| remark.section == section).collect();
    if checks.is_empty() && remarks.is_empty() {
        return;
    }
    let shown = if checks.is_empty() { "–".to_owned() } else { checks.join(" · ") };
    document.item(&section_head(title), &shown);
    remarks.sort_by_key(|remark| remark.finding.level);
    for remark in remarks.iter().take(MAX_COUNT) {
        add_remark(document, remark);
    }
    if remarks.len() > MAX_COUNT {
        document.line(&format!("    and {} more: see --format json", remarks.len() - MAX_COUNT));
    }
}

pub(super) fn add_remark(document: &mut Document, remark: &Remark) {
    let finding = &remark.finding;
    let what = format!("{}{}", finding.placed_text(), and_more_cases(remark.also.len()));
    document.finding(finding.level, &what, finding.todo.as_deref());
}

fn verdict_line(verified: &Verified) -> String {
    let count = |level| verified.remarks.iter().filter(|remark| remark.finding.level == level).count();
    let errors = count(Level::Error);
    let warnings = count(Level::Warning);
    let also = if warnings > 0 { format!(", {}", counted(warnings, "warning")) } else { String::new() };
    let missing = if verified.faults.is_empty() {
        String::new()
    } else {
        format!("; not everything was verified: {}", counted(verified.faults.len(), "fault"))
    };
    match (errors, missing.is_empty()) {
        (0, true) => format!("sound{also}"),
        (0, false) => format!("no broken claim found{also}{missing}"),
        (errors, _) => format!("UNSOUND: {}{also}{missing}", counted(errors, "error")),
    }
}

fn limits_line(survey: &LimitSurvey, limit: Duration) -> String {
    let proposed = if survey.declared.is_none() { " (proposed)" } else { "" };
    format!(
        "time limit {:.3} s{proposed}; wanted: {} × the slowest run that must fit; {} × the limit for those that must not",
        limit.as_secs_f64(),
        survey.ac_to_time_limit,
        survey.time_limit_to_tle
    )
    .replace(".000 s", " s")
}

/// Case names without `secret/`.
fn short_names(names: &[String]) -> Vec<String> {
    names.iter().map(|name| name.strip_prefix("secret/").unwrap_or(name).to_owned()).collect()
}

fn strength_lines(strength: &Strength, width: usize) -> Vec<String> {
    let name = 30.min(width / 2);
    let head = format!("    {:<name$} {:>5}  the first case (below secret/)", "wrong submission", "fails");
    let mut lines = vec![head];
    for one in &strength.submissions {
        let head = format!(
            "    {:<name$} {:>5}  ",
            cut_front(&place_name(&one.name, name), name),
            one.killers.len()
        );
        lines.push(name_line(head, &short_names(&one.killers), width));
    }
    lines.push(format!("    {:<name$} {:>5}  killed only by it (*: in its group)", "case", "kills"));
    let telling = |case: &&CaseStrength| !case.alone.is_empty() || !case.alone_in_group.is_empty();
    for case in strength.cases.iter().filter(telling) {
        let starred = case.alone_in_group.iter().filter(|name| !case.alone.contains(name));
        let names: Vec<String> =
            case.alone.iter().cloned().chain(starred.map(|name| format!("{name}*"))).collect();
        let head = format!("    {:<name$} {:>5}  ", cut_front(&case.name, name), case.kills);
        lines.push(name_line(head, &names, width));
    }
    lines
}

fn strength_summary(strength: &Strength) -> String {
    let histogram = strength.histogram();
    let most = histogram.keys().last().copied().unwrap_or(0);
    let idle = histogram.get(&0).copied().unwrap_or(0);
    let mut parts = vec![
        format!(
            "{} on {}",
            counted(strength.submissions.len(), "wrong submission"),
            counted(strength.cases.len(), "case")
        ),
        match idle {
            0 => format!("every case kills a submission, the strongest {most}"),
            _ => format!("the strongest case kills {most}, {idle} {} none", kill_verb(idle)),
        },
    ];
    if !strength.idle_groups.is_empty() {
        parts.push(format!("NO SUBMISSION FAILS IN {}", strength.idle_groups.join(", ")));
    }
    if !strength.survivors().is_empty() {
        parts.push(format!("NOTHING KILLS {}", strength.survivors().join(", ")));
    }
    parts.join(" · ")
}

fn kill_verb(cases: usize) -> &'static str {
    if cases == 1 { "kills" } else { "kill" }
}

/// Cases that could be removed, judging by these submissions.
fn add_other_cases(document: &mut Document, strength: &Strength) {
    let plain = |case: &&CaseStrength| case.alone_in_group.is_empty() && case.alone.is_empty();
    let quiet: Vec<&CaseStrength> = strength.cases.iter().filter(plain).collect();
    let (dead, shared): (Vec<_>, Vec<_>) = quiet.into_iter().partition(|case| case.kills == 0);
    for (cases, what) in
        [(dead, "no submission"), (shared, "only submissions that others of the group kill as well")]
    {
        if !cases.is_empty() {
            let names = cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>();
            let kill = kill_verb(cases.len());
            let text =
                format!("{} {kill} {what}: {}", counted(cases.len(), "case"), shortened(&names, 6, ", "));
            document.item("    ", &text);
        }
    }
}

/// As many names as fit on the line, and the number of the others.
fn name_line(head: String, names: &[String], width: usize) -> String {
    let mut line = head;
    for (at, name) in names.iter().enumerate() {
        let left = names.len() - at - 1;
        let more = if left > 0 { format!(" +{left}") } else { String::new() };
        let room = width.saturating_sub(line.chars().count() + more.chars().count() + 1);
        if at > 0 && name.chars().count() > room {
            line.push_str(&format!(" +{}", left + 1));
            break;
        }
        if at > 0 {
            line.push(' ');
        }
        line.push_str(&cut_front(name, room.max(8)));
    }
    line.trim_end().to_owned()
}
