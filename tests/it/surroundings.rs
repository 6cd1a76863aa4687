//! Runs tests again under restrictions: inside the surroundings that container runtimes make.
//! A child enters the surroundings and becomes this test binary again, with a filter of tests.

use crate::{child, ordinary_user, skip};
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};
use std::{
    collections::BTreeMap,
    env, fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    process::Command,
};

/// Set where cgroups must not be used, as in most containers.
const WITHOUT_CGROUPS: &str = "KOPEK_TEST_WITHOUT_CGROUPS";
/// The command that the child becomes, its words separated by lines.
const COMMAND: &str = "KOPEK_TEST_COMMAND";
/// Set where Landlock must be missing, too.
const WITHOUT_LANDLOCK: &str = "KOPEK_TEST_WITHOUT_LANDLOCK";

/// Where a judge finds itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Surroundings {
    /// The filter and the capabilities that usual container runtimes give; no cgroups.
    Container,
    /// The same under an old runtime, which does not know Landlock.
    OldContainer,
    /// A user namespace with one id, as rootless containers have.
    OneId,
    /// Parts of `/proc` are covered, and namespaces can be made.
    CoveredProc,
}

/// Calls that a container's filter refuses to a process without CAP_SYS_ADMIN.
const REFUSED: &[i64] = &[
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_sethostname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
];

const LANDLOCK: [i64; 3] =
    [libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self];

/// What `clone` may not be asked for.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// What root keeps in a container.
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::MKNOD)
    .union(CapabilitySet::NET_RAW)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETFCAP)
    .union(CapabilitySet::SETPCAP)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::AUDIT_WRITE);

/// Enters a container and becomes the command: the task of a child.
pub fn become_command() {
    for capability in CapabilitySet::all().iter().filter(|one| !KEPT.contains(*one)) {
        // An ordinary user has none to lose.
        let _ = remove_capability_from_bounding_set(capability);
    }
    let old: &[i64] = if env::var_os(WITHOUT_LANDLOCK).is_some() { &LANDLOCK } else { &[] };
    let namespace = |flag: &i32| {
        let flag = *flag as u32;
        let has = SeccompCondition::new(0, Dword, SeccompCmpOp::MaskedEq(flag.into()), flag.into()).unwrap();
        SeccompRule::new(vec![has]).unwrap()
    };
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().map(|call| (*call, vec![])).collect();
    refused.insert(libc::SYS_clone, NAMESPACES.iter().map(namespace).collect());
    install(refused, libc::EPERM);
    install(old.iter().chain(&[libc::SYS_clone3]).map(|call| (*call, vec![])).collect(), libc::ENOSYS);
    let command = env::var(COMMAND).unwrap();
    let mut words = command.lines();
    panic!("{}", Command::new(words.next().unwrap()).args(words).exec());
}

fn install(refused: BTreeMap<i64, Vec<SeccompRule>>, error: i32) {
    let answer = SeccompAction::Errno(error as u32);
    let arch = TargetArch::try_from(std::env::consts::ARCH).unwrap();
    let filter = SeccompFilter::new(refused, SeccompAction::Allow, answer, arch).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    apply_filter(&program).unwrap();
}

/// Hides the cgroups, and becomes the rest of the words.
const HIDE_CGROUPS: &str = "mount -t tmpfs none /sys/fs/cgroup && exec \"$@\"";
/// The same, with a part of `/proc` covered.
const COVER_PROC: &str =
    "mount -t tmpfs none /sys/fs/cgroup && mount --bind /dev/null /proc/version && exec \"$@\"";

/// Whether this process is in one of them.
pub fn are_narrow() -> bool {
    env::var_os(WITHOUT_CGROUPS).is_some()
}

fn unshare(options: &[&str], script: &str, words: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command.args(options).args(["--", "sh", "-c", script, "sh"]).args(words).env(WITHOUT_CGROUPS, "1");
    command
}

impl Surroundings {
    /// A command inside; `tests`: this test binary, where its user can execute it.
    pub fn command(self, tests: &str, words: &[&str]) -> Command {
        match self {
            Surroundings::Container | Surroundings::OldContainer => {
                let entry = [&[tests], child::ENTRY].concat();
                // Only root could use them.
                let mut command = match ordinary_user::is_root() {
                    true => unshare(&["--mount"], HIDE_CGROUPS, &entry),
                    false => Command::new(tests),
                };
                if !ordinary_user::is_root() {
                    command.args(child::ENTRY);
                }
                child::give_task(&mut command, "become a command in a container");
                command.env(COMMAND, words.join("\n")).env(WITHOUT_CGROUPS, "1");
                if self == Surroundings::OldContainer {
                    command.env(WITHOUT_LANDLOCK, "1");
                }
                command
            }
            Surroundings::OneId => unshare(&["--user", "--map-root-user", "--mount"], HIDE_CGROUPS, words),
            Surroundings::CoveredProc => {
                unshare(&["--user", "--map-root-user", "--mount"], COVER_PROC, words)
            }
        }
    }

    /// Whether this machine lets us enter; reported as skipped otherwise.
    pub fn can_be_had(self) -> bool {
        let needs_unshare = matches!(self, Surroundings::OneId | Surroundings::CoveredProc);
        let possible = !needs_unshare || self.command("", &["true"]).status().is_ok_and(|s| s.success());
        if !possible {
            skip::report(&format!("`unshare` cannot make these surroundings here: {self:?}"));
        }
        possible
    }
}

/// A copy of this test binary and of the program beside it, which every user can execute.
pub struct SharedCopy {
    dir: tempfile::TempDir,
}

impl SharedCopy {
    pub fn make() -> SharedCopy {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        ordinary_user::copy_program(&env::current_exe().unwrap(), &dir.path().join("it"));
        ordinary_user::copy_program(&ordinary_user::worker(), &dir.path().join("kopek"));
        SharedCopy { dir }
    }

    pub fn tests(&self) -> String {
        self.dir.path().join("it").display().to_string()
    }

    pub fn kopek(&self) -> String {
        self.dir.path().join("kopek").display().to_string()
    }
}

/// Runs the tests that these arguments choose inside; their output.
#[track_caller]
pub fn run_tests(inside: Surroundings, arguments: &[&str]) -> String {
    let copy = SharedCopy::make();
    let tests = copy.tests();
    let words: Vec<&str> = [tests.as_str()].into_iter().chain(arguments.iter().copied()).collect();
    let mut command = inside.command(&tests, &words);
    command.env(ordinary_user::WORKER, copy.kopek()).env("TMPDIR", "/tmp").current_dir("/");
    let output = command.output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success() && !out.contains("running 0 tests"), "{out}{err}");
    out.into_owned()
}
