//! Modules and libraries: loaded, looked into, unloaded.

use std::collections::HashMap;
use std::ffi::CString;
use std::sync::Arc;

use crate::code::{Code, Function, Image, LibraryKernel, Refusal, compile};
use crate::handles::Kind;
use crate::memory::Origin;
use crate::report::FindingKind;
use crate::sim::{Outcome, Sim, codes};

impl Sim {
    /// Compiles text into a context. The device finishes first.
    pub(crate) fn load_module(&mut self, context: usize, text: &str) -> Result<usize, Refusal> {
        self.run_all(Some(context));
        let code = Arc::new(compile(text, &self.config)?);
        Ok(self.add_image(Some(context), Ok(code), Kind::Module))
    }

    /// Takes text; it is compiled when it is used.
    pub(crate) fn load_library(&mut self, text: &str) -> usize {
        let code = compile(text, &self.config).map(Arc::new);
        self.add_image(None, code, Kind::Library)
    }

    fn add_image(&mut self, context: Option<usize>, code: Result<Arc<Code>, Refusal>, kind: Kind) -> usize {
        let handle = self.handles.add(kind, self.images.len());
        self.images.push(Image {
            handle,
            context,
            code,
            made: self.here(),
            owned: true,
            launches: HashMap::new(),
            functions: HashMap::new(),
            kernels: HashMap::new(),
            variables: HashMap::new(),
        });
        handle
    }

    /// Unloads a module or library. The device finishes first, but that is no order that a program
    /// may rely on.
    pub(crate) fn unload(&mut self, kind: Kind, handle: usize) -> Outcome<()> {
        let index = self.object(kind, handle).map_err(|_| codes::INVALID_HANDLE)?;
        self.run_all(self.images[index].context);
        let running =
            self.images[index].launches.iter().find(|(agent, (number, _))| !self.host.covers(**agent, *number));
        if let Some((_, (_, launch))) = running {
            let launch = launch.clone();
            self.find(FindingKind::UnloadedWhileRunning, Some(&launch), &format!("{launch} was not known to be done"));
        }
        let image = &mut self.images[index];
        image.owned = false;
        let functions: Vec<usize> = image.functions.values().copied().collect();
        let kernels: Vec<usize> = image.kernels.values().copied().collect();
        let variables: Vec<u64> = image.variables.values().flatten().copied().collect();
        for function in functions {
            self.end(self.functions[function].handle);
        }
        for kernel in kernels {
            self.end(self.kernels[kernel].handle);
        }
        let here = self.here();
        variables.into_iter().for_each(|base| self.memory.release(base, &here));
        self.end(handle);
        Ok(())
    }

    /// The compiled code of an image, or the code of its failure.
    fn compiled(&self, image: usize) -> Outcome<Arc<Code>> {
        self.images[image].code.clone().map_err(|refusal| refusal.code)
    }

    /// Names of an image's kernels.
    pub(crate) fn kernel_names(&mut self, kind: Kind, handle: usize) -> Outcome<Vec<Arc<str>>> {
        let image = self.object(kind, handle)?;
        Ok(self.compiled(image)?.kernels.clone())
    }

    /// The function of a kernel in a context.
    fn function_in(&mut self, image: usize, context: usize, kernel: &str) -> Outcome<usize> {
        let code = self.compiled(image)?;
        let kernel = code.kernels.iter().find(|name| &***name == kernel).cloned().ok_or(codes::NOT_FOUND)?;
        if let Some(&known) = self.images[image].functions.get(&(context, kernel.clone())) {
            return Ok(self.functions[known].handle);
        }
        let index = self.functions.len();
        let handle = self.handles.add(Kind::Function, index);
        let name = CString::new(&*kernel).unwrap_or_default();
        self.functions.push(Function { handle, context, image, kernel: kernel.clone(), name, shared_limit: 48 << 10 });
        self.images[image].functions.insert((context, kernel), index);
        Ok(handle)
    }

    /// `cuModuleGetFunction`.
    pub(crate) fn module_function(&mut self, module: usize, kernel: &str) -> Outcome<usize> {
        let image = self.object(Kind::Module, module)?;
        let context = self.images[image].context.ok_or(codes::INVALID_HANDLE)?;
        self.function_in(image, context, kernel)
    }

    /// `cuLibraryGetKernel`.
    pub(crate) fn library_kernel(&mut self, library: usize, kernel: &str) -> Outcome<usize> {
        let image = self.object(Kind::Library, library)?;
        let code = self.compiled(image)?;
        let kernel = code.kernels.iter().find(|name| &***name == kernel).cloned().ok_or(codes::NOT_FOUND)?;
        if let Some(&known) = self.images[image].kernels.get(&kernel) {
            return Ok(self.kernels[known].handle);
        }
        let index = self.kernels.len();
        let handle = self.handles.add(Kind::Kernel, index);
        let name = CString::new(&*kernel).unwrap_or_default();
        self.kernels.push(LibraryKernel { handle, image, kernel: kernel.clone(), name });
        self.images[image].kernels.insert(kernel, index);
        Ok(handle)
    }

    /// `cuKernelGetFunction`: a kernel's function in a context.
    pub(crate) fn kernel_function(&mut self, kernel: usize, context: usize) -> Outcome<usize> {
        let kernel = self.object(Kind::Kernel, kernel)?;
        let (image, name) = (self.kernels[kernel].image, self.kernels[kernel].kernel.clone());
        self.function_in(image, context, &name)
    }

    /// Offset and size of a parameter of a function or kernel.
    pub(crate) fn parameter(&mut self, image: usize, kernel: &str, index: usize) -> Outcome<(usize, usize)> {
        self.compiled(image)?.parameters(kernel).get(index).copied().ok_or(codes::INVALID_VALUE)
    }

    /// Addresses of an image's variables in a context, made and filled when they are first needed.
    pub(crate) fn variables(&mut self, image: usize, context: usize) -> Outcome<Vec<u64>> {
        let code = self.compiled(image)?;
        if let Some(known) = self.images[image].variables.get(&context) {
            return Ok(known.clone());
        }
        let (device, here) = (self.contexts[context].device, self.here());
        let mut addresses = Vec::new();
        for global in code.module.globals() {
            let size = (global.size as usize).max(1);
            let base =
                self.memory.allocate(device, context, size, Origin::Module, &here).ok_or(codes::OUT_OF_MEMORY)?;
            addresses.push(base);
        }
        for (global, &base) in code.module.globals().iter().zip(&addresses) {
            if let Some(region) = self.memory.get_mut(base) {
                region.write(0, &global.initial_bytes(&addresses));
            }
        }
        self.images[image].variables.insert(context, addresses.clone());
        Ok(addresses)
    }

    /// Address and size of a variable, in a context.
    pub(crate) fn variable(&mut self, image: usize, context: usize, name: &str) -> Outcome<(u64, usize)> {
        let code = self.compiled(image)?;
        let index = code.module.globals().iter().position(|global| &*global.name == name).ok_or(codes::NOT_FOUND)?;
        Ok((self.variables(image, context)?[index], code.module.globals()[index].size as usize))
    }
}
