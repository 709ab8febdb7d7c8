# SPDX-License-Identifier: Apache-2.0
"""A kernel of PTX and a captured graph from Python, with all of rill's interface: cffi reads what
the C compiler leaves of the headers. It prints:

    256 threads, 3 times: 768
    rill_stream_synchronize: RILL_ERROR_INVALID_HANDLE: stream is NULL
"""
import os
import re
import subprocess

import cffi


def declarations(*headers):
    """What rill's headers declare, without what they include, attributes and bodies."""
    flags = os.environ.get("CPPFLAGS") or subprocess.run(
        ["pkg-config", "--cflags", "rill"], capture_output=True, text=True, check=True).stdout
    text = subprocess.run(
        ["cc", "-E", "-D__attribute__(what)=", *flags.split(), "-x", "c", "-"],
        input="".join(f"#include <rill/{name}.h>\n" for name in headers),
        capture_output=True, text=True, check=True).stdout
    kept, ours = [], False
    for line in text.splitlines():
        file = re.match(r'# \d+ "(.*)"', line)
        if file:
            ours = "/rill/" in file[1]
        elif ours:
            kept.append(line)
    return re.sub(r"^static inline.*?^}$", "", "\n".join(kept), flags=re.M | re.S)


ffi = cffi.FFI()
ffi.cdef(declarations("rill"))  # and "sim", "check" ... as they are needed
rill = ffi.dlopen("librill.so.0")


def do(status):
    """The sentence is the thread's, and asked for at once. A call that waits has no GIL."""
    if status:
        text = ffi.new("char[]", 1024)
        rill.rill_error_format(text, len(text))
        raise RuntimeError(ffi.string(text).decode())


def make(call, *arguments):
    """What a call makes by way of its last argument."""
    place = ffi.new(ffi.typeof(call).args[-1])
    do(call(*arguments, place))
    return place


PTX = b"""
.version 6.4
.target sm_75
.address_size 64
.visible .entry count(.param .u64 where)
{
  .reg .b64 %there;
  ld.param.u64 %there, [where];
  red.global.add.u32 [%there], 1;
  ret;
}
"""

platform = make(rill.rill_open, ffi.NULL)
context = make(rill.rill_context_create, platform[0], ffi.NULL)
stream = make(rill.rill_stream_create, context[0], ffi.NULL)

# The size says which fields there are; the text has to live until the module has it.
code = ffi.new("char[]", PTX)
image = ffi.new("rill_image *", {"size": ffi.sizeof("rill_image"), "code": code})
module = make(rill.rill_module_load, context[0], image)
kernel = make(rill.rill_module_kernel, module[0], b"count")
counter = make(rill.rill_mem_alloc, context[0], 4)
parameters = ffi.new("void *[]", [counter])


# An exception must not leave it: error= is what rill gets instead.
@ffi.callback("rill_capture_fn", error=999)
def step(into, _):
    return rill.rill_launch_kernel(into, kernel[0], (1, 1, 1), (256, 1, 1), 0, parameters)


graph = make(rill.rill_capture, stream[0], ffi.NULL, step, ffi.NULL)
run = make(rill.rill_exec_create, graph[0], ffi.NULL)
times, counted = 3, ffi.new("uint32_t *")
do(rill.rill_memset_d8_async(stream[0], counter[0], 0, 4))
for _ in range(times):
    do(rill.rill_exec_launch(run[0], stream[0]))
do(rill.rill_memcpy_dtoh_async(stream[0], counted, counter[0], 4))
do(rill.rill_stream_synchronize(stream[0]))
print(f"256 threads, {times} times: {counted[0]}")

try:
    do(rill.rill_stream_synchronize(ffi.NULL))
except RuntimeError as error:
    print(str(error).split(";")[0])

do(rill.rill_exec_destroy(run))
do(rill.rill_graph_destroy(graph))
do(rill.rill_mem_free(context[0], counter[0]))
do(rill.rill_module_unload(module))
do(rill.rill_stream_destroy(stream))
do(rill.rill_context_destroy(context))
do(rill.rill_close(platform))
