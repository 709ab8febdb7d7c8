# SPDX-License-Identifier: Apache-2.0
"""The first program in Python, with ctypes alone: what another language needs to bind rill.
It prints:

    Hello from the first stream,
    and from the second, which waited for it.
"""
import ctypes
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_void_p

# CDLL gives the GIL away in calls: a call that waits would keep it from the functions that it
# waits for. PyDLL does not.
rill = ctypes.CDLL("librill.so.0")

# What is NULL here may be options: structures that begin with their size.
handle = ctypes.POINTER(c_void_p)
host_function = ctypes.CFUNCTYPE(None, c_void_p)
for name, arguments in {
    "rill_open": [c_void_p, handle],
    "rill_close": [handle],
    "rill_context_create": [c_void_p, c_void_p, handle],
    "rill_context_destroy": [handle],
    "rill_stream_create": [c_void_p, c_void_p, handle],
    "rill_stream_destroy": [handle],
    "rill_stream_synchronize": [c_void_p],
    "rill_stream_wait_event": [c_void_p, c_void_p, c_uint],
    "rill_event_create": [c_void_p, c_void_p, handle],
    "rill_event_record": [c_void_p, c_void_p, c_uint],
    "rill_event_destroy": [handle],
    "rill_launch_host": [c_void_p, host_function, c_void_p, c_void_p],
}.items():
    getattr(rill, name).argtypes = arguments
    getattr(rill, name).restype = c_int
rill.rill_error_format.argtypes = [c_char_p, c_size_t]
rill.rill_error_format.restype = c_size_t


def do(name, *arguments):
    """Makes a call; what it says if it fails is the thread's, and asked for at once."""
    if getattr(rill, name)(*arguments):
        text = ctypes.create_string_buffer(1024)
        rill.rill_error_format(text, len(text))
        raise RuntimeError(text.value.decode())


def make(name, *arguments):
    made = c_void_p()
    do(name, *arguments, byref(made))
    return made


# Both must live until they have run, in a thread of rill's: exceptions end there.
@host_function
def say(_):
    print("Hello from the first stream,", flush=True)


@host_function
def say_again(_):
    print("and from the second, which waited for it.", flush=True)


platform = make("rill_open", None)
context = make("rill_context_create", platform, None)
first, second = (make("rill_stream_create", context, None) for _ in range(2))
said = make("rill_event_create", context, None)

do("rill_launch_host", first, say, None, None)
do("rill_event_record", said, first, 0)
do("rill_stream_wait_event", second, said, 0)
do("rill_launch_host", second, say_again, None, None)
do("rill_stream_synchronize", second)

do("rill_event_destroy", byref(said))
do("rill_stream_destroy", byref(second))
do("rill_stream_destroy", byref(first))
do("rill_context_destroy", byref(context))
do("rill_close", byref(platform))
