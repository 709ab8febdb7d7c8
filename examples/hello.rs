// SPDX-License-Identifier: Apache-2.0
//! The first program in Rust, with the standard library alone:
//!
//!     rustc examples/hello.rs -l rill
//!
//! From the edition of 2024 on, `extern` below is `unsafe extern`.
//!
//! It prints:
//!
//!     Hello from the first stream,
//!     and from the second, which waited for it.
use std::ffi::{c_char, c_int, c_void, CStr};
use std::ptr::{null, null_mut};

type Handle = *mut c_void; // opaque, each kind the same
type HostFn = unsafe extern "C" fn(*mut c_void);

#[link(name = "rill")]
extern "C" {
    // What is null here may be options: structures that begin with their size.
    fn rill_open(options: *const c_void, platform: *mut Handle) -> c_int;
    fn rill_close(platform: *mut Handle) -> c_int;
    fn rill_context_create(platform: Handle, options: *const c_void, context: *mut Handle) -> c_int;
    fn rill_context_destroy(context: *mut Handle) -> c_int;
    fn rill_stream_create(context: Handle, options: *const c_void, stream: *mut Handle) -> c_int;
    fn rill_stream_destroy(stream: *mut Handle) -> c_int;
    fn rill_stream_synchronize(stream: Handle) -> c_int;
    fn rill_stream_wait_event(stream: Handle, event: Handle, flags: u32) -> c_int;
    fn rill_event_create(context: Handle, options: *const c_void, event: *mut Handle) -> c_int;
    fn rill_event_record(event: Handle, stream: Handle, flags: u32) -> c_int;
    fn rill_event_destroy(event: *mut Handle) -> c_int;
    fn rill_launch_host(
        stream: Handle, call: HostFn, data: *mut c_void, destroy: Option<HostFn>,
    ) -> c_int;
    fn rill_error_format(text: *mut c_char, size: usize) -> usize;
}

/// What a call says if it fails is the thread's, and asked for at once.
fn done(status: c_int) -> Result<(), String> {
    if status == 0 {
        return Ok(());
    }
    let mut text: [c_char; 1024] = [0; 1024];
    unsafe {
        rill_error_format(text.as_mut_ptr(), text.len());
        Err(CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned())
    }
}

// In a thread of rill's: a panic must not leave it, and ends the process.
unsafe extern "C" fn say(text: *mut c_void) {
    println!("{}", *(text as *const &str));
}

fn main() -> Result<(), String> {
    // They must live until they were said.
    let mut hello = "Hello from the first stream,";
    let mut again = "and from the second, which waited for it.";
    let (mut platform, mut context, mut said) = (null_mut(), null_mut(), null_mut());
    let (mut first, mut second) = (null_mut(), null_mut());
    unsafe {
        done(rill_open(null(), &mut platform))?;
        done(rill_context_create(platform, null(), &mut context))?;
        done(rill_stream_create(context, null(), &mut first))?;
        done(rill_stream_create(context, null(), &mut second))?;
        done(rill_event_create(context, null(), &mut said))?;

        done(rill_launch_host(first, say, &mut hello as *mut _ as *mut c_void, None))?;
        done(rill_event_record(said, first, 0))?;
        done(rill_stream_wait_event(second, said, 0))?;
        done(rill_launch_host(second, say, &mut again as *mut _ as *mut c_void, None))?;
        done(rill_stream_synchronize(second))?;

        done(rill_event_destroy(&mut said))?;
        done(rill_stream_destroy(&mut second))?;
        done(rill_stream_destroy(&mut first))?;
        done(rill_context_destroy(&mut context))?;
        done(rill_close(&mut platform))
    }
}
