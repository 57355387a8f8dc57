//! Counting heap allocations of the code under test, without those of the simulator.
//!
//! ```ignore
//! #[global_allocator]
//! static HEAP: cuda_sim::alloc::Counting = cuda_sim::alloc::Counting;
//! assert_eq!(cuda_sim::alloc::count(|| launch()), 0);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    /// Above 0 while the simulator itself runs on this thread.
    static PAUSED: Cell<u32> = const { Cell::new(0) };
}

/// The system's allocator, counting what each thread asks of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

fn note() {
    // At the end of a thread there is nothing to count in.
    let _ = PAUSED.try_with(|paused| {
        if paused.get() == 0 {
            let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        }
    });
}

// SAFETY: all is done by the system's allocator; counting touches no memory that it manages.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: (caller)
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: (caller)
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: (caller)
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: (caller)
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Number of heap allocations that a closure makes on this thread, calls into the simulator left
/// out. Always 0 unless [`Counting`] is the program's allocator, which [`is_counting`] tells.
pub fn count(body: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    body();
    COUNT.with(Cell::get) - before
}

/// Whether [`Counting`] is the program's allocator.
#[must_use]
pub fn is_counting() -> bool {
    count(|| drop(std::hint::black_box(Box::new(1_u8)))) > 0
}

/// Runs the simulator's own code, whose allocations do not count.
pub(crate) fn uncounted<T>(body: impl FnOnce() -> T) -> T {
    PAUSED.with(|paused| paused.set(paused.get() + 1));
    let result = body();
    PAUSED.with(|paused| paused.set(paused.get() - 1));
    result
}
