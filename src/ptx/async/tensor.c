/* SPDX-License-Identifier: Apache-2.0
 *
 * A box is walked row by row.  A row is a part of the first dimension: one piece of global memory,
 * as far as it is inside the tensor, and pieces of 16 bytes in shared memory, which a swizzle
 * exchanges within 128 bytes by the bits of their addresses.
 *
 * As measured on an H100 (driver of CUDA 13.0): rows begin at a multiple of 16 bytes, else the
 * instruction is illegal; a row that is narrower than its swizzle leaves the rest of the swizzle
 * as it is, and only what is copied is counted; elements of tf32 are rounded when they are loaded;
 * .ftz changes nothing there.  What NaN fills with is 0x7ff7 in each 16 bits: measured on an H200,
 * of f32 and bf16.
 */
#include "ptx/async/tensor_box.h"

#include <string.h>

#include "ptx/async/barrier.h"
#include "ptx/async/reduce.h"
#include "ptx/run/fault.h"

#define NAN_FILL UINT64_C(0x7ff77ff77ff77ff7) /* of elements of any width */
#define ROW_MOST (256 * sizeof(uint64_t))

static const struct {
    uint8_t bytes, type; /* type of reductions: enum ptx_type */
} elements[PTX_TENSOR_TYPES] = {
    [PTX_TENSOR_U8] = { 1, PTX_NO_TYPE },  [PTX_TENSOR_U16] = { 2, PTX_NO_TYPE },
    [PTX_TENSOR_U32] = { 4, PTX_U32 },     [PTX_TENSOR_S32] = { 4, PTX_S32 },
    [PTX_TENSOR_U64] = { 8, PTX_U64 },     [PTX_TENSOR_S64] = { 8, PTX_S64 },
    [PTX_TENSOR_F16] = { 2, PTX_F16 },     [PTX_TENSOR_F32] = { 4, PTX_F32 },
    [PTX_TENSOR_F64] = { 8, PTX_F64 },     [PTX_TENSOR_BF16] = { 2, PTX_BF16 },
    [PTX_TENSOR_F32_FTZ] = { 4, PTX_F32 }, [PTX_TENSOR_TF32] = { 4, PTX_F32 },
    [PTX_TENSOR_TF32_FTZ] = { 4, PTX_F32 },
};

uint32_t ptx_tensor_bytes(enum ptx_tensor_type type)
{
    return elements[type].bytes;
}

/* ---- Shared memory ------------------------------------------------------------------------ */

/* Finds the memory of a box in shared memory. */
static unsigned char *find_shared(const struct ptx_tensor_box *box, uint64_t address, bool write)
{
    const struct bulk_place place = { .address = address, .bytes = box->rows * box->pitch,
                                      .misaligned = 127, .write = write };
    return ptx_bulk_find(box->group, box->step, box->lane, &place, NULL);
}

/* Returns how far a piece is from the beginning of a box at an address. */
static uint32_t swizzled(const struct ptx_tensor_box *box, uint64_t address, uint32_t offset)
{
    const uint32_t at = (uint32_t)address + offset, bits = (1u << box->map.swizzle) - 1;
    return offset + ((at ^ (at >> 7 & bits) << 4) - at);
}

/* Copies a row of a box to shared memory, or back. */
static void move_row(const struct ptx_tensor_box *box, unsigned char *shared, uint64_t address,
                     uint32_t row, unsigned char *bytes, bool back)
{
    for (uint32_t at = 0; at < box->row_bytes; at += PTX_TENSOR_PIECE) {
        const uint32_t left = box->row_bytes - at;
        const uint32_t part = left < PTX_TENSOR_PIECE ? left : PTX_TENSOR_PIECE;
        unsigned char *place = shared + swizzled(box, address, row * box->pitch + at);
        if (back) memcpy(bytes + at, place, part);
        else memcpy(place, bytes + at, part);
    }
}

/* ---- From global memory ------------------------------------------------------------------- */

/* What is outside of the tensor. */
static void fill_row(const struct ptx_tensor_box *box, unsigned char *bytes)
{
    const uint64_t value = box->map.nan ? NAN_FILL : 0;
    for (uint32_t at = 0; at < box->row_bytes; at += box->bytes)
        memcpy(bytes + at, &value, box->bytes);
}

