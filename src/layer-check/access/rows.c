/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/access/rows.h"

#include <string.h>

#include "base/alloc.h"
#include "layer-check/access/segment.h"

void ck_row_list_init(struct ck_row_list *list)
{
    *list = (struct ck_row_list){ .items = list->few, .room = sizeof list->few /
                                                              sizeof *list->few };
}

void ck_row_list_fini(struct ck_row_list *list)
{
    if (list->items != list->few) rl_free(list->items);
}

static bool grow_list(struct ck_row_list *list)
{
    size_t room = 4 * list->room;
    rill_touched *items = rl_alloc(room * sizeof *items);
    if (!items) return false;
    memcpy(items, list->items, list->count * sizeof *items);
    ck_row_list_fini(list);
    list->items = items;
    list->room = room;
    return true;
}

static void add_row(struct ck_row_list *list, uint64_t address, uint64_t bytes, uint32_t how)
{
    if (list->count == list->room && !grow_list(list)) {
        list->failed = true;
        return;
    }
    list->items[list->count++] = (rill_touched){ address, bytes, how };
}

/* ---- Boxes --------------------------------------------------------------------------------- */

struct box {
    uint64_t address, pitch, slice; /* from a row, or a slice, to the next */
    uint64_t width, height, depth;
};

static void add_slice(struct ck_row_list *list, uint64_t address, const struct box *box,
                      uint32_t how)
{
    if (box->pitch == box->width) {
        add_row(list, address, box->width * box->height, how);
        return;
    }
    for (uint64_t y = 0; y < box->height; y++)
        add_row(list, address + y * box->pitch, box->width, how);
}

static void add_box(struct ck_row_list *list, const struct box *box, uint32_t how)
{
    if (!box->width || !box->height) return;
    for (uint64_t z = 0; z < box->depth; z++)
        add_slice(list, box->address + z * box->slice, box, how);
}

static struct box box_of(const rill_place *place, const rill_copy *copy)
{
    struct box box = { .width = copy->width, .height = copy->height, .depth = copy->depth };
    box.pitch = place->pitch ? place->pitch : copy->width;
    box.slice = box.pitch * (place->rows ? place->rows : copy->height);
    box.address = place->address + place->x + place->y * box.pitch + place->z * box.slice;
    return box;
}

static uint32_t side_of(const rill_place *place)
{
    return place->kind == RILL_MEMORY_DEVICE ? 0 : CK_TOUCH_BY_HOST;
}

/* Adds the rows that a copy reads, then those that it writes. */
static void add_copy(struct ck_row_list *list, const rill_copy *copy)
{
    struct box from = box_of(&copy->src, copy), to = box_of(&copy->dst, copy);
    add_box(list, &from, RILL_TOUCH_READ | side_of(&copy->src));
    add_box(list, &to, RILL_TOUCH_WRITE | side_of(&copy->dst));
}

static void add_fill(struct ck_row_list *list, const rill_fill *fill)
{
    struct box box = { .address = fill->dst, .width = fill->width * fill->element_bytes,
                       .height = fill->height, .depth = 1 };
    box.pitch = fill->height > 1 ? fill->pitch : box.width;
    add_box(list, &box, RILL_TOUCH_WRITE);
}

/* ---- The others ---------------------------------------------------------------------------- */

/* Values that are written race with plain accesses only; a wait races with nothing, since it ends
 * when somebody writes. */
void ck_rows_of_values(struct ck_row_list *list, const rill_values_op *values)
{
    for (size_t i = 0; i < values->count; i++) {
        const rill_value *value = &values->items[i];
        bool wide = value->kind == RILL_VALUE_WAIT_64 || value->kind == RILL_VALUE_WRITE_64;
        bool narrow = value->kind == RILL_VALUE_WAIT_32 || value->kind == RILL_VALUE_WRITE_32;
        bool waits = value->kind == RILL_VALUE_WAIT_32 || value->kind == RILL_VALUE_WAIT_64;
        if (wide || narrow)
            add_row(list, value->address, wide ? 8 : 4,
                    waits ? (uint32_t)CK_TOUCH_AWAIT : (uint32_t)RILL_TOUCH_ATOMIC);
    }
}

static void add_argument(struct ck_row_list *list, const void *at, size_t bytes)
{
    uint64_t address;
    if (bytes != sizeof address || !at) return;
    memcpy(&address, at, sizeof address);
    if (address)
        add_row(list, address, 0, RILL_TOUCH_READ | RILL_TOUCH_WRITE | CK_TOUCH_ASSUMED);
}

/* Adds the allocations to which arguments of a kernel may point, as read and written. */
static void add_arguments(struct ck_row_list *list, const struct rill_backend *beneath,
                          const rill_kernel_op *op)
{
    size_t offset, bytes;
    if (!op->kernel || !beneath->module->param || !(op->params || op->buffer)) return;
    for (size_t i = 0; !beneath->module->param(op->kernel, i, &offset, &bytes); i++) {
        if (op->params) add_argument(list, op->params[i], bytes);
        else if (offset + bytes <= op->buffer_bytes)
            add_argument(list, (const char *)op->buffer + offset, bytes);
    }
}

void ck_rows_of_pointer(struct ck_row_list *list, uint64_t address)
{
    add_row(list, address, 1, RILL_TOUCH_READ | CK_TOUCH_ASSUMED);
}

void ck_rows_of_op(struct ck_row_list *list, const struct rill_backend *beneath,
                   const rill_op *op)
{
    switch (op->kind) {
    case RILL_OP_KERNEL: add_arguments(list, beneath, &op->kernel); return;
    case RILL_OP_MEMCPY: add_copy(list, &op->memcpy); return;
    case RILL_OP_MEMSET: add_fill(list, &op->memset); return;
    case RILL_OP_VALUES: ck_rows_of_values(list, &op->values); return;
    case RILL_OP_ALLOC:
        add_row(list, op->alloc.address, op->alloc.bytes, CK_TOUCH_ALLOCATE);
        return;
    case RILL_OP_FREE: add_row(list, op->free.address, 0, CK_TOUCH_FREE); return;
    default: return;
    }
}
