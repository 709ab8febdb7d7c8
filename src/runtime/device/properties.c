/* SPDX-License-Identifier: Apache-2.0
 *
 * What devices are.  The properties of all versions are the same fields in the same order, but
 * for a few that 13 took out or brought: a table of the order writes them all.  Those of 11 are
 * the beginning of those of 12.
 */
#include <string.h>

#include "runtime/driver/version.h"
#include "runtime/thread/entry.h"

enum { INT, SIZE, INT_UNTIL_12, INT_13 };

static const struct {
    short attribute; /* the driver's number */
    short type;
} fields[] = {
    { 8, SIZE }, /* sharedMemPerBlock */
    { 12, INT }, /* regsPerBlock */
    { 10, INT }, /* warpSize */
    { 11, SIZE }, /* memPitch */
    { 1, INT }, /* maxThreadsPerBlock */
    { 2, INT }, /* maxThreadsDim[0] */
    { 3, INT }, /* maxThreadsDim[1] */
    { 4, INT }, /* maxThreadsDim[2] */
    { 5, INT }, /* maxGridSize[0] */
    { 6, INT }, /* maxGridSize[1] */
    { 7, INT }, /* maxGridSize[2] */
    { 13, INT_UNTIL_12 }, /* clockRate */
    { 9, SIZE }, /* totalConstMem */
    { 75, INT }, /* major */
    { 76, INT }, /* minor */
    { 14, SIZE }, /* textureAlignment */
    { 51, SIZE }, /* texturePitchAlignment */
    { 15, INT_UNTIL_12 }, /* deviceOverlap */
    { 16, INT }, /* multiProcessorCount */
    { 17, INT_UNTIL_12 }, /* kernelExecTimeoutEnabled */
    { 18, INT }, /* integrated */
    { 19, INT }, /* canMapHostMemory */
    { 20, INT_UNTIL_12 }, /* computeMode */
    { 21, INT }, /* maxTexture1D */
    { 77, INT }, /* maxTexture1DMipmap */
    { 69, INT_UNTIL_12 }, /* maxTexture1DLinear */
    { 22, INT }, /* maxTexture2D[0] */
    { 23, INT }, /* maxTexture2D[1] */
    { 73, INT }, /* maxTexture2DMipmap[0] */
    { 74, INT }, /* maxTexture2DMipmap[1] */
    { 70, INT }, /* maxTexture2DLinear[0] */
    { 71, INT }, /* maxTexture2DLinear[1] */
    { 72, INT }, /* maxTexture2DLinear[2] */
    { 45, INT }, /* maxTexture2DGather[0] */
    { 46, INT }, /* maxTexture2DGather[1] */
    { 24, INT }, /* maxTexture3D[0] */
    { 25, INT }, /* maxTexture3D[1] */
    { 26, INT }, /* maxTexture3D[2] */
    { 47, INT }, /* maxTexture3DAlt[0] */
    { 48, INT }, /* maxTexture3DAlt[1] */
    { 49, INT }, /* maxTexture3DAlt[2] */
    { 52, INT }, /* maxTextureCubemap */
    { 42, INT }, /* maxTexture1DLayered[0] */
    { 43, INT }, /* maxTexture1DLayered[1] */
    { 27, INT }, /* maxTexture2DLayered[0] */
    { 28, INT }, /* maxTexture2DLayered[1] */
    { 29, INT }, /* maxTexture2DLayered[2] */
    { 53, INT }, /* maxTextureCubemapLayered[0] */
    { 54, INT }, /* maxTextureCubemapLayered[1] */
    { 55, INT }, /* maxSurface1D */
    { 56, INT }, /* maxSurface2D[0] */
    { 57, INT }, /* maxSurface2D[1] */
    { 58, INT }, /* maxSurface3D[0] */
    { 59, INT }, /* maxSurface3D[1] */
    { 60, INT }, /* maxSurface3D[2] */
    { 61, INT }, /* maxSurface1DLayered[0] */
    { 62, INT }, /* maxSurface1DLayered[1] */
    { 63, INT }, /* maxSurface2DLayered[0] */
    { 64, INT }, /* maxSurface2DLayered[1] */
    { 65, INT }, /* maxSurface2DLayered[2] */
    { 66, INT }, /* maxSurfaceCubemap */
    { 67, INT }, /* maxSurfaceCubemapLayered[0] */
    { 68, INT }, /* maxSurfaceCubemapLayered[1] */
    { 30, SIZE }, /* surfaceAlignment */
    { 31, INT }, /* concurrentKernels */
    { 32, INT }, /* ECCEnabled */
    { 33, INT }, /* pciBusID */
    { 34, INT }, /* pciDeviceID */
    { 50, INT }, /* pciDomainID */
    { 35, INT }, /* tccDriver */
    { 40, INT }, /* asyncEngineCount */
    { 41, INT }, /* unifiedAddressing */
    { 36, INT_UNTIL_12 }, /* memoryClockRate */
    { 37, INT }, /* memoryBusWidth */
    { 38, INT }, /* l2CacheSize */
    { 108, INT }, /* persistingL2CacheMaxSize */
    { 39, INT }, /* maxThreadsPerMultiProcessor */
    { 78, INT }, /* streamPrioritiesSupported */
    { 79, INT }, /* globalL1CacheSupported */
    { 80, INT }, /* localL1CacheSupported */
    { 81, SIZE }, /* sharedMemPerMultiprocessor */
    { 82, INT }, /* regsPerMultiprocessor */
    { 83, INT }, /* managedMemory */
    { 84, INT }, /* isMultiGpuBoard */
    { 85, INT }, /* multiGpuBoardGroupID */
    { 86, INT }, /* hostNativeAtomicSupported */
    { 87, INT_UNTIL_12 }, /* singleToDoublePrecisionPerfRatio */
    { 88, INT }, /* pageableMemoryAccess */
    { 89, INT }, /* concurrentManagedAccess */
    { 90, INT }, /* computePreemptionSupported */
    { 91, INT }, /* canUseHostPointerForRegisteredMem */
    { 95, INT }, /* cooperativeLaunch */
    { 96, INT_UNTIL_12 }, /* cooperativeMultiDeviceLaunch */
    { 97, SIZE }, /* sharedMemPerBlockOptin */
    { 100, INT }, /* pageableMemoryAccessUsesHostPageTables */
    { 101, INT }, /* directManagedMemAccessFromHost */
    { 106, INT }, /* maxBlocksPerMultiProcessor */
    { 109, INT }, /* accessPolicyMaxWindowSize */
    { 111, SIZE }, /* reservedSharedMemPerBlock */
    { 99, INT }, /* hostRegisterSupported */
    { 112, INT }, /* sparseCudaArraySupported */
    { 113, INT }, /* hostRegisterReadOnlySupported */
    { 114, INT }, /* timelineSemaphoreInteropSupported */
    { 115, INT }, /* memoryPoolsSupported */
    { 116, INT }, /* gpuDirectRDMASupported */
    { 117, INT }, /* gpuDirectRDMAFlushWritesOptions */
    { 118, INT }, /* gpuDirectRDMAWritesOrdering */
    { 119, INT }, /* memoryPoolSupportedHandleTypes */
    { 121, INT }, /* deferredMappingCudaArraySupported */
    { 125, INT }, /* ipcEventSupported */
    { 120, INT }, /* clusterLaunch */
    { 129, INT }, /* unifiedFunctionPointers */
    { 130, INT_13 }, /* deviceNumaConfig */
    { 131, INT_13 }, /* deviceNumaId */
    { 133, INT_13 }, /* mpsEnabled */
    { 134, INT_13 }, /* hostNumaId */
    { 139, INT_13 }, /* gpuPciDeviceID */
    { 140, INT_13 }, /* gpuPciSubsystemID */
    { 143, INT_13 }, /* hostNumaMultinodeIpcSupported */
};

