//! Random programs at the level of the C API, right and wrong ones, against an oracle that knows
//! nothing of vector clocks: it keeps every operation, the edges between them, and asks for a path.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::raw::*;
use cuda_sim::{FindingKind, Machine};

/// A small generator of choices, not the simulator's own.
struct Choice(u64);

impl Choice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

const STREAMS: usize = 4;
const BUFFERS: usize = 3;
const BYTES: usize = 32;

/// What an operation does to bytes.
#[derive(Clone, Copy)]
struct Touch {
    buffer: usize,
    start: usize,
    end: usize,
    write: bool,
}

/// An operation of a stream, with all operations that come before it.
#[derive(Clone)]
struct Node {
    stream: usize,
    before: Vec<bool>,
    touches: Vec<Touch>,
    /// Number of the call that enqueued it, for the comparison with reports.
    call: u64,
}

/// The oracle: a graph of operations.
#[derive(Default)]
struct Oracle {
    nodes: Vec<Node>,
    /// Operations that the host knows to be done.
    host: Vec<usize>,
}

impl Oracle {
    fn add(&mut self, stream: usize, after: &[usize], touches: Vec<Touch>, call: u64) -> usize {
        let mut before = vec![false; self.nodes.len()];
        let last = self.nodes.iter().rposition(|node| node.stream == stream);
        for &direct in after.iter().chain(&self.host).chain(last.iter()) {
            before[direct] = true;
            for (i, &known) in self.nodes[direct].before.iter().enumerate() {
                before[i] |= known;
            }
        }
        self.nodes.push(Node { stream, before, touches, call });
        self.nodes.len() - 1
    }

    fn last(&self, stream: usize) -> Option<usize> {
        self.nodes.iter().rposition(|node| node.stream == stream)
    }

    /// Calls of operations that conflict and have no path between them.
    fn races(&self) -> Vec<(u64, u64)> {
        let mut races = Vec::new();
        for (i, later) in self.nodes.iter().enumerate() {
            for (j, earlier) in self.nodes[..i].iter().enumerate() {
                let conflict = later.touches.iter().any(|a| {
                    earlier
                        .touches
                        .iter()
                        .any(|b| a.buffer == b.buffer && a.start < b.end && b.start < a.end && (a.write || b.write))
                });
                if conflict && !later.before[j] {
                    races.push((earlier.call, later.call));
                }
            }
        }
        races
    }

    /// Streams that an operation with these touches would have to wait for.
    fn needed(&self, stream: usize, touches: &[Touch]) -> Vec<usize> {
        let mut probe = Self { nodes: self.nodes.clone(), host: self.host.clone() };
        let index = probe.add(stream, &[], touches.to_vec(), 0);
        let mut streams: Vec<usize> = (0..index)
            .filter(|&j| !probe.nodes[index].before[j])
            .filter(|&j| {
                touches.iter().any(|a| {
                    probe.nodes[j]
                        .touches
                        .iter()
                        .any(|b| a.buffer == b.buffer && a.start < b.end && b.start < a.end && (a.write || b.write))
                })
            })
            .map(|j| probe.nodes[j].stream)
            .collect();
        streams.sort_unstable();
        streams.dedup();
        streams
    }
}

