/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_maps.h"

#include <string.h>

#include "ptx/async/tensor.h"
#include "support/random.h"

static void make_columns(struct ptx_tensor_map *map, struct dice *dice)
{
    map->columns = true;
    map->box[0] = (uint16_t)(4 * dice_below(dice, 4));
    map->box[1] = (uint16_t)dice_below(dice, 40);
    for (unsigned k = 0; k < PTX_TENSOR_SPACES; k++) {
        map->low[k] = (int16_t)(dice_below(dice, 4) - 2);
        map->high[k] = (int16_t)(dice_below(dice, 4) - 2);
    }
    if (!dice_below(dice, 8)) map->low[0] = INT16_MIN;
    if (!dice_below(dice, 8)) map->high[1] = INT16_MAX;
}

void fuzz_write_map(unsigned char *to, unsigned char *memory, uint64_t choice)
{
    struct dice dice = { choice };
    struct ptx_tensor_map map = {
        .mark = PTX_TENSOR_MARK, .address = (uintptr_t)memory, .strides = { 64, 512, 2048, 2048 },
        .rank = (uint8_t)(2 + dice_below(&dice, 4)), .nan = dice_below(&dice, 2) != 0,
        .type = (uint8_t)dice_below(&dice, PTX_TENSOR_TYPES),
        .swizzle = (uint8_t)dice_below(&dice, 4),
    };
    for (unsigned k = 0; k < PTX_TENSOR_DIMENSIONS; k++) {
        map.last[k] = (uint32_t)dice_below(&dice, k ? 4 : 9);
        map.box[k] = (uint16_t)(k ? dice_below(&dice, 4) : 4 * dice_below(&dice, 4));
        map.steps[k] = (uint8_t)(1 + dice_below(&dice, 3));
    }
    if (dice_below(&dice, 2)) make_columns(&map, &dice);
    if (!dice_below(&dice, 8)) map.last[1] = UINT32_MAX;
    if (!dice_below(&dice, 8)) map.strides[0] = UINT64_MAX / 2;
    memcpy(to, &map, sizeof map);
}
