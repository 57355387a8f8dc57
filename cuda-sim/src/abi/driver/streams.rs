//! Streams and events.

use std::ffi::{c_int, c_uint, c_ulonglong, c_void};

use cuda_driver_sys as sys;
use cuda_driver_sys::{CUcontext, CUdevice, CUevent, CUresult, CUstream};

use crate::abi::functions;
use crate::handles::pointer;

functions! { Driver, sys::symbols, CUresult;
    fn cuStreamCreate(stream: *mut CUstream, flags: c_uint) |sim| {
        let context = sim.current()?;
        let handle = sim.create_stream(context, flags, 0)?;
        stream.put(pointer(handle))
    }
    fn cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int) |sim| {
        let context = sim.current()?;
        let handle = sim.create_stream(context, flags, priority)?;
        stream.put(pointer(handle))
    }
    fn cuStreamDestroy_v2(stream: CUstream) |sim| { sim.destroy_stream(stream.handle()) }
    fn cuStreamSynchronize(stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.synchronize_stream(stream)
    }
    fn cuStreamQuery(stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.query_stream(stream)
    }
    fn cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.wait_event(stream, event.handle(), flags)
    }
    fn cuStreamGetCtx(stream: CUstream, context: *mut CUcontext) |sim| {
        let stream = sim.stream(stream.handle())?;
        let index = sim.streams[stream].context;
        context.put(pointer(sim.contexts[index].handle))
    }
    fn cuStreamGetFlags(stream: CUstream, flags: *mut c_uint) |sim| {
        let stream = sim.stream(stream.handle())?;
        flags.put(sim.streams[stream].flags)
    }
    fn cuStreamGetPriority(stream: CUstream, priority: *mut c_int) |sim| {
        let stream = sim.stream(stream.handle())?;
        priority.put(sim.streams[stream].priority)
    }
    fn cuStreamGetId(stream: CUstream, id: *mut c_ulonglong) |sim| {
        let stream = sim.stream(stream.handle())?;
        id.put(stream as u64)
    }
    fn cuStreamGetDevice(stream: CUstream, device: *mut CUdevice) |sim| {
        let stream = sim.stream(stream.handle())?;
        device.put(c_int::try_from(sim.device_of(stream)).unwrap_or(0))
    }
    fn cuStreamIsCapturing(stream: CUstream, status: *mut sys::CUstreamCaptureStatus) |sim| {
        sim.stream(stream.handle())?;
        status.put(sys::CUstreamCaptureStatus(0))
    }
    fn cuLaunchHostFunc(stream: CUstream, function: sys::CUhostFn, data: *mut c_void) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.host_function(stream, function, data.handle())
    }
    fn cuEventCreate(event: *mut CUevent, flags: c_uint) |sim| {
        let context = sim.current()?;
        let handle = sim.create_event(context, flags)?;
        event.put(pointer(handle))
    }
    fn cuEventDestroy_v2(event: CUevent) |sim| { sim.destroy_event(event.handle()) }
    fn cuEventRecord(event: CUevent, stream: CUstream) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.record_event(event.handle(), stream)
    }
    fn cuEventRecordWithFlags(event: CUevent, stream: CUstream, _flags: c_uint) |sim| {
        let stream = sim.stream(stream.handle())?;
        sim.record_event(event.handle(), stream)
    }
    fn cuEventQuery(event: CUevent) |sim| { sim.query_event(event.handle()) }
    fn cuEventSynchronize(event: CUevent) |sim| { sim.synchronize_event(event.handle()) }
    fn cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent) |sim| {
        let elapsed = sim.elapsed(start.handle(), end.handle())?;
        milliseconds.put(elapsed)
    }
    fn cuEventElapsedTime_v2(milliseconds: *mut f32, start: CUevent, end: CUevent) |sim| {
        let elapsed = sim.elapsed(start.handle(), end.handle())?;
        milliseconds.put(elapsed)
    }
}
