//! How work is queued, and when it is executed.

use std::sync::Arc;

use crate::clock::{Agent, HOST};
use crate::config::Schedule;
use crate::memory::Stamp;
use crate::report::Label;
use crate::sim::{Outcome, Sim, codes};
use crate::stream::{Operation, Point, StreamKind};
use crate::work::Work;

impl Sim {
    /// Streams whose work so far comes before the next operation of `stream` by the rules of the
    /// legacy default stream.
    fn implicit(&self, stream: Agent) -> Vec<Agent> {
        let (context, kind) = (self.streams[stream].context, self.streams[stream].kind);
        match kind {
            StreamKind::NonBlocking => Vec::new(),
            StreamKind::Blocking => self.contexts[context].legacy.into_iter().collect(),
            StreamKind::Legacy => (1..self.streams.len())
                .filter(|&other| {
                    self.streams[other].context == context && self.streams[other].kind == StreamKind::Blocking
                })
                .collect(),
        }
    }

    /// Puts work at the tail of a stream, behind `point` too; gives its number.
    pub(crate) fn enqueue(&mut self, stream: Agent, work: Work, point: Option<&Point>) -> u64 {
        let mut clock = self.host.clone();
        clock.join(&self.streams[stream].clock);
        let mut after = Vec::new();
        for other in self.implicit(stream) {
            clock.join(&self.streams[other].clock);
            after.push((other, self.streams[other].issued));
        }
        if let Some(point) = point {
            clock.join(&point.clock);
            after.push((point.agent, point.number));
        }
        after.retain(|&(agent, number)| self.streams[agent].done < number);
        let kernel = match &work {
            Work::Launch(launch) => Some(launch.kernel.clone()),
            _ => None,
        };
        let lost = self.fault.is_some();
        let state = &mut self.streams[stream];
        state.issued += 1;
        let number = state.issued;
        clock.raise(stream, number);
        state.clock = clock.clone();
        if lost {
            // Nothing runs any more.
            state.done = number;
            return number;
        }
        let label =
            Label { call: self.now.call, number: self.now.number, stream: Some(stream), position: number, kernel };
        state.queue.push_back(Operation { number, clock, after, work, label: Arc::new(label) });
        number
    }

    /// The place where a stream's tail is now.
    pub(crate) fn tail(&self, stream: Agent) -> Point {
        let state = &self.streams[stream];
        Point { agent: stream, number: state.issued, clock: state.clock.clone() }
    }

    /// The first operation of a queue that another stream must get to first.
    fn obstacle(&self, stream: Agent) -> Option<(Agent, u64)> {
        let head = self.streams[stream].queue.front()?;
        head.after.iter().copied().find(|&(agent, number)| self.streams[agent].done < number)
    }

    /// Streams whose next operation may be executed.
    fn ready(&self) -> Vec<Agent> {
        (1..self.streams.len()).filter(|&s| !self.streams[s].queue.is_empty() && self.obstacle(s).is_none()).collect()
    }

    /// Executes the next operation of a stream that is ready.
    fn step(&mut self, stream: Agent) {
        if let Some(operation) = self.streams[stream].queue.pop_front() {
            let number = operation.number;
            self.execute(stream, operation);
            let state = &mut self.streams[stream];
            state.done = state.done.max(number);
        }
    }

    /// Executes what must come first, in the order of need, then the operation.
    fn step_towards(&mut self, stream: Agent) {
        let mut at = stream;
        while let Some((needed, _)) = self.obstacle(at) {
            at = needed;
        }
        self.step(at);
    }

    /// Executes until operation `number` of `stream` is done, and other work as the schedule likes.
    fn run_until(&mut self, stream: Agent, number: u64) {
        while self.streams[stream].done < number {
            self.now.waited = true;
            match self.schedule {
                Schedule::Lazy | Schedule::Eager => self.step_towards(stream),
                Schedule::Random => {
                    let ready = self.ready();
                    let choice = ready[self.rng.below(ready.len())];
                    self.step(choice);
                }
                Schedule::Newest => {
                    let newest = |&s: &Agent| self.streams[s].queue.front().map_or(0, |head| head.label.number);
                    if let Some(choice) = self.ready().into_iter().max_by_key(newest) {
                        self.step(choice);
                    }
                }
            }
        }
    }

    /// The host waits for a place, and knows what comes before it.
    pub(crate) fn wait_for(&mut self, point: &Point) -> Outcome<()> {
        self.run_until(point.agent, point.number);
        self.notice()?;
        self.host.join(&point.clock);
        Ok(())
    }

    /// A fault that has happened is returned from here.
    pub(crate) fn notice(&mut self) -> Outcome<()> {
        match &mut self.fault {
            Some(fault) => {
                fault.noticed = true;
                Err(fault.code)
            }
            None => Ok(()),
        }
    }

    /// The host asks whether a place is reached; asking makes progress, though not each time.
    pub(crate) fn ask_for(&mut self, point: &Point) -> Outcome<()> {
        if self.streams[point.agent].done < point.number {
            if self.fruitless > 0 || self.rng.one_in(2) {
                self.fruitless = 0;
                self.step_towards(point.agent);
            } else {
                self.fruitless += 1;
            }
        }
        let elsewhere = self.fault.as_ref().is_some_and(|fault| !fault.noticed && fault.stream != point.agent);
        if !elsewhere {
            self.notice()?;
        }
        if self.streams[point.agent].done < point.number {
            return Err(codes::NOT_READY);
        }
        self.host.join(&point.clock);
        Ok(())
    }

    /// Executes all that is queued, or all of one context, without telling the host anything.
    pub(crate) fn run_all(&mut self, context: Option<usize>) {
        for stream in 1..self.streams.len() {
            if context.is_none_or(|context| self.streams[stream].context == context) {
                self.run_until(stream, self.streams[stream].issued);
            }
        }
    }

    /// What the device does by itself after a call.
    pub(crate) fn drift(&mut self) {
        match self.schedule {
            Schedule::Lazy | Schedule::Newest => {}
            Schedule::Eager => {
                while let Some(&stream) = self.ready().first() {
                    self.step(stream);
                }
            }
            Schedule::Random => {
                while self.rng.one_in(2) {
                    let ready = self.ready();
                    if ready.is_empty() {
                        break;
                    }
                    let choice = ready[self.rng.below(ready.len())];
                    self.step(choice);
                }
            }
        }
    }

    /// Ends all work of the process.
    pub(crate) fn cancel_all(&mut self) {
        for state in &mut self.streams {
            state.queue.clear();
            state.done = state.issued;
        }
    }

    /// The host itself does something now: a stamp that comes after all it knows.
    pub(crate) fn host_stamp(&mut self) -> Stamp {
        let number = self.host.get(HOST) + 1;
        self.host.raise(HOST, number);
        Stamp { agent: HOST, number, label: self.here() }
    }
}
