//! Streams and events.

use std::ffi::{c_int, c_uint, c_ulonglong, c_void};

use cuda_runtime_sys::v13::{cudaError_t, cudaEvent_t, cudaHostFn_t, cudaStream_t, cudaStreamCaptureStatus};

use crate::abi::functions;
use crate::handles::pointer;

functions! { Runtime, cuda_runtime_sys::common::symbols, cudaError_t;
    fn cudaStreamCreate(stream: *mut cudaStream_t) |sim| {
        let context = sim.runtime_current()?;
        let handle = sim.create_stream(context, 0, 0)?;
        stream.put(pointer(handle))
    }
    fn cudaStreamCreateWithFlags(stream: *mut cudaStream_t, flags: c_uint) |sim| {
        let context = sim.runtime_current()?;
        let handle = sim.create_stream(context, flags, 0)?;
        stream.put(pointer(handle))
    }
    fn cudaStreamCreateWithPriority(stream: *mut cudaStream_t, flags: c_uint, priority: c_int) |sim| {
        let context = sim.runtime_current()?;
        let handle = sim.create_stream(context, flags, priority)?;
        stream.put(pointer(handle))
    }
    fn cudaStreamDestroy(stream: cudaStream_t) |sim| {
        sim.runtime_current()?;
        sim.destroy_stream(stream.handle())
    }
    fn cudaStreamQuery(stream: cudaStream_t) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        sim.query_stream(stream)
    }
    fn cudaStreamSynchronize(stream: cudaStream_t) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        sim.synchronize_stream(stream)
    }
    fn cudaStreamWaitEvent(stream: cudaStream_t, event: cudaEvent_t, flags: c_uint) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        sim.wait_event(stream, event.handle(), flags)
    }
    fn cudaStreamGetFlags(stream: cudaStream_t, flags: *mut c_uint) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        flags.put(sim.streams[stream].flags)
    }
    fn cudaStreamGetPriority(stream: cudaStream_t, priority: *mut c_int) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        priority.put(sim.streams[stream].priority)
    }
    fn cudaStreamGetId(stream: cudaStream_t, id: *mut c_ulonglong) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        id.put(stream as u64)
    }
    fn cudaStreamIsCapturing(stream: cudaStream_t, status: *mut cudaStreamCaptureStatus) |sim| {
        sim.runtime_stream(stream.handle())?;
        status.put(cudaStreamCaptureStatus(0))
    }
    fn cudaLaunchHostFunc(stream: cudaStream_t, function: cudaHostFn_t, data: *mut c_void) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        sim.host_function(stream, function, data.handle())
    }
    fn cudaEventCreate(event: *mut cudaEvent_t) |sim| {
        let context = sim.runtime_current()?;
        let handle = sim.create_event(context, 0)?;
        event.put(pointer(handle))
    }
    fn cudaEventCreateWithFlags(event: *mut cudaEvent_t, flags: c_uint) |sim| {
        let context = sim.runtime_current()?;
        let handle = sim.create_event(context, flags)?;
        event.put(pointer(handle))
    }
    fn cudaEventRecord(event: cudaEvent_t, stream: cudaStream_t) |sim| {
        let stream = sim.runtime_stream(stream.handle())?;
        sim.record_event(event.handle(), stream)
    }
    fn cudaEventQuery(event: cudaEvent_t) |sim| { sim.query_event(event.handle()) }
    fn cudaEventSynchronize(event: cudaEvent_t) |sim| { sim.synchronize_event(event.handle()) }
    fn cudaEventDestroy(event: cudaEvent_t) |sim| {
        sim.runtime_current()?;
        sim.destroy_event(event.handle())
    }
    fn cudaEventElapsedTime(milliseconds: *mut f32, start: cudaEvent_t, end: cudaEvent_t) |sim| {
        let elapsed = sim.elapsed(start.handle(), end.handle())?;
        milliseconds.put(elapsed)
    }
}
