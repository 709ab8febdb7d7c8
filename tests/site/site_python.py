# SPDX-License-Identifier: Apache-2.0
"""Prints where the library says it is called from: usage: site_python.py LIBRARY [releasing]

With "releasing", all calls give the interpreter's lock away.
"""
import ctypes
import sys
import threading

text = ctypes.create_string_buffer(1000)


def tell(library):
    library.site_tell(text, ctypes.c_size_t(1000))  # line 14
    return text.value.decode()


def tell_beside_others(library):
    others = threading.Event()
    thread = threading.Thread(target=others.wait)
    thread.start()
    print("beside others:", tell(library))
    others.set()
    thread.join()


def copy(library):
    library.site_callers(text, ctypes.c_size_t(1000))
    return text.value.decode()


def step(library):
    return copy(library)  # line 33


releasing = ctypes.CDLL(sys.argv[1])  # gives the lock away during calls
print(tell(releasing))
print(tell(releasing))
if sys.argv[2:] == ["releasing"]:
    tell_beside_others(releasing)
    releasing.site_keep_callers(2)
    print(step(releasing))  # line 42
    sys.exit()

holding = ctypes.PyDLL(sys.argv[1])  # keeps it
print(tell(holding))
print(tell(holding))
thread = threading.Thread(target=lambda: print(tell(holding)))
thread.start()
thread.join()
tell_beside_others(releasing)
