//! Answers the protocol of Jobe, the server of Moodle's CodeRunner: runs programs in the sandbox, and judges with packages.
//!
//! ```text
//! connection ──read──► ClientRequest ──ProtocolServer::answer──► ClientReply ──write──► client, and a line for the log
//!                                 ├─ languages, files            at once
//!                                 └─ runs ──► Places: one per CPU, in order
//!                                       ├─ PlainRunner           any language: build, run; nothing is stored
//!                                       └─ GradeSession, Bank    the language `kopek`: a package of the server
//! ```
//!
//! Requests in memory, files, waiting runs and the time for a client have bounds. Nothing here prints; the caller logs.

mod connection;
mod file_cache;
mod judged_problem;
mod reply;
mod request_json;
mod run_places;
mod run_spec;
mod served_languages;

pub use connection::{ApiKeys, serve};
pub use judged_problem::{JudgingRules, Reasons, ServedProblem};
pub use reply::ClientReply;

use crate::{
    base::Bytes,
    machine::Machine,
    sandbox::{Exit, Limit},
    worker::PlainEnd,
};
use anyhow::{Context, Result};
use file_cache::{CACHE_LIMITS, FileCache};
use judged_problem::{NAME, PreparedRun, ServedProblems, UnjudgedProgram};
use reply::{RefusedRequest, RunAnswer, RunOutcome, output_text};
use run_places::{NoPlace, Places, RunPlace};
use run_spec::{ListedFile, RunSpec};
use serde_json::{Value, json};
use served_languages::ServedLanguages;
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};

/// A request without its head.
pub struct ClientRequest<'r> {
    /// `POST`.
    pub method: &'r str,
    pub route: &'r Route,
    pub body: Vec<u8>,
}

/// What a request is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// The state of the server, which administrators ask for without a key.
    Health,
    Languages,
    Runs,
    /// A file by its id.
    File(String),
    Unknown,
}

impl Route {
    /// Reads a path: `/jobe/index.php/restapi/runs`.
    pub fn parse(path: &str) -> Route {
        let path = path.split('?').next().unwrap_or_default();
        if path == "/healthz" {
            return Route::Health;
        }
        let below = ROOTS.iter().find_map(|root| path.strip_prefix(root)).unwrap_or_default();
        let below = below.trim_matches('/');
        match below.split_once('/').unwrap_or((below, "")) {
            ("languages", _) => Route::Languages,
            ("runs", _) => Route::Runs,
            ("files", id) => Route::File(id.to_owned()),
            _ => Route::Unknown,
        }
    }
}

/// The rules of a server.
#[derive(Debug, Clone, Copy)]
pub struct ServerRules {
    /// The longest `cputime` of a run.
    pub most_cpu: Duration,
    /// The most runs that wait.
    pub most_waiting: usize,
    pub judging: JudgingRules,
}

/// Answers requests.
pub struct ProtocolServer<'a> {
    rules: ServerRules,
    languages: ServedLanguages,
    places: Places<RunPlace<'a>>,
    /// For requests in memory, from their bodies to their answers.
    requests: Places<()>,
    files: FileCache,
    problems: Option<ServedProblems<'a>>,
}

/// The places below which the protocol is.
const ROOTS: [&str; 2] = ["/jobe/index.php/restapi", "/jobe/restapi"];

/// Requests in memory at a time; others wait with an unread body.
const MAX_REQUESTS: usize = 32;

/// The most of all files of a run. The same file may be listed under many names.
const MAX_LISTED: Bytes = Bytes::mib(64);

