//! The body of a `POST runs`: the program to run, its files and its limits.

use super::{
    reply::RefusedRequest,
    request_json::{JsonList, JsonObject, JsonScalar, MAX_ITEMS, read_body},
};
use serde::Deserialize;
use std::time::Duration;

/// A program to run, as a client describes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RunSpec {
    pub(super) language: String,
    pub(super) source: String,
    /// `None`: the usual name of its language.
    pub(super) file_name: Option<String>,
    pub(super) input: String,
    pub(super) files: Vec<ListedFile>,
    pub(super) parameters: RunParameters,
}

/// A kept file, and its name in the directory of the program.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ListedFile {
    pub(super) id: String,
    pub(super) name: String,
}

/// Limits and arguments; `None`: those of the language.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RunParameters {
    pub(super) cpu: Option<Duration>,
    /// Megabytes; zero: no limit but the server's.
    pub(super) memory: Option<u64>,
    /// Megabytes of written files.
    pub(super) disk: Option<u64>,
    /// Megabytes of each output.
    pub(super) stream: Option<u64>,
    pub(super) processes: Option<u32>,
    /// The class where a Java program begins.
    pub(super) main_class: Option<String>,
    /// Words of a shell command, as all arguments.
    pub(super) compiler: Option<String>,
    pub(super) linker: Option<String>,
    pub(super) interpreter: Option<String>,
    pub(super) program: Option<String>,
}

