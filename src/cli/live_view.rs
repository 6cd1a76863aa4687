//! A live page of a class for a browser, while it is judged.

use super::terminal_output::print_message;
use crate::{
    grade::{GradeEvent, run_limits},
    package::{Package, Participant},
    render::{ClassView, class_page},
    results::{GroupHead, Noise, OpenCase, OpenReason, PackageReport, Report, ResultKind, RowReport},
    score::Scorecard,
    web::{HttpReply, HttpRequest, LocalServer, WebSite},
};
use anyhow::{Context, Result};
use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The option for a live page.
#[derive(clap::Args)]
pub(super) struct LiveOptions {
    /// Show live results in a browser, on this machine or at a HOST:PORT
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "0",
        value_parser = parse_address)]
    serve: Option<SocketAddr>,
}

/// A port alone means this machine.
fn parse_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    let text = text.replacen("localhost:", "127.0.0.1:", 1);
    text.parse()
        .map_err(|_| "write a port, or an IP address and a port: 8000, 127.0.0.1:8000, [::1]:8000".to_owned())
}

impl LiveOptions {
    /// Starts the server and prints its address.
    pub(super) fn start(&self, empty: &Report) -> Result<Option<LiveView>> {
        let Some(address) = self.serve else { return Ok(None) };
        let results = Arc::new(LiveResults {
            state: Mutex::new(LiveState {
                report: empty.clone(),
                progress: "Judging begins.".to_owned(),
                counts: StageCounts::default(),
                version: 0,
                ended: false,
                watchers: 0,
                opened: false,
                fetched: 0,
            }),
            changed: Condvar::new(),
        });
        let server = LocalServer::start(address, results.clone()).context("serve the live page")?;
        print_message!("live: {}", server.url());
        if !address.ip().is_loopback() {
            print_message!(
                "warning: other machines can reach {address}; everyone with the URL above sees all results"
            );
        }
        Ok(Some(LiveView { results, server }))
    }
}

/// The live page; it ends when this is dropped.
pub(super) struct LiveView {
    results: Arc<LiveResults>,
    server: LocalServer,
}

struct LiveResults {
    state: Mutex<LiveState>,
    changed: Condvar,
}

struct LiveState {
    report: Report,
    progress: String,
    counts: StageCounts,
    /// Increases with every change.
    version: u64,
    ended: bool,
    /// Browsers that receive changes now.
    watchers: usize,
    /// Whether a browser has fetched the page.
    opened: bool,
    /// Number of fetches since the end.
    fetched: usize,
}

/// Progress of a stage.
#[derive(Default)]
struct StageCounts {
    stage: &'static str,
    jobs: usize,
    done: usize,
}

/// Minimum time between updates, so that the page does not flicker.
const PAUSE: Duration = Duration::from_millis(700);
/// Time between signs of life on a silent connection.
const SIGN_OF_LIFE: Duration = Duration::from_secs(8);
/// Maximum wait at the end for watching browsers to fetch the last state.
const FAREWELL: Duration = Duration::from_secs(5);

impl LiveView {
    /// Starts a package.
    pub(super) fn begin_package(&self, package: &Package, cohort: &[Participant]) {
        let limits = run_limits(package);
        let kind = if package.kind.scoring { ResultKind::Scoring } else { ResultKind::PassFail };
        let begun = PackageReport {
            name: package.name.clone(),
            uuid: package.about.uuid.clone(),
            title: package.about.titles.values().next().cloned().unwrap_or_default(),
            kind,
            groups: Vec::new(),
            time_limit: limits.cpu,
            calibration: package.limits.calibration.clone(),
            memory_limit: limits.memory,
            noise: Noise::default(),
            data: None,
            excluded: Vec::new(),
            rows: cohort.iter().map(RowReport::unjudged).collect(),
        };
        self.change(|state| state.report.packages.push(begun));
    }

    /// Shows an event.
    pub(super) fn show_event(&self, event: &GradeEvent) {
        self.change(|state| state.show_event(event));
    }

    /// Shows the complete results of a package.
    pub(super) fn end_package(&self, report: &Report) {
        self.change(|state| state.report = report.clone());
    }

    /// Shows the last state until all watching browsers have it.
    pub(super) fn end(self, report: &Report) {
        let mut watchers = 0;
        self.change(|state| {
            state.report = report.clone();
            state.ended = true;
            // A page opened just now does not listen yet.
            watchers = state.watchers.max(usize::from(state.opened));
        });
        let state = self.results.lock();
        let waiting =
            self.results.changed.wait_timeout_while(state, FAREWELL, |state| state.fetched < watchers);
        drop(waiting);
        drop(self.server);
    }