impl<'a> ProtocolServer<'a> {
    /// Finds the languages of the machine. `problems`: `None` without the language `kopek`.
    pub fn new(
        machine: &'a Machine,
        rules: ServerRules,
        problems: Option<Vec<ServedProblem>>,
    ) -> Result<ProtocolServer<'a>> {
        let languages = ServedLanguages::find(machine).context("find the languages of this machine")?;
        let places = Places::new(RunPlace::on_each_cpu(machine, &languages.roots()), rules.most_waiting);
        let requests = Places::new(vec![(); MAX_REQUESTS], rules.most_waiting);
        let served =
            |problems| ServedProblems { machine, problems, rules: rules.judging, unjudged: Mutex::default() };
        let problems = problems.map(served);
        Ok(ProtocolServer {
            rules,
            languages,
            places,
            requests,
            files: FileCache::new(CACHE_LIMITS),
            problems,
        })
    }

    /// Compiles headers that many programs begin with, and returns why some cannot be used.
    pub fn compile_headers(&mut self, machine: &Machine) -> BTreeSet<String> {
        self.languages.compile_headers(machine)
    }

    /// Opens the banks of the packages, and fills them before if that was not done. Takes a minute at most, beside requests.
    pub fn open_banks(&self, stop: &AtomicBool, log: &(dyn Fn(&str) + Sync)) {
        if let Some(problems) = &self.problems {
            problems.open_banks(stop, log);
        }
    }

    /// The names of the languages, in the order of the answer to `GET languages`.
    pub fn language_names(&self) -> Vec<String> {
        let kopek = self.problems.is_some().then(|| NAME.to_owned());
        self.languages.names().into_iter().map(|language| language.name.to_owned()).chain(kopek).collect()
    }

    /// Answers a request; its run ends soon after it is no longer wanted. `None`: it was not wanted any more.
    pub fn answer(
        &self,
        request: ClientRequest,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> Option<ClientReply> {
        self.try_answer(request, is_wanted).unwrap_or_else(|refusal| Some(refusal.into()))
    }

    /// Gives no run a place any more; those that have one end.
    pub fn close(&self) {
        self.requests.close();
        self.places.close();
    }

    /// The answer to a run for which there is no place.
    fn overload(&self) -> ClientReply {
        RunAnswer::new(RunOutcome::Overload).reply(self.places.started())
    }

    fn try_answer(
        &self,
        request: ClientRequest,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<ClientReply>, RefusedRequest> {
        match (request.method, request.route) {
            ("GET", Route::Health) => Ok(Some(ClientReply::with(self.health()))),
            ("GET", Route::Languages) => Ok(Some(self.list_languages())),
            ("POST", Route::Runs) => self.run(request.body, is_wanted),
            ("PUT", Route::File(id)) => {
                self.files.put(id, &request.body).map(|()| Some(ClientReply::empty(204)))
            }
            ("HEAD", Route::File(id)) => {
                Ok(Some(ClientReply::empty(if self.files.get(id).is_some() { 204 } else { 404 })))
            }
            (_, Route::Health | Route::Languages | Route::Runs | Route::File(_)) => {
                Err(RefusedRequest::new(405, "the method is not one of this resource"))
            }
            (_, Route::Unknown) => {
                Err(RefusedRequest::new(404, "not found; the protocol is below /jobe/index.php/restapi"))
            }
        }
    }

    /// The places for runs, the runs that wait for one, those that got one so far, and the programs without a verdict.
    fn health(&self) -> Value {
        let unjudged = self.problems.as_ref().map(|problems| {
            let all = problems.unjudged.lock().unwrap_or_else(PoisonError::into_inner);
            json!(*all)
        });
        let waiting = self.requests.waiting() + self.places.waiting();
        let started = self.places.started();
        json!({"places": self.places.count, "waiting": waiting, "started": started, "unjudged": unjudged})
    }

    fn list_languages(&self) -> ClientReply {
        let names = self.languages.names();
        let mut list: Vec<Value> = names.iter().map(|one| json!([one.name, one.version])).collect();
        if self.problems.is_some() {
            list.push(json!([NAME, env!("CARGO_PKG_VERSION")]));
        }
        ClientReply::with(list.into())
    }

    fn run(
        &self,
        body: Vec<u8>,
        is_wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<ClientReply>, RefusedRequest> {
        let spec = RunSpec::parse(&body, self.rules.most_cpu)?;
        // Many requests wait for a place.
        drop(body);
        let language = spec.language.clone();
        let ended = match &self.problems {
            // Before it waits for a place.
            Some(problems) if spec.language == NAME => match problems.prepare(&spec.source)? {
                PreparedRun::Unjudged(unjudged) => Ok(ServedEnd::Unjudged(unjudged)),
                PreparedRun::Ready(judging) => {
                    drop(spec);
                    self.places.with_place(is_wanted, |place| problems.judge(place, &judging, is_wanted))
                }
            },
            Some(_) | None => {
                let files = self.listed_files(&spec.files)?;
                let program = self.languages.program(spec, files)?;
                self.places.with_place(is_wanted, |place| plain_end(place.plain.run(&program, is_wanted)))
            }
        };
        let reply = match ended {
            Ok(ServedEnd::Answer(answer)) => answer.reply(self.places.started()),
            Ok(ServedEnd::Unjudged(unjudged)) => unjudged.reply(),
            Ok(ServedEnd::Unwanted) | Err(NoPlace::Unwanted) => return Ok(None),
            Err(NoPlace::Overload) => self.overload(),
        };
        Ok(Some(ClientReply { note: format!("{language} {}", reply.note), ..reply }))
    }

    fn listed_files(&self, list: &[ListedFile]) -> Result<Vec<Arc<[u8]>>, RefusedRequest> {
        let mut files = Vec::new();
        let mut left = MAX_LISTED.0;
        for ListedFile { id, .. } in list {
            let Some(bytes) = self.files.get(id) else {
                // Clients know this text, and send the files.
                let why = "One or more of the specified files is missing/unavailable";
                return Err(RefusedRequest::new(404, why));
            };
            let size = bytes.len() as u64;
            left = left.checked_sub(size).ok_or_else(|| {
                RefusedRequest::bad(format!("the files of file_list are larger than {MAX_LISTED}"))
            })?;
            files.push(bytes);
        }
        Ok(files)
    }
}

/// How a run ended.
enum ServedEnd {
    Answer(RunAnswer),
    Unjudged(UnjudgedProgram),
    /// The client went away.
    Unwanted,
}

fn plain_end(ended: Result<PlainEnd, crate::sandbox::Fault>) -> ServedEnd {
    ServedEnd::Answer(match ended {
        Ok(PlainEnd::Unwanted) => return ServedEnd::Unwanted,
        Ok(PlainEnd::Refused(message)) => {
            let compiler = without_box(&output_text(message));
            RunAnswer { compiler, ..RunAnswer::new(RunOutcome::CompileError) }
        }
        Ok(PlainEnd::Ran { exit, stdout, stderr }) => ran_answer(exit, stdout, stderr),
        Err(fault) => {
            // Other faults name paths of this machine.
            let why = if fault.source.is_undecided() {
                format!("{fault}; try again")
            } else {
                "the log of the server says why".to_owned()
            };
            let stderr = format!("kopek could not run the program; {why}");
            RunAnswer { stderr, trouble: Some(fault.to_string()), ..RunAnswer::new(RunOutcome::Fault) }
        }
    })
}

/// Messages name files by their paths, which students do not know.
fn without_box(message: &str) -> String {
    message.replace("/box/", "")
}

/// An exit code is no error, but any text on standard error is one: clients rely on that.
fn ran_answer(exit: Exit, stdout: Vec<u8>, stderr: Vec<u8>) -> RunAnswer {
    let outcome = match exit {
        Exit::Exceeded(Limit::Cpu | Limit::Wall | Limit::Output) => RunOutcome::TimeLimit,
        Exit::Exceeded(Limit::Memory) => RunOutcome::MemoryLimit,
        Exit::Signal(libc::SIGSYS) => RunOutcome::IllegalCall,
        Exit::Exceeded(Limit::Files | Limit::Processes) | Exit::Signal(_) => RunOutcome::RunTimeError,
        Exit::Code(_) if !stderr.is_empty() => RunOutcome::RunTimeError,
        Exit::Code(_) => RunOutcome::Fine,
    };
    let (mut output, mut errors) = (output_text(stdout), without_box(&output_text(stderr)));
    match exit {
        Exit::Code(_) => {}
        Exit::Exceeded(Limit::Cpu | Limit::Wall) => errors.clear(),
        Exit::Exceeded(Limit::Output) => {
            errors.clear();
            // Clients would take a text on standard error for a crash.
            output += "\n[the program wrote too much output]\n";
        }
        Exit::Signal(_) | Exit::Exceeded(_) => {
            if !errors.is_empty() && !errors.ends_with('\n') {
                errors.push('\n');
            }
            errors += &crate::results::exit_text(&exit);
            errors.push('\n');
        }
    }
    RunAnswer { stdout: output, stderr: errors, ..RunAnswer::new(outcome) }
}
