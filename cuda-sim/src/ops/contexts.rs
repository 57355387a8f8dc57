//! Contexts: primary and created, current per thread, peer access.

use std::sync::Arc;

use crate::context::Context;
use crate::handles::{Fate, Kind};
use crate::memory::{Origin, State};
use crate::report::{FindingKind, Label};
use crate::sim::{Outcome, Sim, codes};

impl Sim {
    /// One more reference to a device's primary context.
    pub(crate) fn retain_primary(&mut self, device: usize) -> Outcome<usize> {
        self.raise_primary(device)?;
        self.contexts[device].references += 1;
        Ok(device)
    }

    /// The runtime's own reference, once.
    pub(crate) fn hold_primary(&mut self, device: usize) -> Outcome<usize> {
        self.raise_primary(device)?;
        self.contexts[device].held_by_runtime = true;
        Ok(device)
    }

    fn raise_primary(&mut self, device: usize) -> Outcome<()> {
        if !self.contexts[device].alive {
            if let Some(fault) = &self.fault {
                return Err(fault.code);
            }
            let (here, id) = (self.here(), self.next_context_id());
            let context = &mut self.contexts[device];
            context.id = id;
            context.alive = true;
            context.made = here;
            context.legacy = None;
            context.per_thread.clear();
            context.peers.clear();
        }
        Ok(())
    }

    fn next_context_id(&mut self) -> u64 {
        self.contexts_made += 1;
        self.contexts_made
    }

    /// The number of a context, or of the current one with handle 0.
    pub(crate) fn context_id(&mut self, handle: usize) -> Outcome<u64> {
        let context = if handle == 0 { self.current()? } else { self.usable_context(handle)? };
        Ok(self.contexts[context].id)
    }

    /// Gives a reference to the primary context back.
    pub(crate) fn release_primary(&mut self, device: usize) -> Outcome<()> {
        if self.contexts[device].references == 0 {
            self.find(FindingKind::DoubleFree, None, "the primary context is released more often than retained");
            return Err(codes::INVALID_CONTEXT);
        }
        self.contexts[device].references -= 1;
        if self.contexts[device].references == 0 && !self.contexts[device].held_by_runtime {
            self.end_context(device);
        }
        Ok(())
    }

    /// Ends the primary context whoever holds it.
    pub(crate) fn reset_primary(&mut self, device: usize) {
        if self.contexts[device].alive {
            self.end_context(device);
        }
    }

    /// A context of the program's own, made current.
    pub(crate) fn create_context(&mut self, device: usize, flags: u32) -> Outcome<usize> {
        if let Some(fault) = &self.fault {
            return Err(fault.code);
        }
        let index = self.contexts.len();
        let handle = self.handles.add(Kind::Context, index);
        let mut context = Context::new(handle, device, false, self.here());
        context.flags = flags;
        context.id = self.next_context_id();
        self.contexts.push(context);
        self.thread().stack.push(Some(index));
        Ok(index)
    }

    /// Destroys a context of the program's own.
    pub(crate) fn destroy_context(&mut self, handle: usize) -> Outcome<()> {
        let index = self.object(Kind::Context, handle)?;
        if self.contexts[index].primary {
            self.find(FindingKind::WrongPartner, None, "a primary context is released, not destroyed");
            return Err(codes::INVALID_CONTEXT);
        }
        self.end_context(index);
        self.end(handle);
        if self.thread().current() == Some(index) {
            self.thread().stack.pop();
        }
        Ok(())
    }

