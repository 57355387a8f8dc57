//! PTX, read and run on the CPU: kernels as a GPU runs them, one thread after another, with each fault named.
//!
//! [`Module::parse`] reads text, [`Module::kernel`] finds a kernel, [`Kernel::run`] runs it on a [`Memory`] that the
//! caller has. There is no CUDA in this module.
//!
//! # How a launch runs
//!
//! Blocks run in an order that the [seed](Launch::seed) gives, and so do the threads of a block, each until it waits at
//! a barrier or a warp operation, or has ended. A thread that runs for long without waiting gives others a turn, of
//! other blocks too, so that kernels in which threads wait for each other come to their end. The same launch on the
//! same memory does the same each time.
//!
//! Registers, local and shared memory are zero at first; a GPU promises nothing there.
//!
//! # What is reported
//!
//! The first [`Fault`] ends the launch, with kernel, PTX line, block, thread and address:
//!
//! | fault | when | code |
//! |---|---|---|
//! | [`OutOfBounds`](FaultKind::OutOfBounds) | the [`Memory`] refuses the access | 700 |
//! | [`StepLimit`](FaultKind::StepLimit) | more steps than [`Launch::step_limit`] | 702 |
//! | [`Assert`](FaultKind::Assert) | `assert` failed | 710 |
//! | [`Misaligned`](FaultKind::Misaligned) | the address is no multiple of the access, vectors as a whole | 716 |
//! | [`SharedOutOfBounds`](FaultKind::SharedOutOfBounds), [`LocalOutOfBounds`](FaultKind::LocalOutOfBounds) | beyond what the block or thread has | 719 |
//! | [`Trap`](FaultKind::Trap) | `trap`, `brkpt`, or a branch table's index too large | 719 |
//! | [`Race`](FaultKind::Race) | two threads touch a byte of global or shared memory, one of them writes it, not atomically, and no barrier lies between | none |
//! | [`BarrierDivergence`](FaultKind::BarrierDivergence) | a barrier that threads miss, or that threads of a warp reach at different places | none |
//! | [`WarpMask`](FaultKind::WarpMask) | a warp operation's mask lacks the thread | none |
//! | [`Unsupported`](FaultKind::Unsupported), [`BadLaunch`](FaultKind::BadLaunch) | the kernel is outside the subset, or the launch does not fit it | none, 1 |
//!
//! Races are found whatever the order and the data, and all of them: barriers (also those of some warps or of lanes of a
//! warp) are what orders threads. Fences and atomic operations are not: a kernel that passes data between blocks by them
//! is reported though it may be right. Accesses that are `volatile`, `relaxed`, `acquire` or `release` count as atomic.
//!
//! # The subset
//!
//! | family | what there is |
//! |---|---|
//! | types | `b8`–`b64`, `u8`–`u64`, `s8`–`s64`, `f16`, `f16x2`, `f32`, `f64`, `pred`; `bf16` in `cvt`, `neg`, `abs`, `setp` |
//! | integers | `add`, `sub` (`.sat`), `mul`, `mad` (`.lo`, `.hi`, `.wide`), `mul24`, `mad24`, `sad`, `div`, `rem`, `abs`, `neg`, `min`, `max`, `popc`, `clz`, `bfind`, `brev`, `bfe`, `bfi`, `dp4a`; `.cc`, `addc`, `subc`, `madc` |
//! | logic | `and`, `or`, `xor`, `not`, `cnot`, `lop3`, `shl`, `shr`, `shf`, `prmt` |
//! | floats | `add`, `sub`, `mul`, `fma`, `mad`, `div`, `rcp`, `sqrt`, `abs`, `neg`, `min`, `max`, `copysign`, `testp`: IEEE, rounded once; f32 in all rounding modes, f64 and f16 to the nearest; `.ftz`, `.sat` |
//! | approximations | `div.approx`, `div.full`, `rcp`, `sqrt`, `rsqrt`, `sin`, `cos`, `lg2`, `ex2`, `tanh`: exact ones rounded to the nearest, closer than a GPU's |
//! | comparison | `setp` (with `and`, `or`, `xor`, and two results), `set`, `selp`, `slct` |
//! | conversion | `cvt` between all the types, `.rni` and its like, rounding modes, `.sat`, `.ftz`; `cvta`, `isspacep` |
//! | moves | `mov` of registers, special registers, addresses, and between vectors and scalars |
//! | memory | `ld`, `ldu`, `st` for `param`, `global`, `shared`, `local`, `const` and generic addresses, `.v2`, `.v4`; cache hints are ignored |
//! | atomics | `atom`, `red`: `add`, `min`, `max`, `and`, `or`, `xor`, `exch`, `cas`, `inc`, `dec` of 16 to 64 bits, `add` of floats |
//! | order | `bar`, `barrier` (`.sync`, `.arrive`, `.red`, with thread counts), `bar.warp.sync`; `membar`, `fence` do nothing, as memory is one order of accesses here |
//! | warps | `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`; `activemask` gives the thread alone |
//! | control | `bra`, `brx.idx`, `call` of functions with a body (no recursion, no pointers), `ret`, `exit`, `trap`, `@p`, `@!p` |
//! | variables | `.global`, `.const` with initialisers, `.shared`, `.extern .shared`, `.local`, parameters of any type and alignment |
//! | special registers | `%tid`, `%ntid`, `%ctaid`, `%nctaid`, `%laneid`, `%warpid`, `%nwarpid`, `%lanemask_*`, `%clock`, `%clock64`, `%globaltimer`, `%smid`, `%nsmid`, `%gridid`, `%dynamic_smem_size`, `%total_smem_size` |
//! | ignored | `.loc`, `.file`, `.pragma`, `.section`, `prefetch`, `nanosleep`, launch bounds (but see [`Kernel::max_threads`]) |
//!
//! Textures, surfaces, clusters, tensor instructions, asynchronous copies, `printf`, device-side allocation and launches
//! are not there. A kernel that uses them has an [error](Kernel::error) with line and text; others of its module run.
//!
//! # Limits
//!
//! - A launch has fewer than 2^32 threads.
//! - `%clock` counts steps of the launch, not cycles.
//! - NaN results of f32 are 0x7fffffff as on a GPU; those of f64 have the CPU's bits.
//! - Generic addresses of shared, local and parameter memory have their upper eight bits 1, 2 and 3: device addresses
//!   have to be below 2^56.

#![forbid(unsafe_code)]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a register is a slot of 64 bits, of which an instruction takes those of its type"
)]

mod ast;
mod code;
mod decode;
mod error;
mod exec;
mod fault;
mod launch;
mod lexer;
mod memory;
mod module;
mod parse;
mod sem;
mod shadow;
#[cfg(test)]
mod tests;
mod types;

pub use error::{PtxError, PtxErrorKind};
pub use fault::{Fault, FaultKind, OtherThread, Touch};
pub use launch::{Launch, Stopped, Ticks, Timer};
pub use memory::{BadAccess, FlatMemory, Memory, Who};
pub use module::{Global, Kernel, Module, Param};
