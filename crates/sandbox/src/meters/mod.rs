//! Measures the usage of a run and the share that the machine took away: cgroups, procfs, clocks, exit
//! causes.

pub(super) mod cgroup;
pub(super) mod cgroup_discovery;
pub(super) mod cgroup_meters;
pub(super) mod cpu_load;
pub(super) mod exit_cause;
pub(super) mod idle_clock;
pub(super) mod procfs;
pub(super) mod spin;
pub(super) mod start_readings;
