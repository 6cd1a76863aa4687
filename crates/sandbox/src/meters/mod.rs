//! What a run used, and how much of it the machine took away: cgroups, procfs, clocks, and how a program ended.

pub(super) mod cgroup;
pub(super) mod cgroup_discovery;
pub(super) mod cgroup_meters;
pub(super) mod cpu_load;
pub(super) mod exit_cause;
pub(super) mod idle_clock;
pub(super) mod procfs;
pub(super) mod spin;
pub(super) mod start_readings;
