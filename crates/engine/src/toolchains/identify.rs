//! Determines a toolchain's identity, which is part of every key. Runs the tools themselves, inside the
//! sandbox.

use super::{
    guard::parts,
    locate::{self, Search},
    tools::{NoToolchain, find_tools},
};
use kopek_base::{Bytes, Digest, DigestFields};
use kopek_package::language::{Extra, Language, MissingToolchain, Toolchain, Values, fill, show_in_place};
use kopek_sandbox::{CapturedOutput, Exec, Exit, Fault, Input, Keep, Limits, RunResult, SandboxView, Slot};
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

/// Finds the row's programs and runs them to get their version.
pub fn identify_toolchain(
    slot: &mut Slot,
    language: &Language,
    search: &Search,
) -> Result<Toolchain, NoToolchain> {
    let tools = find_tools(language, search)?;
    let view = toolchain_view(language, &tools, search);
    let mut probe = ToolProbe { slot, language, tools: &tools, view: &view };
    let text = version_text(&mut probe)?;
    let mut extras = BTreeMap::new();
    for extra in &language.extras {
        extras.insert(extra.name.clone(), ask_extra(&mut probe, extra)?);
    }
    let digest = toolchain_digest(language, &tools, &extras, &text)?;
    let builds = language.build.as_ref().unwrap_or(&language.run);
    let program = tools.iter().find(|(tool, _)| builds.contains(&format!("{{{tool}}}")));
    let program =
        program.or(tools.iter().next()).map(|(_, path)| path.canonicalize().unwrap_or(path.clone()));
    let version = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned();
    Ok(Toolchain {
        code: language.code.clone(),
        program: program.unwrap_or_default(),
        version,
        digest,
        roots: view.mounts.into_iter().map(|shown| shown.host).collect(),
        tools,
        extras,
        warm: None,
        guards: vec![],
    })
}

/// The view that the programs need beside the basis, at the same paths as outside.
fn toolchain_view(language: &Language, tools: &BTreeMap<String, PathBuf>, search: &Search) -> SandboxView {
    let mut roots = locate::visible_roots(&locate::real_paths(tools.values()), search);
    roots.extend(locate::existing_paths(&language.needs));
    SandboxView { mounts: show_in_place(&roots), proc: language.proc || language.build_proc, writable: true }
}

/// Runs the tools of a language.
struct ToolProbe<'a> {
    slot: &'a mut Slot,
    language: &'a Language,
    tools: &'a BTreeMap<String, PathBuf>,
    view: &'a SandboxView,
}

impl ToolProbe<'_> {
    fn fill_command(&self, command: &[String]) -> Vec<String> {
        let values = self.tools.iter().map(|(tool, path)| (tool.clone(), vec![path.display().to_string()]));
        fill(command, &values.collect())
    }
}

fn version_text(probe: &mut ToolProbe) -> Result<String, NoToolchain> {
    let language = probe.language;
    let argv = probe.fill_command(&language.probe);
    let ran = run_probe(probe, &argv)?;
    let out = output_text(&ran.stdout)?;
    let err = output_text(&ran.stderr)?;
    // Some programs print their version to standard error, for example `java -version`.
    let text = if out.trim().is_empty() { &err } else { &out };
    if ran.exit != Exit::Code(0) || text.trim().is_empty() {
        let why =
            err.lines().chain(out.lines()).find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
        return Err(
            MissingToolchain::new(language, format!("`{}` does not work: {why}", argv.join(" "))).into()
        );
    }
    Ok(text.clone())
}

fn ask_extra(probe: &mut ToolProbe, extra: &Extra) -> Result<Vec<String>, NoToolchain> {
    let argv = probe.fill_command(&extra.ask);
    let ran = run_probe(probe, &argv)?;
    let output = output_text(&ran.stdout)?;
    if ran.exit == Exit::Code(0) && output.contains(&extra.answer) {
        let values = Values::from([("said".to_owned(), vec![output.trim().to_owned()])]);
        return Ok(fill(&extra.give, &values));
    }
    match &extra.demand {
        Some(demand) => Err(MissingToolchain::new(probe.language, demand.clone()).into()),
        None => Ok(extra.otherwise.clone()),
    }
}

/// A version probe that needs more is broken.
const PROBE: Limits = Limits {
    cpu: Duration::from_secs(20),
    wall: Duration::from_secs(60),
    memory: Bytes::mib(1024),
    output: Bytes::mib(1),
    files: Bytes::mib(64),
    processes: 64,
};

fn run_probe(probe: &mut ToolProbe, argv: &[String]) -> Result<RunResult, Fault> {
    probe.slot.run(&Exec {
        argv: argv.to_vec(),
        env: probe.language.env.clone().into_iter().collect(),
        view: probe.view.clone(),
        cwd: "/box".into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: PROBE,
        extension: None,
        enough_cpu: Duration::MAX,
        keep: Keep::Nothing,
        reserves: false,
    })
}

pub(crate) fn output_text(captured: &CapturedOutput) -> Result<String, Fault> {
    let bytes =
        captured.head(1 << 16).map_err(|e| Fault::new(format!("read the output of a toolchain: {e}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn toolchain_digest(
    language: &Language,
    tools: &BTreeMap<String, PathBuf>,
    extras: &BTreeMap<String, Vec<String>>,
    text: &str,
) -> Result<Digest, NoToolchain> {
    let mut fields = DigestFields::new("toolchain").with("version", text.as_bytes());
    // Every program is linked with it or runs on it, though it is not a tool of any row.
    let library = locate::c_library().map(|path| ("C library".to_owned(), path.to_owned()));
    let parts = parts(language, tools).into_iter().map(|path| ("part".to_owned(), path));
    for (tool, path) in tools.clone().into_iter().chain(library).chain(parts) {
        let contents = Digest::of_file(&path)
            .map_err(|e| MissingToolchain::new(language, format!("read {}: {e}", path.display())))?;
        fields = fields.with("tool", tool.as_bytes()).with("path", path.as_os_str().as_encoded_bytes());
        fields = fields.with("contents", contents.to_string().as_bytes());
    }
    for (name, arguments) in extras {
        fields = fields.with("extra", name.as_bytes()).with("arguments", arguments.join("\0").as_bytes());
    }
    Ok(fields.digest())
}
