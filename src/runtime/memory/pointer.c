/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pointer is.
 */
#include <string.h>

#include "runtime/driver/version.h"
#include "runtime/memory/copy.h"
#include "runtime/thread/entry.h"

enum { NO_DEVICE = -2 }; /* of memory that CUDA does not know */

/* CUDA 13 has reserved bytes behind what there is to say. */
static void write_attributes(struct cudaPointerAttributes *out, struct cudaPointerAttributes known)
{
    enum { RESERVED_BYTES = 64 };
    *out = known;
    if (rt_version >= 13000) memset(out + 1, 0, RESERVED_BYTES);
}

ENTRY(cudaPointerGetAttributes,
      (struct cudaPointerAttributes *attributes, const void *pointer), (attributes, pointer))
{
    int type = 0, device = NO_DEVICE;
    unsigned managed = 0;
    void *device_pointer = NULL, *host_pointer = NULL;
    int wanted[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                     CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                     CU_POINTER_ATTRIBUTE_HOST_POINTER };
    void *values[] = { &type, &device, &managed, &device_pointer, &host_pointer };
    if (!attributes) return RILL_ERROR_INVALID_VALUE;
    CUresult status = rt_driver.cuPointerGetAttributes(5, wanted, values, rt_address(pointer));
    if (status) return (cudaError_t)status;
    struct cudaPointerAttributes known = { managed ? cudaMemoryTypeManaged : type, device,
                                           device_pointer, host_pointer };
    if (!type)
        known = (struct cudaPointerAttributes){ cudaMemoryTypeUnregistered, NO_DEVICE, NULL,
                                                (void *)(uintptr_t)pointer };
    write_attributes(attributes, known);
    return cudaSuccess;
}
