/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the host: allocated, registered.
 */
#include "../streams.h"

/* cuMemHostAlloc: flags, sizes, what reads back. */
CASE(mem, host_alloc)
{
    static const unsigned fl[] = { 0, 1, 2, 3, 4, 7, 8, 0x10, 1u << 31 };
    void *v = NULL, *w = (void *)1;
    for (unsigned i = 0; i < sizeof fl / sizeof *fl; i++) {
        unsigned back = 99;
        CUdeviceptr d = 0;
        v = NULL;
        CUresult r = cuMemHostAlloc(&v, 4096, fl[i]);
        say(t, " 0x%x=%s", fl[i], ename(r));
        if (r) continue;
        R("flags", cuMemHostGetFlags(&back, v));
        say(t, ":%u", back);
        R("dev", cuMemHostGetDevicePointer(&d, v, 0));
        say(t, ":%s", d == (CUdeviceptr)(uintptr_t)v ? "same" : d ? "other" : "null");
        R("free", cuMemFreeHost(v));
    }
    R("zero", cuMemHostAlloc(&w, 0, 0));
    say(t, ":%s", w == (void *)1 ? "untouched" : w ? "set" : "null");
    R("null", cuMemHostAlloc(NULL, 64, 0));
    R("plain", cuMemAllocHost(&v, 100));
    unsigned back = 99;
    R("flags", cuMemHostGetFlags(&back, v));
    say(t, ":%u", back);
    R("plain_zero", cuMemAllocHost(&w, 0));
    R("plain_null", cuMemAllocHost(NULL, 64));
}

/* Queries on pinned memory: interior addresses, foreign memory, bad flags. */
CASE(mem, host_queries)
{
    void *v = NULL;
    static int local;
    CUdeviceptr d = 0, p = dalloc(t, 64);
    unsigned fl = 99;
    OK(cuMemHostAlloc(&v, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    R("inside", cuMemHostGetDevicePointer(&d, (char *)v + 100, 0));
    say(t, ":%d", d == (CUdeviceptr)(uintptr_t)v + 100);
    R("flags_1", cuMemHostGetDevicePointer(&d, v, 1));
    R("null", cuMemHostGetDevicePointer(&d, NULL, 0));
    R("local", cuMemHostGetDevicePointer(&d, &local, 0));
    R("device", cuMemHostGetDevicePointer(&d, (void *)(uintptr_t)p, 0));
    R("getflags_inside", cuMemHostGetFlags(&fl, (char *)v + 100));
    R("getflags_null", cuMemHostGetFlags(&fl, NULL));
    R("getflags_local", cuMemHostGetFlags(&fl, &local));
    R("getflags_device", cuMemHostGetFlags(&fl, (void *)(uintptr_t)p));
}
/* The same with no place to answer. */
CASE(mem, host_queries_null_out)
{
    void *v = NULL;
    OK(cuMemHostAlloc(&v, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    R("dev", cuMemHostGetDevicePointer(NULL, v, 0));
    R("flags", cuMemHostGetFlags(NULL, v));
}

/* Registering host memory. */
CASE(mem, host_register)
{
    char *m = NULL;
    void *v = NULL;
    unsigned fl = 99;
    CUdeviceptr d = 0;
    if (posix_memalign((void **)&m, 4096, 16384)) return;
    memset(m, 0, 16384);
    R("null", cuMemHostRegister(NULL, 4096, 0));
    R("zero", cuMemHostRegister(m, 0, 0));
    R("bad_flags", cuMemHostRegister(m, 4096, 0x100));
    R("unregister_early", cuMemHostUnregister(m));
    R("register", cuMemHostRegister(m, 8192, 0));
    R("again", cuMemHostRegister(m, 8192, 0));
    R("inside", cuMemHostRegister(m + 4096, 4096, 0));
    R("overlap", cuMemHostRegister(m + 4096, 8192, 0));
    R("next", cuMemHostRegister(m + 8192, 4096, 0));
    R("flags", cuMemHostGetFlags(&fl, m));
    say(t, ":%u", fl);
    R("dev", cuMemHostGetDevicePointer(&d, m, 0));
    say(t, ":%s", d == (CUdeviceptr)(uintptr_t)m ? "same" : d ? "other" : "null");
    R("unregister_inside", cuMemHostUnregister(m + 4096));
    R("unregister", cuMemHostUnregister(m));
    R("unregister_twice", cuMemHostUnregister(m));
    R("unregister_next", cuMemHostUnregister(m + 8192));
    R("unregister_null", cuMemHostUnregister(NULL));
    R("unaligned", cuMemHostRegister(m + 100, 1000, 0));
    R("unaligned_off", cuMemHostUnregister(m + 100));
    OK(cuMemHostAlloc(&v, 4096, 0));
    R("pinned", cuMemHostRegister(v, 4096, 0));
    R("pinned_off", cuMemHostUnregister(v));
    R("pinned_free", cuMemFreeHost(v));
    R("after", cuMemHostGetDevicePointer(&d, m, 0));
}