/* Rounds to tf32, to nearest even. */
static void round_elements(unsigned char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bytes += sizeof(uint32_t)) {
        uint32_t bits;
        memcpy(&bits, bytes, sizeof bits);
        bits = (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffe000
                                                : (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
        memcpy(bytes, &bits, sizeof bits);
    }
}

static bool load_row(struct ptx_tensor_box *box, uint32_t row, unsigned char *bytes)
{
    struct bulk_place place = { .write = false };
    uint32_t first = 0, inside = ptx_tensor_box_row(box, row, &first, &place.address);
    if (inside < box->counts[0]) fill_row(box, bytes);
    if (!inside) return true;
    place.bytes = inside * box->bytes;
    const unsigned char *from = ptx_bulk_find(box->group, box->step, box->lane, &place, NULL);
    if (!from) return false;
    memcpy(bytes + first * box->bytes, from, place.bytes);
    if (box->map.type == PTX_TENSOR_TF32 || box->map.type == PTX_TENSOR_TF32_FTZ)
        round_elements(bytes + first * box->bytes, inside);
    return true;
}

static bool deliver_box(void *data, uint64_t to, uint64_t barrier)
{
    struct ptx_tensor_box *box = data;
    unsigned char bytes[ROW_MOST], *shared = find_shared(box, to, true);
    if (!shared) return false;
    for (uint32_t row = 0; row < box->rows; row++) {
        if (!load_row(box, row, bytes)) return false;
        move_row(box, shared, to, row, bytes, false);
    }
    return ptx_mbarrier_complete(box->group, box->step, box->lane, barrier,
                                 box->rows * box->row_bytes);
}

void ptx_tensor_load_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_tensor_box box;
    PTX_IN_TURN(group, i)
        if (!ptx_tensor_box_open(&box, group, step, i) ||
            !ptx_bulk_deliver(group, step, i, deliver_box, &box))
            return;
}

/* ---- To global memory --------------------------------------------------------------------- */

/* Returns the type as which elements are reduced: integers are bits for some reductions. */
static enum ptx_type reduced_type(const struct ptx_tensor_box *box)
{
    const enum ptx_type type = (enum ptx_type)elements[box->map.type].type;
    if (box->step->kind < REDUCE_AND) return type;
    return type == PTX_U32 || type == PTX_S32   ? PTX_B32
           : type == PTX_U64 || type == PTX_S64 ? PTX_B64 : PTX_NO_TYPE;
}

static bool store_row(struct ptx_tensor_box *box, uint32_t row, const unsigned char *bytes)
{
    const enum reduction how = (enum reduction)box->step->kind;
    struct bulk_place place = { .write = true, .atomic = how != REDUCE_NOTHING };
    uint32_t first = 0, inside = ptx_tensor_box_row(box, row, &first, &place.address);
    if (!inside) return true;
    place.bytes = inside * box->bytes;
    unsigned char *to = ptx_bulk_find(box->group, box->step, box->lane, &place, NULL);
    if (!to) return false;
    bytes += first * box->bytes;
    if (how) ptx_reduce(how, reduced_type(box), to, bytes, inside, false);
    else memcpy(to, bytes, place.bytes);
    return true;
}

static bool can_reduce(const struct ptx_tensor_box *box)
{
    const enum reduction how = (enum reduction)box->step->kind;
    if (!how || ptx_reduces(how, reduced_type(box))) return true;
    return ptx_tensor_box_fail(box, "there is no such reduction of the elements of this tensor");
}

void ptx_tensor_store_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_tensor_box box;
    unsigned char bytes[ROW_MOST];
    PTX_IN_TURN(group, i) {
        if (!ptx_tensor_box_open(&box, group, step, i) || !can_reduce(&box)) return;
        const uint64_t from = ptx_bulk_operand(group, step, BULK_FROM, i);
        unsigned char *shared = find_shared(&box, from, false);
        if (!shared) return;
        for (uint32_t row = 0; row < box.rows; row++) {
            move_row(&box, shared, from, row, bytes, true);
            if (!store_row(&box, row, bytes)) return;
        }
    }
}