/// Runs one program; gives the oracle. With `correct`, waits are put in where they are needed.
#[allow(clippy::too_many_lines)]
fn program(choice: &mut Choice, machine: &Machine, correct: bool, steps: usize) -> Oracle {
    let mut oracle = Oracle::default();
    let streams: Vec<CUstream> = (0..STREAMS).map(|_| stream()).collect();
    let buffers: Vec<CUdeviceptr> = (0..BUFFERS).map(|_| alloc(BYTES)).collect();
    let events: Vec<CUevent> = (0..3).map(|_| event()).collect();
    let module = module();
    let fill = function(module, c"fill");
    let mut recorded: BTreeMap<usize, usize> = BTreeMap::new();
    let call = || machine.calls().last().map_or(0, |call| call.number);
    for _ in 0..steps {
        let s = choice.below(STREAMS);
        let kind = choice.below(10);
        let mut touches = Vec::new();
        let (buffer, word, words) = (choice.below(BUFFERS), choice.below(BYTES / 4 - 1), 1 + choice.below(2));
        let (start, end) = (word * 4, (word * 4 + words * 4).min(BYTES));
        let target = Touch { buffer, start, end, write: true };
        let source = Touch { buffer: (buffer + 1 + choice.below(BUFFERS - 1)) % BUFFERS, start, end, write: false };
        match kind {
            0..=2 => touches.push(target),
            3..=4 => touches.extend([target, source]),
            5 => touches.push(Touch { write: false, ..target }),
            _ => {}
        }
        if correct && !touches.is_empty() {
            for other in oracle.needed(s, &touches) {
                let event = events[choice.below(events.len())];
                let index = events.iter().position(|&known| known == event).unwrap();
                ok!(cuEventRecord(event, streams[other]));
                let mark = oracle.add(other, &[], Vec::new(), call());
                recorded.insert(index, mark);
                ok!(cuStreamWaitEvent(streams[s], event, 0));
                oracle.add(s, &[mark], Vec::new(), call());
            }
        }
        let (at, len) = (buffers[buffer] + start as u64, end - start);
        match kind {
            0 | 1 => ok!(cuMemsetD8Async(at, 7, len, streams[s])),
            2 => assert_eq!(launch_fill(fill, streams[s], u32::try_from(len / 4).unwrap(), 9, at), 0),
            3 | 4 => ok!(cuMemcpyDtoDAsync_v2(at, buffers[source.buffer] + start as u64, len, streams[s])),
            5 => {
                let mut bytes = [0_u8; BYTES];
                ok!(cuMemcpyDtoHAsync_v2(bytes.as_mut_ptr().cast(), at, len, streams[s]));
            }
            6 | 7 => {
                let index = choice.below(events.len());
                ok!(cuEventRecord(events[index], streams[s]));
                let mark = oracle.add(s, &[], Vec::new(), call());
                recorded.insert(index, mark);
            }
            8 => {
                let index = choice.below(events.len());
                ok!(cuStreamWaitEvent(streams[s], events[index], 0));
                let after: Vec<usize> = recorded.get(&index).copied().into_iter().collect();
                oracle.add(s, &after, Vec::new(), call());
            }
            _ => {
                if choice.below(3) == 0 {
                    ok!(cuStreamSynchronize(streams[s]));
                    oracle.host.extend(oracle.last(s));
                } else if cu!(cuStreamQuery(streams[s])) == 0 {
                    oracle.host.extend(oracle.last(s));
                }
            }
        }
        if !touches.is_empty() {
            let index = oracle.add(s, &[], touches, call());
            if kind == 5 {
                // A download to pageable memory is done at return.
                oracle.host.push(index);
            }
        }
    }
    ok!(cuCtxSynchronize());
    buffers.into_iter().for_each(|buffer| ok!(cuMemFree_v2(buffer)));
    events.into_iter().for_each(|event| ok!(cuEventDestroy_v2(event)));
    ok!(cuModuleUnload(module));
    streams.into_iter().for_each(|stream| ok!(cuStreamDestroy_v2(stream)));
    oracle
}

#[test]
fn verdicts_agree_with_the_oracle() {
    let mut machine = Machine::builder().install();
    let (mut right, mut wrong) = (0, 0);
    machine.for_seeds(0..3000, |machine| {
        let seed = machine.seed();
        let mut choice = Choice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
        primary(0);
        let steps = 4 + choice.below(24);
        let oracle = program(&mut choice, machine, seed % 3 == 0, steps);
        release(0);
        let races = oracle.races();
        let findings = machine.finish();
        assert!(findings.iter().all(|finding| finding.kind == FindingKind::Race), "{findings:#?}");
        assert_eq!(findings.is_empty(), races.is_empty(), "oracle: {races:?}, simulator: {findings:#?}");
        for finding in &findings {
            let pair = (finding.other.as_ref().unwrap().number, finding.at.number);
            let sorted = (pair.0.min(pair.1), pair.0.max(pair.1));
            assert!(races.contains(&sorted), "{finding} is no race: {races:?}");
        }
        if races.is_empty() {
            right += 1;
        } else {
            wrong += 1;
        }
        assert!(seed % 3 != 0 || races.is_empty(), "a program that was to be right");
    });
    assert!(right > 1000 && wrong > 500, "{right} right, {wrong} wrong");
}
