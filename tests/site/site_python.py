# SPDX-License-Identifier: Apache-2.0
"""Prints where the library says it is called from: usage: site_python.py LIBRARY"""
import ctypes
import sys
import threading

text = ctypes.create_string_buffer(1000)


def tell(library):
    library.site_tell(text, ctypes.c_size_t(1000))  # line 11
    return text.value.decode()


holding = ctypes.PyDLL(sys.argv[1])  # keeps the interpreter's lock
releasing = ctypes.CDLL(sys.argv[1])  # gives it away during calls
print(tell(holding))
print(tell(holding))
thread = threading.Thread(target=lambda: print(tell(holding)))
thread.start()
thread.join()
print(tell(releasing))
print(tell(releasing))

others = threading.Event()
thread = threading.Thread(target=others.wait)
thread.start()
print("beside others:", tell(releasing))
others.set()
thread.join()
