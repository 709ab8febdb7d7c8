/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device says of itself.  Limits that the simulator has are the simulator's;
 * the rest is the profile of an H200, so that programs choose what they would choose
 * there.  What is not simulated (textures, surfaces, managed memory, sharing between
 * processes, multicast) is not claimed either: its attributes are 0.
 */
#include "standin/device_attribute.h"

struct attribute {
    int id, value;
};

/* By the driver's numbers, ascending. */
static const struct attribute profile[] = {
    { 9, 65536 },         /* constant memory                              */
    { 11, 2147483647 },   /* pitch of copies                              */
    { 12, 65536 },        /* registers of a block                         */
    { 13, 1980000 },      /* clock, kHz                                   */
    { 14, 512 },          /* alignment of textures                        */
    { 15, 1 },            /* copies run beside kernels                    */
    { 17, 0 },            /* kernels have no time limit                   */
    { 18, 0 },            /* integrated                                   */
    { 19, 1 },            /* host memory can be mapped                    */
    { 20, 0 },            /* compute mode: anybody may use it             */
    { 30, 512 },          /* alignment of surfaces                        */
    { 31, 1 },            /* kernels run side by side                     */
    { 32, 1 },            /* ECC                                          */
    { 35, 0 },            /* TCC                                          */
    { 36, 3201000 },      /* memory clock, kHz                            */
    { 37, 6144 },         /* memory bus, bits                             */
    { 38, 62914560 },     /* level 2 cache                                */
    { 39, 2048 },         /* threads of a multiprocessor                  */
    { 40, 3 },            /* copy engines                                 */
    { 41, 1 },            /* one address space with the host              */
    { 51, 32 },           /* alignment of texture pitches                 */
    { 78, 1 },            /* priorities of streams                        */
    { 79, 1 },            /* global memory is cached in level 1           */
    { 80, 1 },            /* local memory is, too                         */
    { 81, 233472 },       /* shared memory of a multiprocessor            */
    { 82, 65536 },        /* registers of a multiprocessor                */
    { 87, 2 },            /* single to double precision                   */
    { 90, 1 },            /* preemption                                   */
    { 91, 1 },            /* registered memory has one address            */
    { 95, 1 },            /* cooperative launches                         */
    { 99, 1 },            /* host memory can be registered                */
    { 106, 32 },          /* blocks of a multiprocessor                   */
    { 108, 41943040 },    /* persisting part of the level 2 cache         */
    { 109, 134217728 },   /* access policy window                         */
    { 111, 1024 },        /* shared memory that a block does not get      */
    { 115, 1 },           /* memory pools                                 */
    { 120, 1 },           /* clusters                                     */
    { 122, 1 },           /* value operations of 64 bits                  */
    { 123, 1 },           /* NOR in waits for values                      */
    { 126, 4 },           /* memory synchronization domains               */
    { 129, 1 },           /* function pointers are one on all devices     */
    { 131, -1 },          /* NUMA node of the device's memory             */
    { 134, -1 },          /* NUMA node of the host's memory beside it     */
};

enum { ATTRIBUTE_COUNT = 147, PROFILE_COUNT = sizeof profile / sizeof profile[0] };

/* Those that rill knows. */
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
    case 97: *value = (int)info->shared_bytes_per_block_opt_in; return 1;
    }
    return 0;
}

int si_device_attribute(const struct si_device *device, int attribute, int *value)
{
    if (attribute < 1 || attribute > ATTRIBUTE_COUNT) return 0;
    if (ask_rill(device, attribute, value)) return 1;
    *value = 0;
    for (int i = 0; i < PROFILE_COUNT; i++)
        if (profile[i].id == attribute) *value = profile[i].value;
    return 1;
}
