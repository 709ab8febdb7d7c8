/* SPDX-License-Identifier: Apache-2.0
 *
 * What the program registers before main() and when it loads libraries: images, the stubs of
 * their kernels, their variables.  Registering only remembers; an image is loaded when one of
 * its kernels or variables is first used.
 */
#ifndef RT_IMAGE_H
#define RT_IMAGE_H

#include "runtime/glue/table.h"
#include "runtime/thread/thread.h"

/* Gives the library of an image, and loads it first if it is not. */
cudaError_t rt_image_library(struct rt_image *image, CUlibrary *library);

/* ---- Kernels ----------------------------------------------------------------------------- */

/* The stubs, and the driver's handles that were handed out, which may stand for stubs. */
extern struct rt_table rt_stubs;

cudaError_t rt_kernel_load(struct rt_row *row, CUkernel *kernel);

/* Returns the status for what is neither a stub nor a known handle. */
cudaError_t rt_kernel_unknown(const void *stub);

/* Gives the kernel of a stub, or of a handle that stands for one. */
static inline cudaError_t rt_kernel(const void *stub, CUkernel *kernel)
{
    struct rt_row *row = rt_table_find(&rt_stubs, stub);
    if (__builtin_expect(!row, 0)) return rt_kernel_unknown(stub);
    *kernel = atomic_load_explicit(&row->kernel, memory_order_acquire);
    return __builtin_expect(*kernel != NULL, 1) ? cudaSuccess : rt_kernel_load(row, kernel);
}

/* Lets a kernel or a function that is handed out stand for its stub, if it has one. */
cudaError_t rt_kernel_known(const void *handle, const void *stub);

/* Returns the stub of a kernel, or of its function in the current context; the handle itself
 * if no stub has it. */
const void *rt_kernel_stub(const void *handle);

/* ---- Variables --------------------------------------------------------------------------- */

/* Gives the address and the size of a variable in the current context.  Returns
 * cudaErrorInvalidSymbol if `symbol` is none. */
cudaError_t rt_variable(const void *symbol, CUdeviceptr *address, size_t *bytes);

void rt_variable_add(struct rt_image *image, const void *symbol, const char *name, size_t bytes);
void rt_variables_remove(const struct rt_image *image);

#endif
