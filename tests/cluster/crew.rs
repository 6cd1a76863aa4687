//! Workers in processes that can be killed, frozen and replaced.

use crate::{
    child::ChildWorker,
    server::NatsServer,
    workers::{connect_to, wait_until},
};
use std::{fs, path::PathBuf};

/// How many workers a crew has.
pub const CREW: usize = 3;

/// Workers in processes, each with a cache that outlives it.
pub struct Crew {
    url: String,
    home: PathBuf,
    pause: u64,
    pub children: Vec<ChildWorker>,
}

impl Crew {
    pub fn start(server: &NatsServer, name: &str, pause: u64) -> Crew {
        let (url, home) = (server.url.clone(), server.home.path().join(name));
        fs::create_dir(&home).unwrap();
        let mut crew = Crew { url, home, pause, children: vec![] };
        crew.children = (0..CREW).map(|index| crew.child(index)).collect();
        crew
    }

    fn child(&self, index: usize) -> ChildWorker {
        let cache = self.home.join(format!("worker-{index}"));
        ChildWorker::start_counted(&self.url, &cache, Some((self.pause, &self.count_file(index))))
    }

    fn count_file(&self, index: usize) -> PathBuf {
        self.home.join(format!("performed-{index}"))
    }

    /// How many jobs one of its workers did.
    pub fn performed_by(&self, index: usize) -> usize {
        fs::read(self.count_file(index)).map_or(0, |dots| dots.len())
    }

    /// How many jobs its workers did, however often each.
    pub fn performed(&self) -> usize {
        (0..CREW).map(|index| self.performed_by(index)).sum()
    }

    /// How often a worker came too late with what it had done.
    pub fn late_answers(&self, index: usize) -> usize {
        let log = fs::read_to_string(self.home.join(format!("worker-{index}.log")));
        log.unwrap_or_default().matches("was too late with").count()
    }

    /// Asks all workers to end, and waits for it.
    pub fn end_cleanly(&mut self) {
        let connection = connect_to(&self.url);
        for (index, child) in self.children.iter_mut().enumerate() {
            let mut ended = None;
            wait_until("a worker that is asked to ends", || {
                // One that began just now may not have heard it.
                connection.drain(None).unwrap();
                ended = child.end();
                ended.is_some()
            });
            assert!(ended.unwrap().success(), "worker {index} ended with {ended:?}");
        }
    }

    pub fn replace(&mut self, index: usize) {
        self.children[index].signal("-KILL");
        self.children[index] = self.child(index);
    }
}