/// The body as clients write it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BodyFields {
    run_spec: JsonObject<SpecFields>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SpecFields {
    language_id: JsonScalar,
    sourcecode: JsonScalar,
    sourcefilename: JsonScalar,
    input: JsonScalar,
    file_list: JsonList<JsonList<JsonScalar>>,
    parameters: JsonObject<ParameterFields>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ParameterFields {
    cputime: JsonScalar,
    memorylimit: JsonScalar,
    disklimit: JsonScalar,
    streamsize: JsonScalar,
    numprocs: JsonScalar,
    main_class: JsonScalar,
    compileargs: JsonList<JsonScalar>,
    linkargs: JsonList<JsonScalar>,
    interpreterargs: JsonList<JsonScalar>,
    runargs: JsonList<JsonScalar>,
}

/// The most of `disklimit` and `streamsize`, in megabytes.
const MAX_FILES: u64 = 1024;
const MAX_STREAM: u64 = 8;
const MAX_PROCESSES: u64 = 1024;
/// No address space is larger than this many megabytes.
const MAX_MEMORY: u64 = 1 << 27;

impl RunSpec {
    /// Reads the body. `most_cpu` is the longest `cputime` of this server.
    pub(super) fn parse(body: &[u8], most_cpu: Duration) -> Result<RunSpec, RefusedRequest> {
        let body: BodyFields = read_body(body)?;
        let JsonObject::Fields(spec) = body.run_spec else {
            return Err(RefusedRequest::bad("the request has no run_spec, or it is not an object"));
        };
        let required = |text: Option<String>, key: &str| {
            text.ok_or_else(|| {
                RefusedRequest::bad(format!("run_spec is missing the required attribute '{key}'"))
            })
        };
        let language = required(spec.language_id.text("language_id")?, "language_id")?;
        let source = required(spec.sourcecode.text("sourcecode")?, "sourcecode")?;
        let file_name = spec.sourcefilename.text("sourcefilename")?.filter(|name| !name.is_empty());
        if let Some(name) = file_name.as_ref().filter(|name| !is_source_name(name)) {
            return Err(RefusedRequest::bad(format!(
                "sourcefilename {name:?} is not a plain name of a file"
            )));
        }
        let input = spec.input.text("input")?.unwrap_or_default();
        let files = listed_files(spec.file_list)?;
        let parameters = match spec.parameters {
            JsonObject::Fields(parameters) => RunParameters::parse(parameters, most_cpu)?,
            JsonObject::Absent => RunParameters::default(),
            JsonObject::Other => return Err(RefusedRequest::bad("parameters of run_spec is not an object")),
        };
        Ok(RunSpec { language: language.to_lowercase(), source, file_name, input, files, parameters })
    }
}

impl RunParameters {
    fn parse(given: ParameterFields, most_cpu: Duration) -> Result<RunParameters, RefusedRequest> {
        let cpu = number(given.cputime, "cputime")?.map(Duration::try_from_secs_f64).transpose();
        let cpu = cpu.map_err(|_| RefusedRequest::bad("cputime is not a time"))?;
        if cpu.is_some_and(|cpu| cpu > most_cpu) {
            let max = most_cpu.as_secs();
            // Clients know this error by its first words.
            return Err(RefusedRequest::bad(format!(
                "cputime exceeds maximum allowed on this Jobe server ({max} secs)"
            )));
        }
        if cpu.is_some_and(|cpu| cpu.is_zero()) {
            return Err(RefusedRequest::bad("cputime must be more than 0"));
        }
        let main_class = given.main_class.text("main_class")?;
        if let Some(class) = main_class.as_ref().filter(|class| !is_source_name(class)) {
            return Err(RefusedRequest::bad(format!("main_class {class:?} is not a plain name")));
        }
        let processes = whole_number(given.numprocs, "numprocs", MAX_PROCESSES)?;
        Ok(RunParameters {
            cpu,
            memory: number(given.memorylimit, "memorylimit")?
                .map(|megabytes| (megabytes as u64).min(MAX_MEMORY)),
            disk: whole_number(given.disklimit, "disklimit", MAX_FILES)?,
            stream: whole_number(given.streamsize, "streamsize", MAX_STREAM)?,
            processes: processes.map(|processes| processes as u32),
            main_class,
            compiler: words(given.compileargs, "compileargs")?,
            linker: words(given.linkargs, "linkargs")?,
            interpreter: words(given.interpreterargs, "interpreterargs")?,
            program: words(given.runargs, "runargs")?,
        })
    }
}

/// A number that is not negative; teachers also write it as a text.
fn number(given: JsonScalar, key: &str) -> Result<Option<f64>, RefusedRequest> {
    let number = match given {
        JsonScalar::Absent => return Ok(None),
        JsonScalar::Text(text) if text.trim().is_empty() => return Ok(None),
        JsonScalar::Text(text) => text.trim().parse().ok(),
        JsonScalar::Number(number) => Some(number),
        JsonScalar::Other => None,
    };
    match number {
        Some(number) if number >= 0.0 && number.is_finite() => Ok(Some(number)),
        Some(_) | None => Err(RefusedRequest::bad(format!("{key} is not a number, or less than 0"))),
    }
}

fn whole_number(given: JsonScalar, key: &str, max: u64) -> Result<Option<u64>, RefusedRequest> {
    match number(given, key)? {
        Some(number) if number > max as f64 => {
            Err(RefusedRequest::bad(format!("{key} is more than {max}, the most of this server")))
        }
        number => Ok(number.map(|number| number.ceil() as u64)),
    }
}

/// A list of arguments as words of a shell command. An argument may be several words: `-x c`.
fn words(given: JsonList<JsonScalar>, key: &str) -> Result<Option<String>, RefusedRequest> {
    let wrong = || RefusedRequest::bad(format!("{key} is not a list of at most {MAX_ITEMS} texts"));
    let list = match given {
        JsonList::Absent => return Ok(None),
        JsonList::Items(list) => list,
        JsonList::Other => return Err(wrong()),
    };
    let mut texts = Vec::new();
    for item in list {
        let JsonScalar::Text(text) = item else { return Err(wrong()) };
        texts.push(text);
    }
    let texts = texts.join(" ");
    if texts.contains('\0') { Err(wrong()) } else { Ok(Some(texts)) }
}

fn listed_files(list: JsonList<JsonList<JsonScalar>>) -> Result<Vec<ListedFile>, RefusedRequest> {
    match list {
        JsonList::Absent => Ok(Vec::new()),
        JsonList::Items(list) => list.into_iter().map(listed_file).collect(),
        JsonList::Other => {
            Err(RefusedRequest::bad(format!("file_list is not a list of at most {MAX_ITEMS} files")))
        }
    }
}

fn listed_file(entry: JsonList<JsonScalar>) -> Result<ListedFile, RefusedRequest> {
    let given = match entry {
        JsonList::Items(items) => items,
        JsonList::Absent | JsonList::Other => Vec::new(),
    };
    match &given[..] {
        [JsonScalar::Text(id), JsonScalar::Text(name)]
        | [JsonScalar::Text(id), JsonScalar::Text(name), _] => {
            if is_file_id(id) && is_file_name(name) {
                return Ok(ListedFile { id: id.to_ascii_lowercase(), name: name.clone() });
            }
            Err(RefusedRequest::bad(format!(
                "[{id:?}, {name:?}] in file_list needs an id of 8 to 64 letters and digits, and a plain name of a file"
            )))
        }
        _ => Err(RefusedRequest::bad("an entry of file_list is not [id, name]")),
    }
}

/// The id of a kept file, usually its MD5.
pub(super) fn is_file_id(id: &str) -> bool {
    (8..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

const MAX_NAME: usize = 200;

fn is_file_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    name.len() <= MAX_NAME && name.chars().all(is_plain) && name.chars().any(char::is_alphanumeric)
}

/// Compilers would take a name that begins with `-` for an option.
fn is_source_name(name: &str) -> bool {
    is_file_name(&name.replace('+', "-")) && !name.starts_with(['.', '-', '+'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(spec: &str) -> Result<RunSpec, String> {
        let body = format!("{{\"run_spec\": {spec}}}");
        RunSpec::parse(body.as_bytes(), Duration::from_secs(20)).map_err(|refusal| refusal.why)
    }

    #[test]
    fn a_bad_request_is_refused_with_the_name_of_what_is_bad() {
        for (spec, part) in [
            ("7", "no run_spec"),
            ("{}", "language_id"),
            (r#"{"language_id": "c"}"#, "sourcecode"),
            (r#"{"language_id": "c", "sourcecode": 7}"#, "sourcecode is not a text"),
            (r#"{"language_id": "c", "sourcecode": "", "sourcefilename": "../a.c"}"#, "\"../a.c\""),
            (r#"{"language_id": "c", "sourcecode": "", "sourcefilename": "-o.c"}"#, "\"-o.c\""),
            (r#"{"language_id": "c", "sourcecode": "", "sourcefilename": "a b; c"}"#, "\"a b; c\""),
            (r#"{"language_id": "c", "sourcecode": "", "file_list": 1}"#, "file_list"),
            (r#"{"language_id": "c", "sourcecode": "", "file_list": [["0123456789", ".."]]}"#, "\"..\""),
            (r#"{"language_id": "c", "sourcecode": "", "file_list": [["0123456789", "a/b"]]}"#, "a/b"),
            (r#"{"language_id": "c", "sourcecode": "", "file_list": [["../../x12", "b"]]}"#, "../../x12"),
            (r#"{"language_id": "c", "sourcecode": "", "file_list": [["short", "b"]]}"#, "short"),
            (r#"{"language_id": "c", "sourcecode": "", "parameters": 7}"#, "parameters"),
            (
                r#"{"language_id": "c", "sourcecode": "", "parameters": {"cputime": 21}}"#,
                "cputime exceeds maximum",
            ),
            (r#"{"language_id": "c", "sourcecode": "", "parameters": {"cputime": "many"}}"#, "cputime"),
            (r#"{"language_id": "c", "sourcecode": "", "parameters": {"cputime": 0}}"#, "cputime"),
            (r#"{"language_id": "c", "sourcecode": "", "parameters": {"streamsize": 1000}}"#, "streamsize"),
            (r#"{"language_id": "c", "sourcecode": "", "parameters": {"numprocs": -1}}"#, "numprocs"),
            (r#"{"language_id": "c", "sourcecode": "", "parameters": {"runargs": "x"}}"#, "runargs"),
            (r#"{"language_id": "c", "sourcecode": "", "parameters": {"main_class": "$(x)"}}"#, "main_class"),
        ] {
            let why = parse(spec).unwrap_err();
            assert!(why.contains(part), "{spec}: {why}");
        }
        assert!(RunSpec::parse(b"{", Duration::ZERO).unwrap_err().why.contains("not JSON"));
        assert!(RunSpec::parse(b"[1]", Duration::ZERO).unwrap_err().why.contains("not a JSON object"));
    }

    #[test]
    fn lists_are_bounded_and_unknown_values_are_skipped() {
        let deep = "[".repeat(100) + &"]".repeat(100);
        let of_arguments = |count: usize| {
            let list = vec!["\"-O1\""; count].join(", ");
            format!(
                r#"{{"language_id": "c", "sourcecode": "x", "other": {deep},
                "parameters": {{"runargs": [{list}], "odd": [{{"a": {deep}}}, null, true, -1, 1e3]}}}}"#
            )
        };
        assert!(parse(&of_arguments(MAX_ITEMS)).is_ok());
        assert!(parse(&of_arguments(MAX_ITEMS + 1)).unwrap_err().contains("runargs"));
        for wrong in ["[[]]", "[[1, 2]]", "[[\"0123456789\"]]", "{}", "[[[\"0123456789\"], \"b\"]]"] {
            let spec = format!(r#"{{"language_id": "c", "sourcecode": "", "file_list": {wrong}}}"#);
            assert!(parse(&spec).unwrap_err().contains("file_list"), "{wrong}");
        }
    }

    #[test]
    fn limits_are_numbers_or_texts_and_arguments_are_words() {
        let spec = parse(
            r#"{"language_id": "C", "sourcecode": "x", "input": null, "file_list": [["0123456789ABCDEF", "a.h", 0]],
            "parameters": {"cputime": "1.5", "memorylimit": 1e30, "disklimit": "", "numprocs": 3,
            "compileargs": ["-x c", "-Wall"], "runargs": []}}"#,
        );
        let spec = spec.unwrap();
        assert_eq!((&*spec.language, &*spec.files[0].id), ("c", "0123456789abcdef"));
        let wanted = RunParameters {
            cpu: Some(Duration::from_millis(1500)),
            memory: Some(MAX_MEMORY),
            processes: Some(3),
            compiler: Some("-x c -Wall".into()),
            program: Some(String::new()),
            ..RunParameters::default()
        };
        assert_eq!(spec.parameters, wanted);
        assert_eq!(
            parse(r#"{"language_id": "c", "sourcecode": "", "parameters": []}"#).unwrap().parameters,
            RunParameters::default()
        );
    }
}