/* Before the table: a name, two identifiers, the bytes of memory. */
struct head {
    char name[256];
    CUuuid uuid;
    char luid[8];
    unsigned luid_nodes;
    size_t memory;
};

static size_t bytes_of(int library)
{
    return library == 11 ? 728 : library == 12 ? 1032 : 1008;
}

static cudaError_t write_head(struct head *head, int device)
{
    CUresult status = rt_driver.cuDeviceGetName(head->name, sizeof head->name, device);
    if (!status) status = rt_driver.cuDeviceGetUuid_v2(&head->uuid, device);
    if (!status) status = rt_driver.cuDeviceTotalMem_v2(&head->memory, device);
    return (cudaError_t)status;
}

static size_t round_up(size_t offset, size_t boundary)
{
    return (offset + boundary - 1) / boundary * boundary;
}

/* An attribute that the driver does not know is 0. */
static void write_fields(char *out, int library, int device)
{
    size_t offset = sizeof(struct head);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        int value = 0, type = fields[i].type;
        if (type == (library == 13 ? INT_UNTIL_12 : INT_13)) continue;
        if (rt_driver.cuDeviceGetAttribute(&value, fields[i].attribute, device)) value = 0;
        size_t wide = (size_t)value, bytes = type == SIZE ? sizeof wide : sizeof value;
        offset = round_up(offset, bytes);
        if (offset + bytes > bytes_of(library)) return;
        memcpy(out + offset, type == SIZE ? (const void *)&wide : &value, bytes);
        offset += bytes;
    }
}

