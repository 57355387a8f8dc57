//! Branches, ends, and barriers of the block.

use super::super::ast::{Instruction, Operand};
use super::super::code::{Barrier, BarrierKind, Op, Reduce, Slot};
use super::super::types::Ty;
use super::modifiers::Modifiers;
use super::{Decoded, Decoder};

impl<'a> Decoder<'_, 'a> {
    /// `bra`, with the predicate that guards it and whether it is negated.
    pub(super) fn branch(&mut self, instruction: &Instruction<'a>, guard: Option<(Slot, bool)>) -> Decoded<()> {
        let [Operand::Name(label)] = instruction.operands[..] else {
            return Err(self.syntax("bra takes one label"));
        };
        let (at, line) = (self.code.ops.len(), self.line);
        self.emit(match guard {
            None => Op::Jump { to: 0 },
            Some((p, false)) => Op::JumpIf { p, to: 0 },
            Some((p, true)) => Op::JumpUnless { p, to: 0 },
        })?;
        self.frame().jumps.push((at, label, line));
        Ok(())
    }

    /// `brx.idx`.
    pub(super) fn switch(&mut self, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        m.take("idx");
        m.take("uni");
        let [index, Operand::Name(targets)] = operands else {
            return Err(self.syntax("brx.idx takes an index and a list of targets"));
        };
        let index = self.source(index, Ty::U32)?;
        let Some(labels) = self.frame().targets.get(targets).cloned() else {
            return Err(self.syntax(format!("{targets} is no list of targets")));
        };
        let (number, line) = (self.code.tables.len(), self.line);
        self.code.tables.push(Vec::new());
        self.frame().tables.push((number, labels, line));
        self.emit(Op::Switch { index, table: u32::try_from(number).unwrap_or(u32::MAX) })
    }

    /// `ret`, `exit`, `trap`, `brkpt`.
    pub(super) fn leave(&mut self, name: &str, m: &mut Modifiers<'a>) -> Decoded<()> {
        m.take("uni");
        match name {
            "trap" | "brkpt" => self.emit(Op::Trap),
            "ret" if self.frames.len() > 1 => {
                let at = self.code.ops.len();
                self.emit(Op::Jump { to: 0 })?;
                self.frame().returns.push(at);
                Ok(())
            }
            _ => self.emit(Op::Exit),
        }
    }

    /// Gives the jumps of the innermost function their targets, and ends it.
    pub(super) fn close_frame(&mut self) -> Decoded<()> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let end = self.here();
        let target = |label: &str, line: u32| {
            let missing = || super::PtxError::syntax(line, format!("no label {label} in {}", frame.name));
            frame.labels.get(label).copied().ok_or_else(missing)
        };
        for &(at, label, line) in &frame.jumps {
            set_target(&mut self.code.ops[at], target(label, line)?);
        }
        for (number, labels, line) in &frame.tables {
            let places = labels.iter().map(|label| target(label, *line)).collect::<Decoded<Vec<_>>>()?;
            self.code.tables[*number] = places;
        }
        for &at in &frame.returns {
            set_target(&mut self.code.ops[at], end);
        }
        Ok(())
    }

    /// `bar` and `barrier`: of the block, or of a warp.
    pub(super) fn barrier(&mut self, name: &str, m: &mut Modifiers<'a>, operands: &[Operand<'a>]) -> Decoded<()> {
        if m.take("warp") {
            m.take("sync");
            return self.warp_barrier(operands);
        }
        // `bar` is `barrier.aligned`.
        m.take("cta");
        let aligned = m.take("aligned") || name == "bar";
        if m.take("sync") {
            let id = self.nth(operands, 0, Ty::U32)?;
            let count = self.thread_count(operands.get(1))?;
            return self.push_barrier(Barrier { id, count, aligned, kind: BarrierKind::Wait });
        }
        if m.take("arrive") {
            let id = self.nth(operands, 0, Ty::U32)?;
            let count = self.thread_count(operands.get(1))?;
            return self.push_barrier(Barrier { id, count, aligned, kind: BarrierKind::Arrive });
        }
        if !m.take("red") {
            return Err(self.unsupported("a barrier of this kind"));
        }
        let how = match m.take_one(&["popc", "and", "or"]) {
            Some("popc") => Reduce::Count,
            Some("and") => Reduce::And,
            _ => Reduce::Or,
        };
        self.typed(m)?;
        let (d, _) = self.first(operands)?;
        let id = self.nth(operands, 1, Ty::U32)?;
        let [count, predicate] = match operands {
            [_, _, count, predicate] => [Some(count), Some(predicate)],
            _ => [None, operands.get(2)],
        };
        let count = self.thread_count(count)?;
        let Some(predicate) = predicate else { return Err(self.syntax("a predicate is missing")) };
        let p = self.source(predicate, Ty::Pred)?;
        self.push_barrier(Barrier { id, count, aligned, kind: BarrierKind::Reduce { d, p, how } })
    }

    fn thread_count(&mut self, operand: Option<&Operand<'a>>) -> Decoded<Option<Slot>> {
        match operand {
            None => Ok(None),
            Some(operand) => {
                self.code.partial_order = true;
                Ok(Some(self.source(operand, Ty::U32)?))
            }
        }
    }

    fn push_barrier(&mut self, barrier: Barrier) -> Decoded<()> {
        let number = u32::try_from(self.code.barriers.len()).unwrap_or(u32::MAX);
        self.code.barriers.push(barrier);
        self.emit(Op::Barrier { barrier: number })
    }
}

fn set_target(op: &mut Op, target: u32) {
    if let Op::Jump { to } | Op::JumpIf { to, .. } | Op::JumpUnless { to, .. } = op {
        *to = target;
    }
}