    fn change(&self, act: impl FnOnce(&mut LiveState)) {
        let mut state = self.results.lock();
        act(&mut state);
        state.version += 1;
        drop(state);
        self.results.changed.notify_all();
    }
}

impl LiveState {
    fn show_event(&mut self, event: &GradeEvent) {
        match event {
            GradeEvent::Wave { what, jobs, .. } => {
                self.counts = StageCounts { stage: what, jobs: *jobs, done: 0 }
            }
            GradeEvent::Built { .. } | GradeEvent::Tried { .. } => self.counts.done += 1,
            GradeEvent::Finished(_) => {}
            GradeEvent::Spared(jobs) => self.counts.jobs = self.counts.jobs.saturating_sub(*jobs),
            GradeEvent::Failed(fault) => {
                self.counts.done += 1;
                let why = OpenReason::Fault(fault.to_string());
                self.report.faults.push(OpenCase { package: String::new(), what: String::new(), why });
            }
            GradeEvent::Standing(cards) => self.put_cards(cards.fold()),
        }
        let StageCounts { stage, jobs, done } = self.counts;
        let name = self.report.packages.last().map(|package| package.name.as_str()).unwrap_or_default();
        self.progress = format!("Judging {name}: {stage}, {done} of {jobs} done.");
    }

    fn put_cards(&mut self, cards: Vec<(usize, Scorecard)>) {
        let Some(package) = self.report.packages.last_mut() else { return };
        for (row, card) in cards {
            if package.groups.is_empty() {
                let heads = card.groups.iter();
                package.groups = heads
                    .map(|group| GroupHead { name: group.name.clone(), max: group.max.clone() })
                    .collect();
            }
            if let Some(row) = package.rows.get_mut(row) {
                row.card = card;
            }
        }
    }
}

impl LiveResults {
    fn lock(&self) -> MutexGuard<'_, LiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn page(&self) -> String {
        let mut state = self.lock();
        state.opened = true;
        state.fetched += usize::from(state.ended);
        // Copied, so that judging does not wait for rendering.
        let (report, progress, ended) = (state.report.clone(), state.progress.clone(), state.ended);
        drop(state);
        self.changed.notify_all();
        let live = (!ended).then_some(("events", progress.as_str()));
        class_page(&report, ClassView { pages: None, live })
    }

    /// Waits for a change since this version. Returns the new version, and whether it is the last. The same
    /// version means that nothing changed for a while.
    fn wait_for_change(&self, since: Option<u64>) -> (u64, bool) {
        let state = self.lock();
        let waiting =
            self.changed.wait_timeout_while(state, SIGN_OF_LIFE, |state| Some(state.version) == since);
        let (state, _) = waiting.unwrap_or_else(PoisonError::into_inner);
        (state.version, state.ended)
    }
}

impl WebSite for LiveResults {
    fn answer(self: Arc<Self>, path: &str, request: &HttpRequest) -> HttpReply {
        match (request.method.as_str(), path) {
            ("GET", "") => HttpReply::Text("text/html", self.page()),
            ("GET", "events") => HttpReply::Events(Box::new(event_stream(Watcher::new(self)))),
            _ => HttpReply::NotFound,
        }
    }
}

/// A browser that receives changes, counted until this is dropped.
struct Watcher(Arc<LiveResults>);

impl Watcher {
    fn new(results: Arc<LiveResults>) -> Watcher {
        results.lock().watchers += 1;
        Watcher(results)
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.0.lock().watchers -= 1;
    }
}

/// The events for one browser: the version of each change, and finally `end`.
fn event_stream(watcher: Watcher) -> impl FnMut() -> Option<String> + Send {
    let (mut last, mut ended) = (None, false);
    move || {
        if ended {
            return None;
        }
        // Fast trials end in bursts; the page need not follow each one.
        std::thread::sleep(if last.is_some() { PAUSE } else { Duration::ZERO });
        let (version, is_last) = watcher.0.wait_for_change(last);
        ended = is_last;
        Some(match last.replace(version) {
            _ if is_last => "end".to_owned(),
            Some(known) if known == version => String::new(),
            Some(_) | None => version.to_string(),
        })
    }
}
