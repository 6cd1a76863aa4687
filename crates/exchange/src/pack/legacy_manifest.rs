//! `problem.yaml` of version legacy.

use super::{losses::Loss, pack_layout::PackLayout, target::Target};
use kopek_base::Bytes;
use kopek_engine::package::{
    Judge,
    yaml::{YamlNode, emit},
};
use std::time::Duration;

const HEAD: &str = "# Packed by kopek from a package of version 2025-09: change that one, not this.\n";

impl PackLayout<'_> {
    pub fn add_problem_yaml(&mut self) {
        let mut keys = vec![("problem_format_version", YamlNode::string("legacy"))];
        keys.extend(self.about_keys().into_iter().map(|(key, value)| (key, YamlNode::quoted_string(&value))));
        keys.push(("type", YamlNode::string(self.type_words())));
        if let Judge::Programs { .. } = self.package.judge {
            keys.push(("validation", YamlNode::string(self.validation_words())));
        }
        if let Some(flags) = self.common_flags.as_ref().filter(|flags| !flags.is_empty()) {
            keys.push(("validator_flags", YamlNode::quoted_string(flags)));
        }
        if self.package.kind.scoring && self.target == Target::Kattis {
            keys.push(("grading", YamlNode::map([("show_test_data_groups", YamlNode::bare(true))])));
        }
        let limits = self.limit_keys().into_iter().map(|(key, value)| (key, YamlNode::bare(value)));
        keys.push(("limits", YamlNode::map(limits)));
        self.add_text("problem.yaml", HEAD.to_owned() + &emit(&YamlNode::map(keys)));
        self.note_unsaid();
    }

    fn about_keys(&self) -> Vec<(&'static str, String)> {
        let about = &self.package.about;
        let title = about.titles.get("en").or_else(|| about.titles.values().next());
        // Legacy separates keywords by spaces.
        let keywords: Vec<String> = about.keywords.iter().map(|word| word.replace(' ', "-")).collect();
        let authors = about.credits.get("authors").map(|names| names.join(", "));
        let all = [
            ("name", title.cloned()),
            ("uuid", about.uuid.clone()),
            ("author", authors),
            ("source", about.source.first().cloned()),
            ("license", about.license.clone()),
            ("rights_owner", about.rights_owner.clone()),
            ("keywords", (!keywords.is_empty()).then(|| keywords.join(" "))),
        ];
        all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }

    /// DOMjudge reads `validation` only if it is one of three phrases; these words hold the rest.
    fn type_words(&self) -> String {
        let kind = self.package.kind;
        let mut words = vec![if kind.scoring { "scoring" } else { "pass-fail" }];
        if self.target == Target::Domjudge && (kind.interactive && (kind.multi_pass || self.writes_scores()))
        {
            words.push("interactive");
            words.extend(kind.multi_pass.then_some("multi-pass"));
        }
        words.join(" ")
    }

    fn validation_words(&self) -> String {
        let kind = self.package.kind;
        let words = [
            ("score", self.writes_scores()),
            ("interactive", kind.interactive),
            ("multi-pass", kind.multi_pass),
        ];
        let present = words.into_iter().filter_map(|(word, holds)| holds.then_some(word));
        std::iter::once("custom").chain(present).collect::<Vec<_>>().join(" ")
    }

    fn limit_keys(&self) -> Vec<(&'static str, String)> {
        let limits = &self.package.limits;
        // Legacy counts in whole units, and a limit of 0 would leave nothing.
        let mib = |size: Bytes| (size.0 >> 20).max(1).to_string();
        let seconds = |time: Duration| time.as_secs().max(1).to_string();
        let mut all = vec![
            ("time_multiplier", limits.ac_to_time_limit.to_string()),
            ("time_safety_margin", limits.time_limit_to_tle.to_string()),
            ("memory", mib(limits.memory)),
            ("output", mib(limits.output)),
            ("code", (limits.code.0 >> 10).max(1).to_string()),
            ("compilation_time", seconds(limits.compilation_time)),
            ("compilation_memory", mib(limits.compilation_memory)),
            ("validation_time", seconds(limits.validation_time)),
            ("validation_memory", mib(limits.validation_memory)),
            ("validation_output", mib(limits.validation_output)),
        ];
        if self.package.kind.multi_pass {
            all.push(("validation_passes", limits.validation_passes.to_string()));
        }
        all
    }

    /// Settings of `problem.yaml` that legacy lacks.
    fn note_unsaid(&mut self) {
        let (package, at) = (self.package, "problem.yaml");
        if let (Target::Kattis, Some(limit)) = (self.target, package.limits.time) {
            let seconds = limit.as_secs_f64();
            self.add_text(".timelimit", format!("{seconds}\n"));
            let times = package.limits.ac_to_time_limit;
            self.report_loss(Loss::TimeLimit, at, &[&seconds.to_string(), &times.to_string()]);
        }
        if !package.allow_file_writing {
            self.report_loss(Loss::FileWriting, at, &[]);
        }
    }
}
