/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend's memory: allocations, copies, fills.
 */
#include <string.h>

#include "base/alloc.h"
#include "support/fake/parts.h"

/* An allocation.  A "device" address is simply the address of host memory. */
struct fake_block {
    struct fake_block *next;
    rill_context *context;
    unsigned char *memory;
    size_t bytes;
    int on_device;
};

/* ---- Memory ------------------------------------------------------------- */

void fake_free_memory_of(rill_context *context)
{
    struct fake_platform *platform = fake_platform_of(context);
    rl_lock(&platform->lock);
    for (struct fake_block **link = &platform->blocks; *link;) {
        struct fake_block *block = *link;
        if (block->context == context) {
            *link = block->next;
            rl_free(block->memory);
            rl_free(block);
        } else {
            link = &block->next;
        }
    }
    rl_unlock(&platform->lock);
}

/* The link to the block around [address, address + bytes), or to NULL at the
 * end of the list.  The caller holds the lock. */
static struct fake_block **find_block(struct fake_platform *platform, rill_devptr address,
                                      size_t bytes)
{
    struct fake_block **link = &platform->blocks;
    for (; *link; link = &(*link)->next) {
        rill_devptr base = (rill_devptr)(uintptr_t)(*link)->memory;
        if (address >= base && address - base <= (*link)->bytes &&
            bytes <= (*link)->bytes - (address - base))
            break;
    }
    return link;
}

static rill_status add_block(rill_context *context, size_t bytes, int on_device, void **memory)
{
    if (!bytes)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "bytes", "bytes is 0; ask for some");
    struct fake_platform *platform = fake_platform_of(context);
    struct fake_block *block = rl_zalloc(sizeof *block);
    if (block) block->memory = rl_alloc(bytes);
    if (!block || !block->memory) {
        rl_free(block);
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there are no %zu bytes left",
                                 bytes);
    }
    block->context = context;
    block->bytes = bytes;
    block->on_device = on_device;
    *memory = block->memory;
    rl_lock(&platform->lock);
    block->next = platform->blocks;
    platform->blocks = block;
    rl_unlock(&platform->lock);
    return RILL_SUCCESS;
}

static rill_status remove_block(rill_context *context, rill_devptr address, int on_device,
                                const char *argument)
{
    struct fake_platform *platform = fake_platform_of(context);
    rl_lock(&platform->lock);
    struct fake_block **link = find_block(platform, address, 0), *block = *link;
    int found = block && block->on_device == on_device &&
                address == (rill_devptr)(uintptr_t)block->memory;
    if (found) *link = block->next;
    rl_unlock(&platform->lock);
    if (!found)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                 "%s is not where an allocation begins", argument);
    rl_free(block->memory);
    rl_free(block);
    return RILL_SUCCESS;
}

static rill_status fake_acquire(rill_context *context, size_t bytes, rill_devptr *address)
{
    void *memory;
    rill_status status = add_block(context, bytes, 1, &memory);
    if (!status) *address = (rill_devptr)(uintptr_t)memory;
    return status;
}

static rill_status fake_release(rill_context *context, rill_devptr address)
{
    return address ? remove_block(context, address, 1, "address") : RILL_SUCCESS;
}

static rill_status fake_range(rill_context *context, rill_devptr address, rill_devptr *base,
                              size_t *bytes)
{
    struct fake_platform *platform = fake_platform_of(context);
    rl_lock(&platform->lock);
    struct fake_block *block = *find_block(platform, address, 1);
    if (block) {
        *base = (rill_devptr)(uintptr_t)block->memory;
        *bytes = block->bytes;
    }
    rl_unlock(&platform->lock);
    if (block) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_NOT_FOUND, "address", "no allocation is around address");
}

static rill_status fake_memory_info(rill_context *context, size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = *total_bytes = FAKE_MEMORY_BYTES;
    return RILL_SUCCESS;
}

static rill_status fake_host_alloc(rill_context *context, size_t bytes, uint32_t flags,
                                   void **pointer)
{
    return add_block(context, bytes, 0, pointer);
}

static rill_status fake_host_free(rill_context *context, void *pointer)
{
    return remove_block(context, (rill_devptr)(uintptr_t)pointer, 0, "pointer");
}

/* ---- Copies and fills --------------------------------------------------- */

/* Device memory must be an allocation; host memory is anything. */
static rill_status check_reach(rill_context *context, rill_memory_kind kind, rill_devptr address,
                               size_t bytes)
{
    struct fake_platform *platform = fake_platform_of(context);
    if (kind != RILL_MEMORY_DEVICE || !bytes) return RILL_SUCCESS;
    rl_lock(&platform->lock);
    int found = *find_block(platform, address, bytes) != NULL;
    rl_unlock(&platform->lock);
    if (found) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, NULL,
                             "%zu bytes at 0x%llx are not in one allocation", bytes,
                             (unsigned long long)address);
}

static unsigned char *row_of(const rill_place *place, const rill_copy *copy, size_t y, size_t z)
{
    size_t pitch = place->pitch ? place->pitch : copy->width;
    size_t rows = place->rows ? place->rows : copy->height;
    return (unsigned char *)(uintptr_t)place->address + place->x +
           pitch * (place->y + y + rows * (place->z + z));
}

static rill_status check_place(rill_context *context, const rill_place *place,
                               const rill_copy *copy)
{
    const unsigned char *first = row_of(place, copy, 0, 0);
    const unsigned char *last = row_of(place, copy, copy->height - 1, copy->depth - 1);
    return check_reach(context, place->kind, (rill_devptr)(uintptr_t)first,
                       (size_t)(last - first) + copy->width);
}

static rill_status do_copy(rill_context *context, const rill_copy *copy)
{
    if (!copy->width || !copy->height || !copy->depth) return RILL_SUCCESS;
    rill_status status = check_place(context, &copy->dst, copy);
    if (!status) status = check_place(context, &copy->src, copy);
    for (size_t z = 0; !status && z < copy->depth; z++)
        for (size_t y = 0; y < copy->height; y++)
            memmove(row_of(&copy->dst, copy, y, z), row_of(&copy->src, copy, y, z), copy->width);
    return status;
}

static rill_status do_fill(rill_context *context, const rill_fill *fill)
{
    uint32_t each = fill->element_bytes;
    if (each != 1 && each != 2 && each != 4)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "element_bytes",
                                 "elements have 1, 2 or 4 bytes, not %u", (unsigned)each);
    if (!fill->width || !fill->height) return RILL_SUCCESS;
    size_t pitch = fill->height > 1 ? fill->pitch : 0;
    rill_status status = check_reach(context, RILL_MEMORY_DEVICE, fill->dst,
                                     pitch * (fill->height - 1) + fill->width * each);
    unsigned char *row = (unsigned char *)(uintptr_t)fill->dst;
    for (size_t y = 0; !status && y < fill->height; y++, row += pitch)
        for (size_t x = 0; x < fill->width; x++) memcpy(row + x * each, &fill->value, each);
    return status;
}

rill_status fake_run_memory(rill_context *context, const rill_op *op)
{
    return op->kind == RILL_OP_MEMCPY ? do_copy(context, &op->memcpy)
                                      : do_fill(context, &op->memset);
}

/* ---- The table ---------------------------------------------------------- */

const struct rill_memory_ops fake_memory_ops = {
    .acquire = fake_acquire,
    .release = fake_release,
    .range = fake_range,
    .info = fake_memory_info,
    .host_alloc = fake_host_alloc,
    .host_free = fake_host_free,
    .run = fake_run_memory,
};
