//! Hostile sources: what a compiler can be made to read, run or burn. They are built
//! as every submission is, by the real rows of the table of languages.

use super::report_count;
use crate::toolchain_search::search;
use crate::{ordinary_user::open_sandbox, skip};
use kopek::{
    base::Bytes,
    language::{
        self, BuiltFiles, Language, LanguageTable, Links, ReadyLanguage, SourceFiles, SourceLayout,
        Toolchain, read_files,
    },
    sandbox::*,
    toolchains::{self, NoToolchain},
};
use std::{collections::HashMap, path::PathBuf, sync::Mutex, time::Duration};

/// A source and what must become of it.
struct HostileSource {
    name: &'static str,
    language: &'static str,
    /// `§` is replaced by the path of a file that it must not see.
    text: &'static str,
    /// More files, handed in with it.
    beside: &'static [(&'static str, &'static str)],
    ends: SourceEnd,
    /// Milliseconds of CPU for its build, and for its run.
    cpu: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum SourceEnd {
    /// A compile error.
    Rejected,
    /// It is built, and its run prints "refused".
    Harmless,
    /// It is built or not, and its run does not end well.
    Broken,
}

use SourceEnd::{Broken, Harmless, Rejected};

const fn hostile(
    name: &'static str,
    language: &'static str,
    text: &'static str,
    ends: SourceEnd,
) -> HostileSource {
    HostileSource { name, language, text, beside: &[], ends, cpu: 5000 }
}

impl HostileSource {
    /// Burns whatever time it is given: gets little.
    const fn burns(mut self) -> HostileSource {
        self.cpu = 400;
        self
    }

