//! A worker: takes jobs until it must end, with a thread per slot.

use super::{
    control,
    roster::{BEAT, say},
    slot::SlotLoop,
    streams::{DEFAULT_LEASE, consumer_of},
    worker_state::{SharedWorker, WorkerEnd, WorkerEvent, WorkerHands, WorkerPlace},
};
use anyhow::{Context, Result};
use async_nats::jetstream::consumer::PullConsumer;
use std::{sync::atomic::Ordering, thread};

/// Takes jobs until it is asked to end, idles too long, or its cache is full.
#[expect(clippy::disallowed_methods, reason = "a thread for each slot")]
pub fn serve(
    place: WorkerPlace,
    hands: WorkerHands,
    on_event: &(dyn Fn(&WorkerEvent) + Sync),
) -> Result<WorkerEnd> {
    let Some(consumer) = await_queue(place, on_event)? else { return Ok(WorkerEnd::Asked) };
    let slots = hands.slots.len();
    let worker = SharedWorker::new(place, consumer, slots, hands.refusal, on_event);
    let drain =
        control::listen(place.connection, format!("control.worker.{}", place.name), worker.drained.clone());
    place.connection.wait(drain)?;
    on_event(&WorkerEvent::Ready);
    thread::scope(|scope| {
        for (index, perform) in hands.slots.into_iter().enumerate() {
            let worker = &worker;
            scope.spawn(move || SlotLoop::new(worker, index, perform).run());
        }
        worker.say_until_end();
    });
    let end = worker.end().unwrap_or(WorkerEnd::Asked);
    place.connection.wait(async {
        say(place.connection, worker.subject(), &worker.status(Some(end))).await;
        place.connection.flush().await;
    });
    place.connection.check_known()?;
    Ok(end)
}

/// Opens the queue of the class: creates it if allowed, else waits for it. `None`: asked to end before.
fn await_queue(place: WorkerPlace, on_event: &(dyn Fn(&WorkerEvent) + Sync)) -> Result<Option<PullConsumer>> {
    let connection = place.connection;
    let find = || connection.wait(consumer_of(connection, place.class));
    let Err(why) = find() else { return find().map(Some) };
    if connection.set_up(place.class, DEFAULT_LEASE).is_ok() {
        return find().map(Some).context("use the queue that was made just now");
    }
    let why = format!("{why:#}");
    // The message reports a missing queue in its own words, without the server's.
    on_event(&WorkerEvent::NoQueue((!why.contains("not found")).then_some(why)));
    while !place.stop.load(Ordering::Relaxed) {
        connection.check_known()?;
        if let Ok(found) = find() {
            return Ok(Some(found));
        }
        connection.pause(BEAT);
    }
    Ok(None)
}
