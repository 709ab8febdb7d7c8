/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor maps: what programs describe and hand to kernels, which copy boxes of a tensor.  A map is
 * 128 bytes of the program's, which the driver's words do not explain; here they are a struct of
 * src/ptx/async.
 */
#include <string.h>

#include "ptx/async/tensor.h"
#include "standin/object/entry.h"
#include "standin/object/machine.h"

typedef struct CUtensorMap {
    _Alignas(64) uint64_t opaque[PTX_TENSOR_MAP_BYTES / sizeof(uint64_t)];
} CUtensorMap;

_Static_assert(sizeof(struct ptx_tensor_map) <= sizeof(CUtensorMap), "a map fits");

/* The limits of the driver's documentation. */
enum { BOX_MOST = 256, STEP_MOST = 8, INTERLEAVES = 3, SWIZZLES = 4, PROMOTIONS = 4, FILLS = 2 };
#define SIZE_MOST (UINT64_C(1) << 32)
#define STRIDE_MOST (UINT64_C(1) << 40)

/* What cuTensorMapEncodeTiled is given. */
struct tiled {
    unsigned type, rank;
    uint64_t address;
    const uint64_t *sizes, *strides;
    const unsigned *box, *steps;
    unsigned interleave, swizzle, promotion, fill;
};

static int is_float(unsigned type)
{
    return type >= PTX_TENSOR_F16 && type < PTX_TENSOR_TYPES;
}

/* Returns whether what describes the whole tensor is in its range. */
static int is_sound(const struct tiled *tiled)
{
    if (tiled->rank < 1 || tiled->rank > PTX_TENSOR_DIMENSIONS || !tiled->sizes || !tiled->box ||
        !tiled->steps || (tiled->rank > 1 && !tiled->strides))
        return 0;
    return tiled->address && tiled->address % 16 == 0 && tiled->interleave < INTERLEAVES &&
           tiled->swizzle < SWIZZLES && tiled->promotion < PROMOTIONS && tiled->fill < FILLS &&
           (!tiled->fill || is_float(tiled->type));
}

/* Returns whether a dimension is in its range. */
static int is_sound_dimension(const struct tiled *tiled, unsigned k)
{
    if (!tiled->sizes[k] || tiled->sizes[k] > SIZE_MOST || !tiled->box[k] ||
        tiled->box[k] > BOX_MOST || !tiled->steps[k] || tiled->steps[k] > STEP_MOST)
        return 0;
    return !k || (tiled->strides[k - 1] % 16 == 0 && tiled->strides[k - 1] < STRIDE_MOST);
}

/* A row of a box is a multiple of 16 bytes, and not wider than a swizzle. */
static int is_sound_row(const struct tiled *tiled)
{
    const uint32_t bytes = tiled->box[0] * ptx_tensor_bytes((enum ptx_tensor_type)tiled->type);
    return bytes % 16 == 0 && (!tiled->swizzle || bytes <= 16u << tiled->swizzle);
}

static CUresult check_tiled(const struct tiled *tiled)
{
    if (!is_sound(tiled)) return RILL_ERROR_INVALID_VALUE;
    for (unsigned k = 0; k < tiled->rank; k++)
        if (!is_sound_dimension(tiled, k)) return RILL_ERROR_INVALID_VALUE;
    if (tiled->type >= PTX_TENSOR_TYPES || tiled->interleave) return RILL_ERROR_NOT_SUPPORTED;
    return is_sound_row(tiled) ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

static void write_map(CUtensorMap *map, const struct tiled *tiled)
{
    struct ptx_tensor_map made = {
        .mark = PTX_TENSOR_MARK, .address = tiled->address, .rank = (uint8_t)tiled->rank,
        .type = (uint8_t)tiled->type, .swizzle = (uint8_t)tiled->swizzle, .nan = tiled->fill != 0,
    };
    for (unsigned k = 0; k < tiled->rank; k++) {
        made.last[k] = (uint32_t)(tiled->sizes[k] - 1);
        made.box[k] = (uint16_t)tiled->box[k];
        /* Without interleaving the elements of a row are taken one by one. */
        made.steps[k] = k ? (uint8_t)tiled->steps[k] : 1;
        if (k) made.strides[k - 1] = tiled->strides[k - 1];
    }
    memset(map, 0, sizeof *map);
    memcpy(map, &made, sizeof made);
}

ENTRY(cuTensorMapEncodeTiled,
      (CUtensorMap *map, unsigned type, unsigned rank, void *address, const uint64_t *sizes,
       const uint64_t *strides, const unsigned *box, const unsigned *steps, unsigned interleave,
       unsigned swizzle, unsigned promotion, unsigned fill),
      (map, type, rank, address, sizes, strides, box, steps, interleave, swizzle, promotion, fill))
{
    const struct tiled tiled = { type, rank, (uintptr_t)address, sizes, strides, box, steps,
                                 interleave, swizzle, promotion, fill };
    CUresult status = si_check_ready();
    if (!status && (!map || (uintptr_t)map % 64)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = check_tiled(&tiled);
    if (!status) write_map(map, &tiled);
    return status;
}

ENTRY(cuTensorMapReplaceAddress, (CUtensorMap *map, void *address), (map, address))
{
    struct ptx_tensor_map made;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!map || (uintptr_t)map % 64 || !address || (uintptr_t)address % 16)
        return RILL_ERROR_INVALID_VALUE;
    memcpy(&made, map, sizeof made);
    if (made.mark != PTX_TENSOR_MARK) return RILL_ERROR_INVALID_VALUE;
    made.address = (uintptr_t)address;
    memcpy(map, &made, sizeof made);
    return RILL_SUCCESS;
}
