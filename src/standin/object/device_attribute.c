/* SPDX-License-Identifier: Apache-2.0
 *
 * What devices answer for each attribute.  The simulator's own limits come from rill.  Where models
 * of devices differ, the answer is the model's, so that programs choose what they would choose on
 * such a device; all other answers are those of an H200.  Abilities that are not simulated (sharing
 * over a fabric, multicast) are not claimed: their attributes are 0.
 */
#include "standin/object/device_attribute.h"

#include <stdio.h>

#include "device/model.h"

struct attribute {
    int id, value;
};

/* By the driver's numbers, ascending. */
static const struct attribute common[] = {
    { 9, 65536 },         /* constant memory                              */
    { 11, 2147483647 },   /* pitch of copies                              */
    { 12, 65536 },        /* registers of a block                         */
    { 14, 512 },          /* alignment of textures                        */
    { 15, 1 },            /* copies run during kernels                    */
    { 17, 0 },            /* kernels have no time limit                   */
    { 19, 1 },            /* host memory can be mapped                    */
    { 20, 0 },            /* compute mode: anybody may use it             */
    { 30, 512 },          /* alignment of surfaces                        */
    { 31, 1 },            /* kernels run side by side                     */
    { 35, 0 },            /* TCC                                          */
    { 41, 1 },            /* one address space with the host              */
    { 51, 32 },           /* alignment of texture pitches                 */
    { 78, 1 },            /* priorities of streams                        */
    { 79, 1 },            /* global memory is cached in level 1           */
    { 80, 1 },            /* local memory is, too                         */
    { 82, 65536 },        /* registers of a multiprocessor                */
    { 90, 1 },            /* preemption                                   */
    { 91, 1 },            /* registered memory has one address            */
    { 95, 1 },            /* cooperative launches                         */
    { 99, 1 },            /* host memory can be registered                */
    { 102, 1 },           /* addresses and memory, each by itself         */
    { 103, 1 },           /* memory is shared as file descriptors         */
    { 107, 1 },           /* memory may be compressed, which nobody sees  */
    { 113, 1 },           /* read-only host memory can be registered      */
    { 115, 1 },           /* memory pools                                 */
    { 119, 1 },           /* pools are shared as file descriptors         */
    { 122, 1 },           /* value operations of 64 bits                  */
    { 123, 1 },           /* NOR in waits for values                      */
    { 125, 1 },           /* events go to other processes                 */
    { 129, 1 },           /* function pointers are one on all devices     */
    { 131, -1 },          /* NUMA node of the device's memory             */
    { 134, 0 },           /* NUMA node of the host memory next to it      */
    { 141, 1 },           /* memory of a node without an address          */
    { 145, 1 },           /* memory of the host without an address        */
};

/* The same for textures and surfaces. */
static const struct attribute sizes[] = {
    { 21, 131072 },       /* width of a texture of one dimension           */
    { 22, 131072 },       /* of two: width                                 */
    { 23, 65536 },        /* height                                        */
    { 24, 16384 },        /* of three: width                               */
    { 25, 16384 },        /* height                                        */
    { 26, 16384 },        /* depth                                         */
    { 27, 32768 },        /* of two, in layers: width                      */
    { 28, 32768 },        /* height                                        */
    { 29, 2048 },         /* layers                                        */
    { 42, 32768 },        /* layered, of one dimension: width              */
    { 43, 2048 },         /* layers                                        */
    { 44, 1 },            /* textures can be gathered from                 */
    { 45, 32768 },        /* gathered from, of two: width                  */
    { 46, 32768 },        /* height                                        */
    { 47, 8192 },         /* of three, the other shape: width              */
    { 48, 8192 },         /* height                                        */
    { 49, 32768 },        /* depth                                         */
    { 52, 32768 },        /* width of a cube map                           */
    { 53, 32768 },        /* of cube maps in layers: width                 */
    { 54, 2046 },         /* layers                                        */
    { 55, 32768 },        /* width of a surface of one dimension           */
    { 56, 131072 },       /* of two: width                                 */
    { 57, 65536 },        /* height                                        */
    { 58, 16384 },        /* of three: width                               */
    { 59, 16384 },        /* height                                        */
    { 60, 16384 },        /* depth                                         */
    { 61, 32768 },        /* layered, of one dimension: width              */
    { 62, 2048 },         /* layers                                        */
    { 63, 32768 },        /* layered, of two: width                        */
    { 64, 32768 },        /* height                                        */
    { 65, 2048 },         /* layers                                        */
    { 66, 32768 },        /* width of a cube map of surfaces               */
    { 67, 32768 },        /* in layers: width                              */
    { 68, 2046 },         /* layers                                        */
    { 70, 131072 },       /* of two: width                                 */
    { 71, 65000 },        /* height                                        */
    { 72, 2097120 },      /* pitch                                         */
    { 73, 32768 },        /* with mipmaps, of two: width                   */
    { 74, 32768 },        /* height                                        */
    { 77, 32768 },        /* with mipmaps, of one: width                   */
};