static cudaError_t write_properties(void *out, int library, int device)
{
    CUdevice known;
    if (!out) return RILL_ERROR_INVALID_VALUE;
    CUresult status = rt_driver.cuDeviceGet(&known, device);
    if (status) return (cudaError_t)status;
    memset(out, 0, bytes_of(library));
    write_fields(out, library, device);
    return write_head(out, device);
}

PLAIN(cudaGetDeviceProperties_v1, (void *properties, int device), (properties, device))
{
    return write_properties(properties, 11, device);
}

PLAIN(cudaGetDeviceProperties_v2, (void *properties, int device), (properties, device))
{
    return write_properties(properties, 12, device);
}

PLAIN(cudaGetDeviceProperties_v3, (void *properties, int device), (properties, device))
{
    return write_properties(properties, 13, device);
}

/* ---- The one that suits best ------------------------------------------------------------- */

static uint64_t memory_of(int device)
{
    size_t bytes;
    return rt_driver.cuDeviceTotalMem_v2(&bytes, device) ? 0 : bytes;
}

/* Chooses the first with as much memory as wished, or else device 0. */
PLAIN(cudaChooseDevice, (int *device, const struct head *wish), (device, wish))
{
    int count;
    if (!device || !wish) return RILL_ERROR_INVALID_VALUE;
    CUresult status = rt_driver.cuDeviceGetCount(&count);
    if (status) return (cudaError_t)status;
    *device = 0;
    for (int i = count - 1; i >= 0; i--)
        if (memory_of(i) >= wish->memory) *device = i;
    return cudaSuccess;
}

/* ---- Versions ---------------------------------------------------------------------------- */

RT_EXPORT cudaError_t cudaRuntimeGetVersion(int *version);
RT_EXPORT cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version) return rt_failed("cudaRuntimeGetVersion", RILL_ERROR_INVALID_VALUE);
    *version = rt_version;
    return cudaSuccess;
}

/* Gives 0 where there is no driver. */
RT_EXPORT cudaError_t cudaDriverGetVersion(int *version);
RT_EXPORT cudaError_t cudaDriverGetVersion(int *version)
{
    if (!version) return rt_failed("cudaDriverGetVersion", RILL_ERROR_INVALID_VALUE);
    *version = 0;
    rt_driver_load();
    if (rt_driver.cuDriverGetVersion) rt_driver.cuDriverGetVersion(version);
    return cudaSuccess;
}
