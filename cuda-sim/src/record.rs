//! The record of every call.

use std::fmt;

use crate::script::is_named;

/// The value of an argument, as far as it is worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Number(i64),
    /// An address, a handle, a size.
    Word(u64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) if *word < 0x1_0000 => write!(f, "{word}"),
            Self::Word(word) => write!(f, "{word:#x}"),
        }
    }
}

/// Most arguments of a function that are kept.
const MOST: usize = 11;

/// The arguments of a call; no allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Arguments {
    values: [Value; MOST],
    len: usize,
}

impl Arguments {
    pub(crate) fn new(given: &[Value]) -> Self {
        let mut values = [Value::Number(0); MOST];
        let len = given.len().min(MOST);
        values[..len].copy_from_slice(&given[..len]);
        Self { values, len }
    }

    /// As a slice.
    pub fn as_slice(&self) -> &[Value] {
        &self.values[..self.len]
    }
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// One call of a driver or runtime function.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// The symbol, such as `cuMemFree_v2`.
    pub name: &'static str,
    /// Its place among all calls, from 1.
    pub number: u64,
    /// Its arguments, in order.
    pub arguments: Arguments,
    /// The thread, by the order in which threads made their first call.
    pub thread: usize,
    /// The context that was current when it was made; 0 is none.
    pub context: usize,
    /// What it returned.
    pub result: u32,
    /// Whether it had to wait for work of the device.
    pub waited: bool,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>5} thread {} {}(", self.number, self.thread, self.name)?;
        for (i, value) in self.arguments.as_slice().iter().enumerate() {
            write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
        }
        write!(f, ") = {}{}", self.result, if self.waited { ", waited" } else { "" })
    }
}

/// All calls since the machine was started or cleared.
#[derive(Debug, Default)]
pub(crate) struct Record {
    calls: Vec<Call>,
    count: u64,
    last_only: bool,
}

impl Record {
    /// Notes the start of a call; gives its number.
    pub(crate) fn begin(&mut self, name: &'static str, arguments: Arguments, thread: usize, context: usize) -> u64 {
        self.count += 1;
        let number = self.count;
        if self.last_only {
            self.calls.clear();
        }
        self.calls.push(Call { name, number, arguments, thread, context, result: 0, waited: false });
        number
    }

    /// Keeps no call but the last.
    pub(crate) fn keep_last_only(&mut self) {
        self.last_only = true;
    }

    /// Notes its end. It is the last one, for calls are made one at a time.
    pub(crate) fn end(&mut self, result: u32, waited: bool) {
        if let Some(call) = self.calls.last_mut() {
            call.result = result;
            call.waited = waited;
        }
    }

    pub(crate) fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Forgets the calls; numbers go on.
    pub(crate) fn clear(&mut self) {
        self.calls.clear();
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.calls.iter().filter(|call| is_named(call.name, name)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_kept_in_order_with_results() {
        let mut record = Record::default();
        for name in ["cuMemAllocAsync", "cuMemFree_v2", "cuMemAllocAsync"] {
            record.begin(name, Arguments::new(&[Value::Word(1 << 20), Value::Number(-1)]), 0, 0);
            record.end(2, true);
        }
        assert_eq!((record.count("cuMemAllocAsync"), record.count("cuMemFree")), (2, 1));
        assert_eq!(record.calls()[1].to_string(), "    2 thread 0 cuMemFree_v2(0x100000, -1) = 2, waited");
        record.clear();
        assert!(record.calls().is_empty());
        assert_eq!(record.begin("cuInit", Arguments::new(&[]), 0, 0), 4);
    }
}
