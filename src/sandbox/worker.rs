//! The worker: process 1 of its own namespaces. It walls itself in once and then
//! runs one program after the other, as the judge orders, until it is killed.

use super::{
    groups::Meters,
    inside::Inside,
    keeper::tell,
    order::{Order, Setup, Walls, tag},
    run::{Bench, run},
    sys,
    wire::{self, MOST},
};
use std::{fs::File, os::fd::OwnedFd, path::PathBuf};

/// A worker's whole life.
pub fn live(line: &OwnedFd, inside: Inside, meters: Option<&Meters>) -> ! {
    let _ = rustix::thread::set_name(c"kopek-worker");
    let ids = inside.setup.ids;
    let cpus = inside.setup.cpu.map_or_else(cpus, |_| 1);
    let walls = inside.setup.walls;
    let built = built(inside.setup);
    let walled = inside.wall_in(line).and_then(|kept| Ok((kept, sys::news_of_children()?)));
    let (kept, news) = match walled {
        Ok(walled) => walled,
        Err(e) => {
            let _ = tell(line, tag::FAULT, e.to_string().as_bytes(), &[]);
            std::process::exit(1);
        }
    };
    if let Some(meters) = meters {
        // What happened to workers before us is no news.
        (_, _) = (meters.new_oom(), meters.new_refusals());
    }
    let user = ids.map(|first| if walls == Walls::Namespaces { 1000 } else { first + 1 });
    let stack = sys::Stack::new();
    let mut bench = Bench { meters, kept, cpus, user, walls, built, stack, line, news };
    // Whoever had these before us: the streams of programs shall arrive there.
    sys::close_standard_streams();
    let mut buffer = vec![0; MOST];
    // Until the judge hangs up: then there is nothing left to do, and whoever notices first ends us.
    if obey(&mut bench, &mut buffer) {
        // From now on nothing new is touched.
        bench.kept.weight.lose();
        while obey(&mut bench, &mut buffer) {}
    }
    std::process::exit(0)
}

/// Where programs lie that somebody built: what is shown as `/exe`, and the box.
fn built(setup: &Setup) -> Vec<PathBuf> {
    match setup.walls {
        Walls::Namespaces => vec!["/exe".into(), "/box".into()],
        Walls::Landlock => {
            let shown = setup.view.shown.iter().filter(|s| s.inside.starts_with("/exe"));
            shown.map(|s| s.host.clone()).chain([setup.host_box.join("box")]).collect()
        }
    }
}

fn cpus() -> u32 {
    rustix::thread::sched_getaffinity(None).map_or(1, |set| set.count().max(1))
}

/// One order; false when the judge is gone.
fn obey(bench: &mut Bench, buffer: &mut [u8]) -> bool {
    let Ok((n, fds)) = wire::receive_for_program(bench.line, buffer) else { return false };
    if n == 0 {
        return false;
    }
    // A word to stop that came after the end of its run.
    if n == 1 {
        return true;
    }
    let files: Vec<File> = fds.into_iter().map(File::from).collect();
    let done = Order::get(&buffer[..n]).and_then(|order| run(bench, &order, files));
    match done {
        Ok(reply) => tell(bench.line, tag::REPLY, &reply.put(), &[]).is_ok(),
        Err(e) => tell(bench.line, tag::FAULT, e.to_string().as_bytes(), &[]).is_ok(),
    }
}
