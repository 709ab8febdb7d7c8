/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/standin.h>: kernels for programs that run over the stand-in.
 *
 * The stand-in reads from a program's images which kernels there are and what their
 * parameters look like, and runs the PTX that it finds there.  For kernels that exist
 * only as machine code, and where C is faster, libraries that are named in the
 * environment tell it what kernels do:
 *
 *     RILL_KERNELS=./kernels.so rill run ./program
 *
 * Several libraries are separated by colons; the first one that has a kernel wins.
 * Such a library is a table of C functions by the names that the kernels have in the
 * image (in C++ a mangled name, unless the kernel is extern "C"), and links with
 * nothing of rill's:
 *
 *     #include <rill/standin.h>
 *
 *     static void inc(const rill_launch *launch)
 *     {
 *         rill_devptr address = RILL_ARGUMENT(launch, 0, rill_devptr);
 *         uint32_t *p = RILL_DEVICE_MEMORY(address, uint32_t);
 *         *p += 1;
 *     }
 *
 *     static const rill_function functions[] = {
 *         { .name = "inc", .over_grid = inc },
 *     };
 *     RILL_KERNEL_TABLE(functions)
 *
 *     cc -shared -fPIC -o kernels.so kernels.c
 *
 * Parameters, static shared memory and the greatest block are those of the image.  A
 * function may state its parameters: then it serves only a kernel that has the same
 * ones.
 */
#ifndef RILL_STANDIN_H
#define RILL_STANDIN_H

#include <rill/sim.h>

RILL_BEGIN_DECLS

typedef struct rill_kernel_table {
    size_t size;
    const rill_function *functions;
    size_t function_count;
} rill_kernel_table;

/* The library's table, which the library defines once. */
extern RILL_API const rill_kernel_table rill_kernels;

#define RILL_KERNEL_TABLE(functions) \
    const rill_kernel_table rill_kernels = { \
        sizeof(rill_kernel_table), functions, sizeof(functions) / sizeof *(functions) \
    };

/* Calls rill_sim_fault() or rill_sim_set_conditional() from a kernel of such a library. */
static inline void rill_kernel_fault(const rill_launch *launch, rill_status status,
                                     const char *message)
{
    launch->calls->fault(launch, status, message);
}
static inline void rill_kernel_set_conditional(const rill_launch *launch,
                                               rill_conditional handle, uint32_t value)
{
    launch->calls->set_conditional(launch, handle, value);
}

RILL_END_DECLS

#endif
