/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels by their stubs: handles, attributes, names, parameters.
 */
#include <string.h>

#include "runtime/driver/version.h"
#include "runtime/glue/image.h"
#include "runtime/thread/entry.h"

/* ---- Handles ----------------------------------------------------------------------------- */

/* Gives the kernel of a stub, which a handle is not, whatever it stands for. */
static cudaError_t kernel_of_stub(const void *stub, CUkernel *kernel)
{
    struct rt_row *row = rt_table_find(&rt_stubs, stub);
    return row && row->stub == stub ? rt_kernel(stub, kernel) : cudaErrorInvalidDeviceFunction;
}

static cudaError_t find_known_kernel(const void *stub, CUkernel *kernel)
{
    cudaError_t status = kernel_of_stub(stub, kernel);
    return status ? status : rt_kernel_known(*kernel, stub);
}

ENTRY(cudaGetKernel, (cudaKernel_t *kernel, const void *stub), (kernel, stub))
{
    return kernel ? find_known_kernel(stub, kernel) : RILL_ERROR_INVALID_VALUE;
}

/* What code of nvcc 13 calls once for each kernel. */
ENTRY(__cudaGetKernel, (cudaKernel_t *kernel, const void *stub), (kernel, stub))
{
    return kernel ? find_known_kernel(stub, kernel) : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cudaGetFuncBySymbol, (cudaFunction_t *function, const void *stub), (function, stub))
{
    CUkernel kernel;
    if (!function) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = kernel_of_stub(stub, &kernel);
    if (!status) status = (cudaError_t)rt_driver.cuKernelGetFunction(function, kernel);
    return status ? status : rt_kernel_known(*function, stub);
}

/* ---- Attributes -------------------------------------------------------------------------- */

#define SIZE_FIELD(id, field) \
    { id, offsetof(struct cudaFuncAttributes, field), sizeof(size_t) }
#define INT_FIELD(id, field) \
    { id, offsetof(struct cudaFuncAttributes, field), sizeof(int) }

static const struct {
    int id; /* the driver's */
    size_t offset, bytes;
} fields[] = {
    INT_FIELD(0, maxThreadsPerBlock),
    SIZE_FIELD(1, sharedSizeBytes),
    SIZE_FIELD(2, constSizeBytes),
    SIZE_FIELD(3, localSizeBytes),
    INT_FIELD(4, numRegs),
    INT_FIELD(5, ptxVersion),
    INT_FIELD(6, binaryVersion),
    INT_FIELD(7, cacheModeCA),
    INT_FIELD(8, maxDynamicSharedSizeBytes),
    INT_FIELD(9, preferredShmemCarveout),
    INT_FIELD(10, clusterDimMustBeSet),
    INT_FIELD(11, requiredClusterWidth),
    INT_FIELD(12, requiredClusterHeight),
    INT_FIELD(13, requiredClusterDepth),
    INT_FIELD(14, nonPortableClusterSizeAllowed),
    INT_FIELD(15, clusterSchedulingPolicyPreference),
};

/* 11 has what comes before clusters. */
static size_t bytes_of_attributes(void)
{
    return rt_version < 12000 ? offsetof(struct cudaFuncAttributes, clusterDimMustBeSet)
                              : sizeof(struct cudaFuncAttributes);
}

/* Sizes and ints begin with the same bytes where the least significant comes first. */
static void write_field(struct cudaFuncAttributes *attributes, size_t i, int value)
{
    size_t size = (size_t)value;
    const void *from = fields[i].bytes == sizeof size ? (const void *)&size : &value;
    memcpy((char *)attributes + fields[i].offset, from, fields[i].bytes);
}

ENTRY(cudaFuncGetAttributes,
      (struct cudaFuncAttributes *attributes, const void *stub), (attributes, stub))
{
    CUkernel kernel;
    int value, device = rt_device();
    if (!attributes) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (!status) memset(attributes, 0, bytes_of_attributes());
    for (size_t i = 0; !status && i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].offset >= bytes_of_attributes()) break;
        status = (cudaError_t)rt_driver.cuKernelGetAttribute(&value, fields[i].id, kernel, device);
        if (!status) write_field(attributes, i, value);
    }
    return status;
}

/* Two calls forget the thread's last error when they succeed, in the runtime of CUDA 13. */
static cudaError_t forgive(CUresult status)
{
    if (!status && rt_version >= 13000) rt_thread.last = cudaSuccess;
    return (cudaError_t)status;
}

enum { FIRST_SETTABLE = 8, LAST_SETTABLE = 15 }; /* attributes */

ENTRY(cudaFuncSetAttribute, (const void *stub, int attribute, int value), (stub, attribute, value))
{
    CUkernel kernel;
    if (attribute < FIRST_SETTABLE || attribute > LAST_SETTABLE) return RILL_ERROR_INVALID_VALUE;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (status) return status;
    return forgive(rt_driver.cuKernelSetAttribute(attribute, value, kernel, rt_device()));
}

ENTRY(cudaKernelSetAttributeForDevice,
      (cudaKernel_t kernel, int attribute, int value, int device),
      (kernel, attribute, value, device))
{
    return (cudaError_t)rt_driver.cuKernelSetAttribute(attribute, value, kernel, device);
}

ENTRY(cudaFuncSetCacheConfig, (const void *stub, int preference), (stub, preference))
{
    CUkernel kernel;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (status) return status;
    return (cudaError_t)rt_driver.cuKernelSetCacheConfig(kernel, preference, rt_device());
}

ENTRY(cudaFuncSetSharedMemConfig, (const void *stub, int config), (stub, config))
{
    CUkernel kernel;
    CUfunction function;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (!status) status = (cudaError_t)rt_driver.cuKernelGetFunction(&function, kernel);
    return status ? status : (cudaError_t)rt_driver.cuFuncSetSharedMemConfig(function, config);
}

ENTRY(cudaFuncGetName, (const char **name, const void *stub), (name, stub))
{
    CUkernel kernel;
    cudaError_t status = rt_kernel(stub, &kernel);
    return status ? status : (cudaError_t)rt_driver.cuKernelGetName(name, kernel);
}

ENTRY(cudaFuncGetParamInfo,
      (const void *stub, size_t number, size_t *offset, size_t *bytes),
      (stub, number, offset, bytes))
{
    CUkernel kernel;
    cudaError_t status = rt_kernel(stub, &kernel);
    if (status) return status;
    return forgive(rt_driver.cuKernelGetParamInfo(kernel, number, offset, bytes));
}
