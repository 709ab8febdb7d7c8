# SPDX-License-Identifier: Apache-2.0
"""Touches pinned memory that a copy uses, where Python has a handler of SIGSEGV of its own.

usage: handler_python.py first|later|missed|crash: since before the memory is protected; after that;
after that, with a touch before any call; and one that gets a fault of the program's"""
import ctypes
import faulthandler
import resource
import sys

BYTES = 65536
driver = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    status = getattr(driver, name)(*arguments)
    if status:
        sys.exit("%s: %d" % (name, status))


def main(when):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if when == "first":
        faulthandler.enable()
    context, device, stream = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_void_p()
    pinned = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    call("cuMemAlloc_v2", ctypes.byref(device), ctypes.c_size_t(BYTES))
    call("cuMemHostAlloc", ctypes.byref(pinned), ctypes.c_size_t(BYTES), 0)
    call("cuStreamCreate", ctypes.byref(stream), 1)
    if when == "missed":
        call("cuMemcpyHtoDAsync_v2", device, pinned, ctypes.c_size_t(BYTES), stream)
        faulthandler.enable()
        ctypes.memset(pinned.value, 1, 1)
    for i in range(2):
        call("cuMemcpyHtoDAsync_v2", device, pinned, ctypes.c_size_t(BYTES), stream)
        if when != "first" and i == 0:
            faulthandler.enable()
            call("cuMemAlloc_v2", ctypes.byref(device), ctypes.c_size_t(BYTES))  # any that works
        ctypes.memset(pinned.value, 1, 1)
        call("cuStreamSynchronize", stream)
    if when == "crash":
        ctypes.memset(8, 1, 1)
    print("both were made")


main(sys.argv[1])
