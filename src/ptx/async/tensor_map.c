/* SPDX-License-Identifier: Apache-2.0
 *
 * tensormap.replace: kernels that change a tensor map which they have copied.  What each field does
 * was asked of an H200, by boxes that were loaded afterwards.
 */
#include <string.h>

#include "ptx/async/tensor.h"
#include "ptx/run/fault.h"

/* The largest map that is whole: 256 elements of a dimension, of which each eighth is taken. */
enum { BOX_MOST = 256, PIXELS_MOST = 1024, STEP_MOST = 8, SWIZZLE_MOST = 3 };

static const char *wrong_columns(const struct ptx_tensor_map *map)
{
    if (map->rank < 3 || !map->box[0] || map->box[0] > BOX_MOST || !map->box[1] ||
        map->box[1] > PIXELS_MOST)
        return "the tensor map has columns without elements, or of too many";
    for (uint32_t k = 1; k < map->rank; k++)
        if (!map->steps[k] || map->steps[k] > STEP_MOST)
            return "the tensor map has a step that does not exist";
    return NULL;
}

const char *ptx_tensor_map_wrong(const struct ptx_tensor_map *map)
{
    if (map->mark != PTX_TENSOR_MARK) return "there is no tensor map here";
    if (!map->rank || map->rank > PTX_TENSOR_DIMENSIONS)
        return "the tensor map has no number of dimensions from 1 to 5";
    if (map->type >= PTX_TENSOR_TYPES || map->swizzle > SWIZZLE_MOST)
        return "the tensor map has no type or swizzle that exists";
    if (map->columns) return wrong_columns(map);
    for (uint32_t k = 0; k < map->rank; k++)
        if (!map->box[k] || map->box[k] > BOX_MOST || !map->steps[k] || map->steps[k] > STEP_MOST)
            return "the tensor map has a box without elements, or of too many";
    return NULL;
}

/* The types by their numbers in kernels, which are not those of the driver. */
static const uint8_t types[] = {
    PTX_TENSOR_U8, PTX_TENSOR_U16, PTX_TENSOR_U32, PTX_TENSOR_S32, PTX_TENSOR_U64, PTX_TENSOR_S64,
    PTX_TENSOR_F16, PTX_TENSOR_F32, PTX_TENSOR_F32_FTZ, PTX_TENSOR_F64, PTX_TENSOR_BF16,
    PTX_TENSOR_TF32, PTX_TENSOR_TF32_FTZ,
};

const uint32_t ptx_tensor_field_values[TENSOR_FIELDS] = {
    [TENSOR_ELEMTYPE] = sizeof types, [TENSOR_INTERLEAVE] = 1, [TENSOR_SWIZZLE] = SWIZZLE_MOST + 1,
    [TENSOR_ATOMICITY] = 1, [TENSOR_FILL] = 2,
};

/* Returns false if the field cannot have the value. */
static bool replace(struct ptx_tensor_map *map, enum tensor_field field, uint32_t dimension,
                    uint64_t value)
{
    const uint32_t word = (uint32_t)value;
    switch (field) {
    case TENSOR_ADDRESS: map->address = value; return value % 16 == 0;
    case TENSOR_RANK: map->rank = (uint8_t)(word + 1); return word < PTX_TENSOR_DIMENSIONS;
    case TENSOR_BOX: map->box[dimension] = (uint16_t)word; return word && word <= BOX_MOST;
    case TENSOR_SIZE: map->last[dimension] = word - 1; return true;
    case TENSOR_STRIDE: map->strides[dimension] = value; return value % 16 == 0;
    /* Without interleaving the elements of a row are taken one by one. */
    case TENSOR_STEP:
        map->steps[dimension] = dimension ? (uint8_t)word : 1;
        return word && word <= STEP_MOST;
    case TENSOR_ELEMTYPE: map->type = types[word]; return true;
    case TENSOR_SWIZZLE: map->swizzle = (uint8_t)word; return true;
    case TENSOR_FILL: map->nan = word; return true;
    default: return true;
    }
}

void ptx_tensor_replace_step(struct ptx_group *group, const struct ptx_step *step)
{
    PTX_IN_TURN(group, i) {
        const struct bulk_place place = { .address = PTX_COLUMN(group, step->a, uint64_t)[i],
                                          .bytes = PTX_TENSOR_MAP_BYTES, .misaligned = 63,
                                          .write = true };
        const uint64_t value = step->width == 8 ? PTX_COLUMN(group, step->b, uint64_t)[i]
                                                : PTX_COLUMN(group, step->b, uint32_t)[i];
        unsigned char *at = ptx_bulk_find(group, step, i, &place, NULL);
        struct ptx_tensor_map map;
        if (!at) return;
        memcpy(&map, at, sizeof map);
        const bool is_map = map.mark == PTX_TENSOR_MARK;
        if (!is_map || !replace(&map, (enum tensor_field)step->kind, step->target, value)) {
            ptx_fail(group, step, i, RILL_ERROR_ILLEGAL_INSTRUCTION, 0, "%s",
                     is_map ? "a tensor map cannot have this value in this field"
                            : "there is no tensor map here");
            return;
        }
        memcpy(at, &map, sizeof map);
    }
}
