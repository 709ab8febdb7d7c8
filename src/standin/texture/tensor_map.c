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
enum {
    BOX_MOST = 256, PIXELS_MOST = 1024, STEP_MOST = 8, INTERLEAVES = 3, SWIZZLES = 4,
    PROMOTIONS = 4, FILLS = 2,
    BOX_BYTES_MOST = 227 << 10 /* as much as a block can share: an H200 takes 192 KiB, not 256 */
};
#define SIZE_MOST (UINT64_C(1) << 32)
#define STRIDE_MOST (UINT64_C(1) << 40)

/* What cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col are given. */
struct tiled {
    unsigned type, rank;
    uint64_t address;
    const uint64_t *sizes, *strides;
    const unsigned *box; /* of columns: channels and pixels */
    const unsigned *steps;
    unsigned interleave, swizzle, promotion, fill;
    const int *low, *high; /* corners of columns; NULL of tiles */
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
    if (!tiled->sizes[k] || tiled->sizes[k] > SIZE_MOST || !tiled->steps[k] ||
        tiled->steps[k] > STEP_MOST)
        return 0;
    if (!tiled->low && (!tiled->box[k] || tiled->box[k] > BOX_MOST)) return 0;
    return !k || (tiled->strides[k - 1] % 16 == 0 && tiled->strides[k - 1] < STRIDE_MOST);
}

/* A row of a box is a multiple of 16 bytes, and not wider than a swizzle; where it is interleaved
 * with others, it may be. */
static int is_sound_row(const struct tiled *tiled)
{
    const uint32_t bytes = tiled->box[0] * ptx_tensor_bytes((enum ptx_tensor_type)tiled->type);
    return bytes % 16 == 0 &&
           (!tiled->swizzle || tiled->interleave || bytes <= 16u << tiled->swizzle);
}

/* Returns whether what a box takes of the tensor is no more than a block can share. */
static int is_sound_box(const struct tiled *tiled)
{
    uint64_t bytes = ptx_tensor_bytes((enum ptx_tensor_type)tiled->type);
    for (unsigned k = 0; k < tiled->rank && !tiled->low; k++)
        bytes *= (tiled->box[k] + tiled->steps[k] - 1) / tiled->steps[k];
    return bytes <= BOX_BYTES_MOST;
}

/* Rows are interleaved in tensors of 3 dimensions at least, by 16 or by 32 bytes. */
static int is_sound_interleave(const struct tiled *tiled)
{
    if (!tiled->interleave) return 1;
    if (tiled->rank < 3) return 0;
    for (unsigned k = 0; k + 1 < tiled->rank; k++)
        if (tiled->strides[k] % (16u * tiled->interleave)) return 0;
    return 1;
}

/* Returns whether columns have corners in their range, around some pixels. */
static int are_sound_columns(const struct tiled *tiled)
{
    static const int most[] = { [3] = 1 << 15, [4] = 1 << 7, [5] = 1 << 4 };
    if (tiled->rank < 3 || !tiled->high || !tiled->box[0] || tiled->box[0] > BOX_MOST ||
        !tiled->box[1] || tiled->box[1] > PIXELS_MOST)
        return 0;
    for (unsigned k = 0; k + 2 < tiled->rank; k++) {
        const int low = tiled->low[k], high = tiled->high[k], end = most[tiled->rank];
        if (low < -end || low >= end || high < -end || high >= end ||
            (int64_t)tiled->sizes[k + 1] - 1 + high < low)
            return 0;
    }
    return 1;
}

static CUresult check_tiled(const struct tiled *tiled)
{
    if (!is_sound(tiled)) return RILL_ERROR_INVALID_VALUE;
    for (unsigned k = 0; k < tiled->rank; k++)
        if (!is_sound_dimension(tiled, k)) return RILL_ERROR_INVALID_VALUE;
    if (tiled->low && !are_sound_columns(tiled)) return RILL_ERROR_INVALID_VALUE;
    if (tiled->type >= PTX_TENSOR_TYPES) return RILL_ERROR_NOT_SUPPORTED;
    if (!is_sound_row(tiled) || !is_sound_box(tiled) || !is_sound_interleave(tiled))
        return RILL_ERROR_INVALID_VALUE;
    return tiled->interleave ? RILL_ERROR_NOT_SUPPORTED : RILL_SUCCESS;
}

static void write_map(CUtensorMap *map, const struct tiled *tiled)
{
    struct ptx_tensor_map made = {
        .mark = PTX_TENSOR_MARK, .address = tiled->address, .rank = (uint8_t)tiled->rank,
        .type = (uint8_t)tiled->type, .swizzle = (uint8_t)tiled->swizzle, .nan = tiled->fill != 0,
        .columns = tiled->low != NULL,
    };
    for (unsigned k = 0; k < tiled->rank; k++) {
        made.last[k] = (uint32_t)(tiled->sizes[k] - 1);
        if (!tiled->low || k < 2) made.box[k] = (uint16_t)tiled->box[k];
        /* Without interleaving the elements of a row are taken one by one. */
        made.steps[k] = k ? (uint8_t)tiled->steps[k] : 1;
        if (k) made.strides[k - 1] = tiled->strides[k - 1];
    }
    for (unsigned k = 0; k + 2 < tiled->rank && tiled->low; k++) {
        made.low[k] = (int16_t)tiled->low[k];
        made.high[k] = (int16_t)tiled->high[k];
    }
    memset(map, 0, sizeof *map);
    memcpy(map, &made, sizeof made);
}

static CUresult encode(CUtensorMap *map, const struct tiled *tiled)
{
    CUresult status = si_check_ready();
    if (!status && !map) status = RILL_ERROR_INVALID_VALUE; /* aligned to 8 bytes it will do */
    if (!status) status = check_tiled(tiled);
    if (!status) write_map(map, tiled);
    return status;
}

ENTRY(cuTensorMapEncodeTiled,
      (CUtensorMap *map, unsigned type, unsigned rank, void *address, const uint64_t *sizes,
       const uint64_t *strides, const unsigned *box, const unsigned *steps, unsigned interleave,
       unsigned swizzle, unsigned promotion, unsigned fill),
      (map, type, rank, address, sizes, strides, box, steps, interleave, swizzle, promotion, fill))
{
    const struct tiled tiled = { type, rank, (uintptr_t)address, sizes, strides, box, steps,
                                 interleave, swizzle, promotion, fill, NULL, NULL };
    return encode(map, &tiled);
}

ENTRY(cuTensorMapEncodeIm2col,
      (CUtensorMap *map, unsigned type, unsigned rank, void *address, const uint64_t *sizes,
       const uint64_t *strides, const int *low, const int *high, unsigned channels,
       unsigned pixels, const unsigned *steps, unsigned interleave, unsigned swizzle,
       unsigned promotion, unsigned fill),
      (map, type, rank, address, sizes, strides, low, high, channels, pixels, steps, interleave,
       swizzle, promotion, fill))
{
    const unsigned box[] = { channels, pixels };
    const struct tiled tiled = { type, rank, (uintptr_t)address, sizes, strides, box, steps,
                                 interleave, swizzle, promotion, fill, low, high };
    const CUresult status = si_check_ready();
    if (status || !low) return status ? status : RILL_ERROR_INVALID_VALUE;
    return encode(map, &tiled);
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