    const fn beside(mut self, files: &'static [(&'static str, &'static str)]) -> HostileSource {
        self.beside = files;
        self
    }
}

const SECRET: &str = "the-answer-to-everything";
const LOOK: &str = "print('refused')";

const SOURCES: &[HostileSource] = &[
    hostile("includes the passwords", "c", "#include \"/etc/shadow\"\nint main(void) {}", Rejected),
    hostile("includes the answer", "c", "#include \"§\"\nint main(void) {}", Rejected),
    hostile("includes noise without end", "c", "#include \"/dev/urandom\"\nint main(void) {}", Rejected).burns(),
    hostile("includes zeros without end", "c", "#include \"/dev/zero\"\nint main(void) {}", Rejected).burns(),
    hostile("includes its input", "c", "#include \"/dev/stdin\"\nint main(void) {}", Rejected),
    hostile("includes itself", "c", "#include __FILE__\nint main(void) {}", Rejected),
    hostile("climbs to the passwords", "c", "#include \"../../../../etc/shadow\"\nint main(void) {}", Rejected),
    hostile("assembles the answer", "c", "__asm__(\".incbin \\\"§\\\"\");\nint main(void) {}", Rejected),
    hostile("assembles the environment", "c", "__asm__(\".incbin \\\"/proc/self/environ\\\"\");\nint main(void) {}", Rejected),
    hostile("assembles the passwords as text", "c", "__asm__(\".include \\\"/etc/shadow\\\"\");\nint main(void) {}", Rejected),
    hostile("depends on the answer", "c", "#pragma GCC dependency \"§\"\nint main(void) {}", Rejected),
    hostile("asks whether the answer is there", "c", "#include <stdio.h>\n#if __has_include(\"§\")\nint main(void) { puts(\"done\"); }\n#else\nint main(void) { puts(\"refused\"); }\n#endif", Harmless),
    hostile("loads a plugin by an attribute", "c", "#include <stdio.h>\n__attribute__((optimize(\"fplugin=./x.so\"))) int main(void) { puts(\"done\"); return 3; }", Broken),
    hostile("explodes macros", "c", "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(x)))))\nint main(void) { B(B(1;)) }", Rejected).burns(),
    hostile("initialises a gigabyte", "c", "int a[1 << 28] = {1};\nint main(void) {}", Rejected),
    hostile("needs a terabyte", "c", "static char b[1L << 40];\nint main(int n, char **v) { for (long i = 0; i < 1L << 40; i += 4096) b[i] = 1; return b[n]; }", Broken),
    hostile("names a loader that is not there", "c", "const char loader[] __attribute__((section(\".interp\"))) = \"/no/such/loader\";\nint main(void) { return 3; }", Broken),
    hostile("recurses in templates", "cpp", "template <int N, int M> struct F { static const long v = F<N - 1, M>::v + F<N - 1, M + N>::v; };\ntemplate <int M> struct F<0, M> { static const long v = M; };\nint main() { return F<800, 1>::v; }", Rejected).burns(),
    hostile("computes in the compiler", "cpp", "constexpr long f() { long s = 0; for (long i = 0; i < 1L << 50; i++) s += i; return s; }\nconstexpr long x = f();\nint main() { return x; }", Rejected).burns(),
    hostile("floods with errors", "cpp", "#define A x y z; x y z; x y z; x y z; x y z;\n#define B A A A A A A A A A A\n#define C B B B B B B B B B B\nC C C C C C C C C C", Rejected),
    hostile("reads by include_str", "rust", "fn main() { print!(\"{}\", include_str!(\"§\")); }", Rejected),
    hostile("reads by include_bytes", "rust", "fn main() { println!(\"{:?}\", include_bytes!(\"/etc/shadow\")); }", Rejected),
    hostile("takes a module from elsewhere", "rust", "#[path = \"§\"] mod x; fn main() {}", Rejected),
    hostile("reads the environment", "rust", "fn main() { println!(\"{}\", env!(\"CARGO_HOME\")); }", Rejected),
    hostile("asks for the environment", "rust", "fn main() { println!(\"{}\", if option_env!(\"USER\").or(option_env!(\"CARGO_HOME\")).is_some() { \"done\" } else { \"refused\" }); }", Harmless),
    hostile("brings a procedural macro", "rust", "extern crate proc_macro; use proc_macro::TokenStream;\n#[proc_macro] pub fn m(x: TokenStream) -> TokenStream { std::fs::read_to_string(\"§\").unwrap(); x }\nfn main() {}", Rejected),
    hostile("links a procedural macro", "rust", "#[macro_use] extern crate evil; fn main() { evil!(); }", Rejected).beside(&[("evil/lib.rs", "#![crate_type = \"proc-macro\"]")]),
    hostile("brings a build script", "rust", "fn main() { println!(\"{}\", if std::path::Path::new(\"/tmp/x\").exists() { \"done\" } else { \"refused\" }); }", Harmless).beside(&[("build.rs", "fn main() { std::fs::write(\"/tmp/x\", \"\").unwrap(); }"), ("Cargo.toml", "[package]\nname = \"x\"\nbuild = \"build.rs\"")]),
    hostile("recurses in macros", "rust", "macro_rules! m { ($($x:tt)*) => { m!($($x)* $($x)*) } } fn main() { m!(1 1); }", Rejected).burns(),
    hostile("brings an annotation processor", "java", "@Deprecated public class Main { public static void main(String[] a) { System.out.println(new java.io.File(\"/exe/ran\").exists() ? \"done\" : \"refused\"); } }", Harmless).beside(&[
        ("P.java", "import java.util.*; import javax.annotation.processing.*; import javax.lang.model.element.*; @SupportedAnnotationTypes(\"*\") public class P extends AbstractProcessor { static { try { new java.io.File(\"/box/ran\").createNewFile(); } catch (Exception e) { } } public boolean process(Set<? extends TypeElement> s, RoundEnvironment r) { return true; } }"),
        ("META-INF/services/javax.annotation.processing.Processor", "P"),
    ]),
    hostile("brings hooks of the interpreter", "python3", LOOK, Harmless).beside(&[("sitecustomize.py", "print('done')"), ("usercustomize.py", "print('done')"), ("x.pth", "import os; print('done')"), ("python3._pth", "import os")]),
    hostile("runs while it is compiled", "python3", "import os\nprint('done' if os.path.exists('/exe/ran') or os.path.exists('§') else 'refused')\ntry: open('/box/ran', 'w')\nexcept OSError: pass", Harmless),
    hostile("nests beyond the parser", "python3", "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", Rejected),
    hostile("folds constants without end", "python3", "x = 9 ** 9 ** 9 ** 9\nprint(x)", Broken).burns(),
    hostile("declares a coding of its own", "python3", "# coding: evil\nprint('done')", Rejected).beside(&[("evil.py", "print('done')")]),
    hostile("reads and runs before it is compiled", "perl", "BEGIN { open(F, '<', '§') and print <F>; system('cat /etc/shadow 2>/dev/null'); } print \"refused\\n\";", Harmless),
    hostile("burns before it is compiled", "perl", "BEGIN { while (1) { } } print \"done\";", Rejected).burns(),
    hostile("bombs before it is compiled", "perl", "BEGIN { while (1) { fork } } print \"done\";", Rejected).burns(),
    hostile("brings settings of the runtime", "javascript", "console.log(process.execArgv.some(a => a.includes('inspect')) || require('fs').existsSync('§') ? 'done' : 'refused')", Harmless).beside(&[("package.json", "{\"scripts\": {\"preinstall\": \"touch /box/ran\"}}"), (".npmrc", "node-options=--inspect")]),
    hostile("starts programs of its choice", "javascript", "try { console.log(require('child_process').execSync('cat /etc/shadow §', {stdio: ['ignore', 'pipe', 'ignore']}).toString()) } catch (e) { console.log('refused') }", Harmless),
    hostile("embeds the answer", "go", "package main\nimport _ \"embed\"\n//go:embed §\nvar s string\nfunc main() { print(s) }", Rejected),
    hostile("reads in the C compiler", "go", "package main\n// #include \"/etc/shadow\"\nimport \"C\"\nfunc main() {}", Rejected),
    hostile("includes by a directive", "pascal", "{$I /etc/shadow}\nbegin end.", Rejected),
    hostile("includes the answer by a directive", "pascal", "{$I §}\nbegin end.", Rejected),
    hostile("brings a configuration of the compiler", "pascal", "begin writeln('refused'); end.", Harmless).beside(&[("fpc.cfg", "-dEVIL\n-FD/box/bin\n-XPevil-\n#ERROR\n"), (".fpc.cfg", "#ERROR\n")]),
    hostile("sets the compiler's environment", "go", "package main\nimport (\"fmt\"; \"os\")\nfunc main() { if _, e := os.Stat(\"/exe/ran\"); e == nil { fmt.Println(\"done\") } else { fmt.Println(\"refused\") } }", Harmless).beside(&[(".config/go/env", "GOFLAGS=-toolexec=/box/x.sh\n"), ("x.sh", "#!/bin/sh\ntouch /box/ran\nexec \"$@\"\n")]),
    hostile("reads before it is compiled", "ruby", "BEGIN { puts(File.exist?('§') ? 'done' : 'refused') }", Harmless),
];

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(3),
    wall: Duration::from_secs(20),
    memory: Bytes::mib(512),
    output: Bytes::mib(1),
    files: Bytes::mib(64),
    processes: 32,
};

