/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries that a program loads itself.
 */
#include "runtime/glue/image.h"
#include "runtime/thread/entry.h"

FORWARD(cudaLibraryLoadData, cuLibraryLoadData,
        (cudaLibrary_t *library, const void *code, int *jit_options, void **jit_values,
         unsigned jit_count, int *options, void **values, unsigned count),
        (library, code, jit_options, jit_values, jit_count, options, values, count))

FORWARD(cudaLibraryLoadFromFile, cuLibraryLoadFromFile,
        (cudaLibrary_t *library, const char *path, int *jit_options, void **jit_values,
         unsigned jit_count, int *options, void **values, unsigned count),
        (library, path, jit_options, jit_values, jit_count, options, values, count))

FORWARD(cudaLibraryUnload, cuLibraryUnload, (cudaLibrary_t library), (library))

FORWARD(cudaLibraryGetKernelCount, cuLibraryGetKernelCount,
        (unsigned *count, cudaLibrary_t library), (count, library))

FORWARD(cudaLibraryGetUnifiedFunction, cuLibraryGetUnifiedFunction,
        (void **function, cudaLibrary_t library, const char *name), (function, library, name))

ENTRY(cudaLibraryGetKernel,
      (cudaKernel_t *kernel, cudaLibrary_t library, const char *name), (kernel, library, name))
{
    CUresult status = rt_driver.cuLibraryGetKernel(kernel, library, name);
    return status ? (cudaError_t)status : rt_kernel_known(*kernel, NULL);
}

ENTRY(cudaLibraryEnumerateKernels,
      (cudaKernel_t *kernels, unsigned count, cudaLibrary_t library), (kernels, count, library))
{
    unsigned there = 0;
    cudaError_t status = (cudaError_t)rt_driver.cuLibraryGetKernelCount(&there, library);
    if (!status)
        status = (cudaError_t)rt_driver.cuLibraryEnumerateKernels(kernels, count, library);
    for (unsigned i = 0; !status && i < count && i < there; i++)
        status = rt_kernel_known(kernels[i], NULL);
    return status;
}

ENTRY(cudaLibraryGetGlobal,
      (void **address, size_t *bytes, cudaLibrary_t library, const char *name),
      (address, bytes, library, name))
{
    return (cudaError_t)rt_driver.cuLibraryGetGlobal((CUdeviceptr *)address, bytes, library, name);
}

ENTRY(cudaLibraryGetManaged,
      (void **address, size_t *bytes, cudaLibrary_t library, const char *name),
      (address, bytes, library, name))
{
    return (cudaError_t)rt_driver.cuLibraryGetManaged((CUdeviceptr *)address, bytes, library,
                                                      name);
}