/* ---- The bus ---------------------------------------------------------------------- */

int si_read_bus_id(const char *text, struct si_bus_id *id)
{
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    int fields = sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function);
    if (fields < 3) {
        domain = function = 0;
        if (sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2) return 0;
    }
    *id = (struct si_bus_id){ (int)domain, (int)bus, (int)slot };
    return 1;
}

struct si_bus_id si_device_bus_id(const struct si_device *device)
{
    struct si_bus_id id = { 0, 0, 0 };
    si_read_bus_id(device->info.bus_id, &id);
    return id;
}

/* ---- Questions -------------------------------------------------------------------- */

enum { ATTRIBUTE_COUNT = 147 };

#define LISTED_COUNT(list) (sizeof(list) / sizeof *(list))

static const struct attribute *find_attribute(const struct attribute *list, size_t count, int id)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].id == id) return &list[i];
    return NULL;
}

/* Answers the attributes that rill knows; returns 0 for others. */
static int ask_rill(const struct si_device *device, int attribute, int *value)
{
    const rill_device_info *info = &device->info;
    switch (attribute) {
    case 1: *value = info->max_threads_per_block; return 1;
    case 2: *value = (int)info->max_block.x; return 1;
    case 3: *value = (int)info->max_block.y; return 1;
    case 4: *value = (int)info->max_block.z; return 1;
    case 5: *value = (int)info->max_grid.x; return 1;
    case 6: *value = (int)info->max_grid.y; return 1;
    case 7: *value = (int)info->max_grid.z; return 1;
    case 8: *value = (int)info->shared_bytes_per_block; return 1;
    case 10: *value = info->warp_size; return 1;
    case 16: *value = info->multiprocessors; return 1;
    case 33: *value = si_device_bus_id(device).bus; return 1;
    case 34: *value = si_device_bus_id(device).slot; return 1;
    case 50: *value = si_device_bus_id(device).domain; return 1;
    case 75: *value = info->compute_major; return 1;
    case 76: *value = info->compute_minor; return 1;
    case 83: *value = info->managed_memory; return 1;
    case 89: *value = info->concurrent_managed_access; return 1;
    case 97: *value = (int)info->shared_bytes_per_block_opt_in; return 1;
    }
    return 0;
}

const struct device_model *si_device_model(const struct si_device *device)
{
    const struct device_model *model = device_model_named(device->info.name);
    return model ? model : device_models;
}

/* Answers the attributes that go with the model; returns 0 for others. */
static int ask_model(const struct si_device *device, int attribute, int *value)
{
    const struct device_model *model = si_device_model(device);
    const struct device_generation *generation = device_generation_of(model);
    uint32_t l2 = model->l2_kib << 10;
    switch (attribute) {
    case 13: *value = (int)(model->clock * 1000); return 1;
    case 18: *value = model->integrated; return 1;
    case 32: *value = model->ecc; return 1;
    case 36: *value = (int)(model->memory_clock * 1000); return 1;
    case 37: *value = model->bus; return 1;
    case 38: *value = (int)l2; return 1;
    case 39: *value = generation->threads; return 1;
    case 40: *value = model->engines; return 1;
    case 69: *value = (int)generation->linear_texture; return 1;
    case 81: *value = (int)generation->shared; return 1;
    case 87: *value = generation->single_to_double; return 1;
    case 106: *value = generation->blocks; return 1;
    case 108: *value = (int)(l2 / 16 * generation->persisting); return 1;
    case 109: *value = (int)generation->window; return 1;
    case 111: *value = generation->reserved; return 1;
    case 120: *value = generation->clusters; return 1;
    case 126: *value = generation->domains; return 1;
    case 127: *value = generation->clusters; return 1; /* tensor maps came with them */
    }
    return 0;
}

int si_device_attribute(const struct si_device *device, int attribute, int *value)
{
    if (attribute < 1 || attribute > ATTRIBUTE_COUNT) return 0;
    if (ask_rill(device, attribute, value) || ask_model(device, attribute, value)) return 1;
    const struct attribute *found = find_attribute(common, LISTED_COUNT(common), attribute);
    if (!found) found = find_attribute(sizes, LISTED_COUNT(sizes), attribute);
    *value = found ? found->value : 0;
    return 1;
}