    /// The context and all that is in it go. Its work completes first.
    fn end_context(&mut self, context: usize) {
        self.run_all(Some(context));
        let here = self.here();
        self.contexts[context].alive = false;
        let (mut gone, mut abandoned) = (Vec::new(), Vec::new());
        let mut note = |handle: usize, owned: bool, what: &'static str, made: &Arc<Label>| {
            gone.push(handle);
            if owned {
                abandoned.push((what, made.clone()));
            }
        };
        for stream in self.streams.iter_mut().filter(|stream| stream.context == context) {
            note(stream.handle, stream.owned, "stream", &stream.made);
            stream.owned = false;
        }
        for event in self.events.iter_mut().filter(|event| event.context == context && event.owned) {
            note(event.handle, true, "event", &event.made);
            event.owned = false;
        }
        for image in self.images.iter_mut().filter(|image| image.context == Some(context) && image.owned) {
            note(image.handle, true, "module", &image.made);
            image.owned = false;
        }
        for function in self.functions.iter().filter(|function| function.context == context) {
            note(function.handle, false, "function", &here);
        }
        for handle in gone {
            self.handles.end(handle, Fate::Orphaned(here.clone()));
        }
        for (what, made) in abandoned {
            self.abandon(&here, what, &made);
        }
        let blocks: Vec<(u64, Origin, Arc<Label>)> = self
            .memory
            .regions()
            .filter(|region| region.context == context && matches!(region.state, State::Live))
            .map(|region| (region.base, region.origin, region.made.clone()))
            .collect();
        for (base, origin, made) in blocks {
            if origin != Origin::Module {
                let text =
                    format!("{here} ended the context with the memory at {base:#x} of {made}, which nobody had freed");
                self.report.add(FindingKind::Leak, &made, Some(&here), text);
            }
            self.memory.release(base, &here);
        }
        self.contexts[context].legacy = None;
        self.contexts[context].per_thread.clear();
    }

    fn abandon(&mut self, here: &Arc<Label>, what: &str, made: &Arc<Label>) {
        let text = format!("{here} ended the context with the {what} of {made}, which nobody had freed");
        self.report.add(FindingKind::Abandoned, made, Some(here), text);
    }

    /// Handle of the current context; 0 is none.
    pub(crate) fn current_handle(&mut self) -> usize {
        self.thread().current().map_or(0, |context| self.contexts[context].handle)
    }

    /// Makes a context current in place of the one that is, or none with handle 0.
    pub(crate) fn set_current(&mut self, handle: usize) -> Outcome<()> {
        let context = if handle == 0 { None } else { Some(self.usable_context(handle)?) };
        self.thread().set_current(context);
        Ok(())
    }

    /// Makes a context current on top of the one that is.
    pub(crate) fn push_current(&mut self, handle: usize) -> Outcome<()> {
        let context = self.usable_context(handle)?;
        self.thread().stack.push(Some(context));
        Ok(())
    }

    /// Makes the one below current; gives the handle of the one that was.
    pub(crate) fn pop_current(&mut self) -> Outcome<usize> {
        let context = self.thread().stack.pop().flatten().ok_or(codes::INVALID_CONTEXT)?;
        Ok(self.contexts[context].handle)
    }

    fn usable_context(&mut self, handle: usize) -> Outcome<usize> {
        let context = self.object(Kind::Context, handle)?;
        if self.contexts[context].alive {
            return Ok(context);
        }
        self.find(FindingKind::DestroyedHandle, None, "the primary context has been released");
        Err(codes::CONTEXT_DESTROYED)
    }

    /// Waits for all work of the current context.
    pub(crate) fn synchronize_context(&mut self, context: usize) -> Outcome<()> {
        for stream in 1..self.streams.len() {
            if self.streams[stream].context == context {
                let point = self.tail(stream);
                self.wait_for(&point)?;
            }
        }
        self.notice()
    }

    /// Whether kernels of one device can be given access to memory of the other.
    pub(crate) fn can_access_peer(&self, from: usize, to: usize) -> bool {
        from != to && self.config.peers.contains(&(from, to))
    }

    /// Gives the current context access to another's memory.
    pub(crate) fn enable_peer(&mut self, handle: usize) -> Outcome<()> {
        let (current, peer) = (self.current()?, self.usable_context(handle)?);
        let (from, to) = (self.contexts[current].device, self.contexts[peer].device);
        if !self.can_access_peer(from, to) {
            return Err(codes::PEER_UNSUPPORTED);
        }
        if self.contexts[current].peers.insert(peer) { Ok(()) } else { Err(codes::PEER_ALREADY) }
    }

    /// Takes that access away.
    pub(crate) fn disable_peer(&mut self, handle: usize) -> Outcome<()> {
        let (current, peer) = (self.current()?, self.usable_context(handle)?);
        if self.contexts[current].peers.remove(&peer) { Ok(()) } else { Err(codes::PEER_NOT_ENABLED) }
    }
}
