//! Remedies for a machine with weak isolation: exact steps for its settings.

use super::program_ids::ProgramUsers;
use crate::run::messages::Isolation;
use std::fs;

fn read_setting(path: &str) -> Option<i64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The command that adds an AppArmor profile for the program.
const PROFILE: &str = "allow it namespaces by AppArmor, as root: \
    printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile kopek /**/kopek flags=(unconfined) { userns, }\\n' \
    > /etc/apparmor.d/kopek && apparmor_parser -r /etc/apparmor.d/kopek";

fn namespace_steps() -> Vec<String> {
    let mut steps = Vec::new();
    if read_setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == Some(1) {
        steps.push(PROFILE.into());
    }
    if read_setting("/proc/sys/kernel/unprivileged_userns_clone") == Some(0) {
        steps.push("allow user namespaces, as root: sysctl -w kernel.unprivileged_userns_clone=1".into());
    }
    if read_setting("/proc/sys/user/max_user_namespaces") == Some(0) {
        steps.push("allow user namespaces, as root: sysctl -w user.max_user_namespaces=15000".into());
    }
    if steps.is_empty() {
        steps.push(
            "namespaces are refused here; in a container, start it with: \
             --security-opt seccomp=unconfined --security-opt apparmor=unconfined --cgroupns=host, or --privileged"
                .into(),
        );
    }
    steps
}

fn cgroup_steps(users: ProgramUsers) -> Vec<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let unified = mounts.contains(" - cgroup2 ");
    let controllers = fs::read_to_string("/sys/fs/cgroup/cgroup.controllers").unwrap_or_default();
    let step = match (users != ProgramUsers::Judge, unified && controllers.contains("memory")) {
        (true, true) => {
            "make /sys/fs/cgroup writable: in a container, start it with --cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup:rw"
        }
        (true, false) => "mount a memory cgroup: mount -t cgroup2 none /sys/fs/cgroup",
        (false, true) => "run it in a delegated group: systemd-run --user --scope -p Delegate=yes kopek ...",
        (false, false) => "run it as root: cgroups of version 1 cannot be delegated to users",
    };
    vec![step.into()]
}

/// The isolation of a machine.
pub(crate) struct ModeStrength {
    pub(crate) users: ProgramUsers,
    pub(crate) isolation: Option<Isolation>,
    pub(crate) cgroups: bool,
}

/// Steps from this mode to the strongest one.
pub(crate) fn steps_from(strength: ModeStrength) -> Vec<String> {
    let mut steps = Vec::new();
    if strength.isolation != Some(Isolation::Namespaces) {
        steps.extend(namespace_steps());
    }
    // Without any isolation, cgroups would not help.
    if !strength.cgroups && strength.isolation.is_some() {
        steps.extend(cgroup_steps(strength.users));
    }
    if strength.isolation.is_none() {
        let landlock = if has_landlock() {
            "or use Linux 6.12 or later and a container runtime whose filter lets Landlock's calls pass"
        } else {
            "or boot with Landlock: add landlock to the list after lsm= on the kernel's command line"
        };
        steps.push(landlock.into());
    }
    steps
}

fn has_landlock() -> bool {
    // Only a kernel that lists its modules can be asked; otherwise assume that it has Landlock.
    fs::read_to_string("/sys/kernel/security/lsm").map_or(true, |list| list.contains("landlock"))
}
