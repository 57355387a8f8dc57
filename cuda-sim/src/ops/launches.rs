//! Launches: checked, their arguments packed, enqueued.

use std::ffi::c_void;

use crate::clock::Agent;
use crate::code::Code;
use crate::handles::Kind;
use crate::sim::{Outcome, Sim, codes};
use crate::work::{Launch, Work};

/// Grid, block and dynamic shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
}

/// Limits of the simulated device, those of all devices of the last ten years.
pub(crate) const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];
pub(crate) const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
pub(crate) const MAX_THREADS: u64 = 1024;

impl Geometry {
    /// Whether every extent is between 1 and the device's limit.
    pub(crate) fn is_possible(&self) -> bool {
        let within = |given: [u32; 3], most: [u32; 3]| given.into_iter().zip(most).all(|(g, m)| g > 0 && g <= m);
        let threads: u64 = self.block.into_iter().map(u64::from).product();
        within(self.grid, MAX_GRID) && within(self.block, MAX_BLOCK) && threads <= MAX_THREADS
    }
}

impl Sim {
    /// `cuLaunchKernel`: a function, or a library's kernel, which runs in the stream's context.
    ///
    /// # Safety
    /// `parameters` is null or points to one pointer per parameter of the kernel, each to a value of
    /// its size; `extra` is null or a list as the driver takes it.
    pub(crate) unsafe fn launch(
        &mut self,
        handle: usize,
        stream: Agent,
        geometry: &Geometry,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> Outcome<()> {
        let context = self.streams[stream].context;
        let function = match self.handles.find(Kind::Kernel, handle) {
            Ok(kernel) => {
                let (image, name) = (self.kernels[kernel].image, self.kernels[kernel].kernel.clone());
                if !self.images[image].functions.contains_key(&(context, name)) {
                    // It is loaded now, for which the device has to finish.
                    self.run_all(Some(context));
                }
                let function = self.kernel_function(handle, context)?;
                self.object(Kind::Function, function)?
            }
            Err(_) => self.object(Kind::Function, handle)?,
        };
        self.same_context(self.functions[function].context, context, "a kernel and a stream")?;
        let limit = u32::try_from(self.functions[function].shared_limit).unwrap_or(0);
        if !geometry.is_possible() || geometry.shared > limit {
            return Err(codes::INVALID_VALUE);
        }
        let (image, kernel) = (self.functions[function].image, self.functions[function].kernel.clone());
        let code = self.images[image].code.clone().map_err(|refusal| refusal.code)?;
        // SAFETY: (caller)
        let packed = unsafe { pack(&code, &kernel, parameters, extra) }?;
        let variables = self.variables(image, context)?;
        let Geometry { grid, block, shared } = *geometry;
        let launch =
            Launch { code, kernel: kernel.clone(), grid, block, shared, parameters: packed, variables, context };
        let number = self.enqueue(stream, Work::Launch(Box::new(launch)), None);
        let mut label = crate::report::Label::host(self.now.call, self.now.number);
        (label.stream, label.position, label.kernel) = (Some(stream), number, Some(kernel));
        self.images[image].launches.insert(stream, (number, label.into()));
        Ok(())
    }
}

/// The arguments, each at its parameter's offset.
///
/// # Safety
/// As for [`Sim::launch`].
unsafe fn pack(code: &Code, kernel: &str, parameters: *mut *mut c_void, extra: *mut *mut c_void) -> Outcome<Vec<u8>> {
    let layout = code.parameters(kernel);
    let size = layout.iter().map(|(offset, size)| offset + size).max().unwrap_or(0);
    let mut packed = vec![0_u8; size];
    if !extra.is_null() {
        // SAFETY: (caller)
        let (buffer, given) = unsafe { read_extra(extra) }?;
        if given < size || buffer.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        // SAFETY: the buffer has `given` bytes, at least as many as are taken (caller).
        unsafe { std::ptr::copy_nonoverlapping(buffer.cast::<u8>(), packed.as_mut_ptr(), size) };
        return Ok(packed);
    }
    if layout.is_empty() {
        return Ok(packed);
    }
    if parameters.is_null() {
        return Err(codes::INVALID_VALUE);
    }
    for (i, &(offset, size)) in layout.iter().enumerate() {
        // SAFETY: there is one pointer per parameter (caller).
        let argument = unsafe { parameters.wrapping_add(i).read() };
        if argument.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        let target = packed[offset..offset + size].as_mut_ptr();
        // SAFETY: the argument has the parameter's size (caller), and so has the target.
        unsafe { std::ptr::copy_nonoverlapping(argument.cast::<u8>(), target, size) };
    }
    Ok(packed)
}

/// Buffer and size from the list `extra`.
///
/// # Safety
/// `extra` is a list of keys and values that ends with the key 0.
unsafe fn read_extra(mut extra: *mut *mut c_void) -> Outcome<(*const c_void, usize)> {
    const POINTER: usize = 1;
    const SIZE: usize = 2;
    let (mut buffer, mut size) = (std::ptr::null(), 0);
    loop {
        // SAFETY: the end has not been reached (caller).
        let key = unsafe { extra.read() }.addr();
        if key == 0 {
            return Ok((buffer, size));
        }
        // SAFETY: each key but the last has a value (caller).
        let value = unsafe { extra.wrapping_add(1).read() };
        match key {
            POINTER => buffer = value.cast_const(),
            // SAFETY: the value of this key points to a size (caller).
            SIZE => size = unsafe { value.cast::<usize>().read() },
            _ => return Err(codes::INVALID_VALUE),
        }
        extra = extra.wrapping_add(2);
    }
}