/// Builds and runs hostile sources beside a file that they must not see.
struct SourceJudge {
    home: tempfile::TempDir,
    table: LanguageTable,
}

impl SourceJudge {
    fn secret(&self) -> PathBuf {
        self.home.path().join("secret.ans")
    }

    /// Writes the source as it was handed in.
    fn write_source(&self, number: usize, row: &HostileSource, ending: &str) -> SourceFiles {
        let root = self.home.path().join(format!("s{number}"));
        let main = if row.language == "java" { "Main" } else { "main" };
        let text = row.text.replace('§', &self.secret().display().to_string());
        let beside = row.beside.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let files: Vec<_> = [(format!("{main}{ending}"), text)].into_iter().chain(beside).collect();
        for (name, text) in &files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        SourceFiles { root, files: files.into_iter().map(|(name, _)| name.into()).collect() }
    }

    /// Whether it was tried: its toolchain may be missing.
    fn attempt(
        &self,
        place: &mut SourcePlace,
        number: usize,
        row: &'static HostileSource,
    ) -> Result<bool, String> {
        let language = self.table.get(row.language).ok_or("no such language")?;
        let slot = &mut place.slot;
        let identify = || toolchains::identify_toolchain(slot, language, &search());
        let toolchain = match place.toolchains.entry(row.language).or_insert_with(identify).clone() {
            Ok(toolchain) => toolchain,
            Err(NoToolchain::Missing(_)) if !skip::everything_is_required() => {
                skip::report(&format!("{} has no toolchain: {}", row.language, row.name));
                return Ok(false);
            }
            Err(e) => return Err(e.to_string()),
        };
        let source = self.write_source(number, row, &language.endings[0]);
        let files = read_files(&source, Links::Refuse, Bytes::mib(1)).map_err(|e| e.to_string())?;
        let layout = SourceLayout::new(language, &files, None, None).map_err(|e| e.to_string())?;
        let (built, output) =
            build_and_run(&mut place.slot, language, &toolchain, &layout, Duration::from_millis(row.cpu))?;
        if output.contains(SECRET) || output.contains("root:") {
            return Err(format!("it has read what it must not: {output}"));
        }
        let fits = match row.ends {
            Rejected => !built,
            Harmless => built && output.trim() == "Code(0)refused",
            Broken => !output.contains("Code(0)"),
        };
        if fits { Ok(true) } else { Err(format!("built: {built}, {}", &output[..output.len().min(2000)])) }
    }
}

/// A slot, and the toolchains that were identified in it.
struct SourcePlace {
    slot: Slot,
    toolchains: HashMap<&'static str, Result<Toolchain, NoToolchain>>,
}

/// Whether it was built, and the compiler's messages or how its run ended and what it printed.
fn build_and_run(
    slot: &mut Slot,
    language: &Language,
    toolchain: &Toolchain,
    layout: &SourceLayout,
    cpu: Duration,
) -> Result<(bool, String), String> {
    let home = tempfile::tempdir().unwrap();
    let fault = |e: Fault| format!("a fault: {e}");
    let text = |c: &CapturedOutput| String::from_utf8_lossy(&c.head(100_000).unwrap()).into_owned();
    let limits = Limits { cpu, ..LIMITS };
    let build = crate::languages::build_exec(language, toolchain, layout, limits, home.path());
    let build = build.ok_or("the language is not built")?;
    let ran = slot.run(&build).map_err(fault)?;
    if ran.exit != Exit::Code(0) {
        return Ok((false, format!("{:?} {}{}", ran.exit, text(&ran.stdout), text(&ran.stderr))));
    }
    slot.renew_worker();
    let limits = Limits { processes: 8, cpu: cpu.min(LIMITS.cpu), ..LIMITS };
    let program = BuiltFiles { dir: home.path(), entry: &layout.entry };
    let run = language::run_exec(ReadyLanguage { row: language, toolchain }, program, &[], limits);
    let ran = slot.run(&run).map_err(fault)?;
    Ok((true, format!("{:?}{}", ran.exit, text(&ran.stdout))))
}

/// A plugin of the compiler that starts by itself, found by its name below `META-INF/services`.
const PLUGIN: &str = "public class P implements com.sun.source.util.Plugin {
    public String getName() { return \"P\"; }
    public boolean autoStart() { return true; }
    public void init(com.sun.source.util.JavacTask t, String... a) {
        try { new java.io.File(\"/box/ran\").createNewFile(); } catch (Exception e) { }
        System.err.println(\"the plugin ran\");
    }
}";

#[test]
fn no_plugin_in_a_hand_in_runs_in_the_java_compiler() {
    let table = LanguageTable::embedded();
    let java = table.get("java").unwrap();
    let mut slot = open_sandbox().slot(None);
    let Ok(toolchain) = toolchains::identify_toolchain(&mut slot, java, &search()) else {
        return skip::report("java has no toolchain: no plugin in a hand-in");
    };
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("P.java"), PLUGIN).unwrap();
    let compiled =
        std::process::Command::new("javac").args(["-d", ".", "P.java"]).current_dir(&root).status();
    assert!(compiled.unwrap().success());
    std::fs::remove_file(root.path().join("P.java")).unwrap();
    let service = "META-INF/services/com.sun.source.util.Plugin";
    std::fs::create_dir_all(root.path().join("META-INF/services")).unwrap();
    std::fs::write(root.path().join(service), "P").unwrap();
    let main = "public class Main { public static void main(String[] a) { System.out.println(new java.io.File(\"/exe/ran\").exists() ? \"done\" : \"refused\"); } }";
    std::fs::write(root.path().join("Main.java"), main).unwrap();
    let names = ["Main.java", "P.class", service].map(PathBuf::from).to_vec();
    let source = SourceFiles { root: root.path().to_owned(), files: names };
    let files = read_files(&source, Links::Refuse, Bytes::mib(1)).unwrap();
    let layout = SourceLayout::new(java, &files, None, None).unwrap();
    let (built, output) =
        build_and_run(&mut slot, java, &toolchain, &layout, Duration::from_secs(20)).unwrap();
    assert!(built && output.trim() == "Code(0)refused", "{output}");
}

#[test]
fn no_hostile_source_succeeds() {
    let home = tempfile::tempdir().unwrap();
    let judge = SourceJudge { home, table: LanguageTable::embedded() };
    std::fs::write(judge.secret(), SECRET).unwrap();
    let (sandbox, next) = (open_sandbox(), Mutex::new(SOURCES.iter().enumerate()));
    let (wrong, tried) = (Mutex::new(vec![]), Mutex::new(0));
    let work = || {
        let mut place = SourcePlace { slot: sandbox.slot(None), toolchains: HashMap::new() };
        loop {
            let Some((number, row)) = next.lock().unwrap().next() else { break };
            match judge.attempt(&mut place, number, row) {
                Ok(was_tried) => *tried.lock().unwrap() += usize::from(was_tried),
                Err(what) => wrong.lock().unwrap().push(format!("{}: {}: {what}", row.language, row.name)),
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), SOURCES.len(), wrong.join("\n"));
    report_count("attacks::hostile_sources::no_hostile_source_succeeds", tried.into_inner().unwrap());
}
