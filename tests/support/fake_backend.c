/* SPDX-License-Identifier: Apache-2.0
 *
 * How to read this file: the table at its end is the backend; the functions
 * above fill its slots, one section for each kind of object.  What a slot may
 * rely on and what it owes is said in <rill/backend.h>.
 *
 * The core has checked every handle and every pointer that a call needs.  What
 * is left to a backend are values: ranges, flags, addresses, ordinals.
 */
#include "support/fake_backend.h"

#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "base/thread.h"

#define FAKE_DEVICES 2
#define FAKE_MEMORY_BYTES ((uint64_t)1 << 30)
#define FAKE_PRIORITY_GREATEST (-2)

/* ---- Private bytes ------------------------------------------------------ */

/* What the backend keeps behind each object.  The core allocates these structs,
 * zeroed, with the object; rill_private() finds them. */

/* An allocation.  A "device" address is simply the address of host memory. */
struct block {
    struct block *next;
    rill_context *context;
    unsigned char *memory;
    size_t bytes;
    int on_device;
};

struct fake_platform {
    struct rl_lock lock; /* protects the list of blocks */
    struct block *blocks;
};

struct fake_context {
    rill_stream *legacy, *per_thread;
};

struct fake_stream {
    uint32_t flags;
    int priority;
};

struct fake_event {
    uint32_t flags;
    int recorded;
    uint64_t time_ns;
};

struct fake_module {
    size_t count;
    rill_kernel **kernels;
};

struct fake_kernel {
    const rill_function *function;
};

static struct fake_platform *platform_of(const void *object)
{
    return rill_private(rill_object_of(object)->platform);
}

/* ---- The platform ------------------------------------------------------- */

/* Would open work?  A backend over a driver looks for the driver here. */
static rill_status fake_probe(const rill_open_options *options)
{
    (void)options;
    return RILL_SUCCESS;
}

static rill_status fake_open(rill_platform *platform, const rill_open_options *options)
{
    (void)platform; /* zeroed private bytes are all it takes */
    (void)options;
    return RILL_SUCCESS;
}

static void fake_close(rill_platform *platform)
{
    (void)platform; /* contexts are gone by now, and their memory with them */
}

/* ---- Devices ------------------------------------------------------------ */

/* The pattern of every failure: the status, the argument at fault if one is,
 * and a sentence that says what to do. */
static rill_status check_device(int device)
{
    if (device >= 0 && device < FAKE_DEVICES) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_DEVICE, "device",
                             "there is no device %d; the last one is %d", device,
                             FAKE_DEVICES - 1);
}

static rill_status fake_device_count(rill_platform *platform, int *count)
{
    (void)platform;
    *count = FAKE_DEVICES;
    return RILL_SUCCESS;
}

static rill_status fake_device_info(rill_platform *platform, int device, rill_device_info *info)
{
    (void)platform;
    rill_status status = check_device(device);
    if (status) return status;
    strcpy(info->name, "fake device");
    info->memory_bytes = FAKE_MEMORY_BYTES;
    info->warp_size = 32;
    info->priority_greatest = FAKE_PRIORITY_GREATEST;
    return RILL_SUCCESS;
}

/* ---- Contexts ----------------------------------------------------------- */

static rill_status fake_context_create(rill_context *context, const rill_context_options *options)
{
    struct fake_context *own = rill_private(context);
    rill_status status = check_device(options->device);
    if (status) return status;
    /* Handles that the caller borrows are objects that the backend owns. */
    void *legacy = NULL, *per_thread = NULL;
    status = rill_backend_own(RILL_OBJECT_STREAM, context, context, &legacy);
    if (status) return status;
    status = rill_backend_own(RILL_OBJECT_STREAM, context, context, &per_thread);
    if (status) {
        rill_backend_disown(legacy); /* a failed create leaves nothing behind */
        return status;
    }
    own->legacy = legacy;
    own->per_thread = per_thread;
    return RILL_SUCCESS;
}

static void free_blocks_of(rill_context *context)
{
    struct fake_platform *platform = platform_of(context);
    rl_lock(&platform->lock);
    for (struct block **link = &platform->blocks; *link;) {
        struct block *block = *link;
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

/* The context's streams and events are still there and destroyed later. */
static rill_status fake_context_destroy(rill_context *context)
{
    struct fake_context *own = rill_private(context);
    free_blocks_of(context);
    rill_backend_disown(own->legacy);
    rill_backend_disown(own->per_thread);
    return RILL_SUCCESS;
}

static rill_status fake_context_synchronize(rill_context *context)
{
    (void)context;
    return RILL_SUCCESS;
}

static rill_status fake_context_status(rill_context *context)
{
    (void)context;
    return RILL_SUCCESS;
}

static rill_status fake_priority_range(rill_context *context, int *least, int *greatest)
{
    (void)context;
    *least = 0;
    *greatest = FAKE_PRIORITY_GREATEST;
    return RILL_SUCCESS;
}

/* ---- Memory ------------------------------------------------------------- */

/* The link to the block around [address, address + bytes), or to NULL at the
 * end of the list.  The caller holds the lock. */
static struct block **find_block(struct fake_platform *platform, rill_devptr address, size_t bytes)
{
    struct block **link = &platform->blocks;
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
    struct fake_platform *platform = platform_of(context);
    struct block *block = rl_zalloc(sizeof *block);
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
    struct fake_platform *platform = platform_of(context);
    rl_lock(&platform->lock);
    struct block **link = find_block(platform, address, 0), *block = *link;
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
    struct fake_platform *platform = platform_of(context);
    rl_lock(&platform->lock);
    struct block *block = *find_block(platform, address, 1);
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
    (void)context;
    *free_bytes = *total_bytes = FAKE_MEMORY_BYTES;
    return RILL_SUCCESS;
}

static rill_status fake_host_alloc(rill_context *context, size_t bytes, uint32_t flags,
                                   void **pointer)
{
    (void)flags;
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
    struct fake_platform *platform = platform_of(context);
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

static rill_status fake_run(rill_context *context, const rill_op *op)
{
    return op->kind == RILL_OP_MEMCPY ? do_copy(context, &op->memcpy)
                                      : do_fill(context, &op->memset);
}

/* ---- Modules and kernels ------------------------------------------------ */

static rill_status fake_unload(rill_module *module)
{
    struct fake_module *own = rill_private(module);
    for (size_t i = 0; i < own->count; i++) rill_backend_disown(own->kernels[i]);
    rl_free(own->kernels);
    return RILL_SUCCESS;
}

/* Of an image, this backend takes the C functions. */
static rill_status fake_load(rill_module *module, const rill_image *image)
{
    struct fake_module *own = rill_private(module);
    rill_context *context = rill_object_of(module)->context;
    if (!image->function_count)
        return rill_backend_fail(RILL_ERROR_NO_BINARY_FOR_GPU, "image",
                                 "the image has no C functions, and no other code runs here");
    own->kernels = rl_zalloc(image->function_count * sizeof *own->kernels);
    if (!own->kernels)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no memory for kernels");
    for (size_t i = 0; i < image->function_count; i++) {
        void *kernel;
        rill_status status = rill_backend_own(RILL_OBJECT_KERNEL, module, context, &kernel);
        if (status) {
            fake_unload(module);
            return status;
        }
        ((struct fake_kernel *)rill_private(kernel))->function = &image->functions[i];
        own->kernels[own->count++] = kernel;
    }
    return RILL_SUCCESS;
}

static rill_status fake_kernel(rill_module *module, const char *name, rill_kernel **kernel)
{
    const struct fake_module *own = rill_private(module);
    for (size_t i = 0; i < own->count; i++) {
        const struct fake_kernel *candidate = rill_private(own->kernels[i]);
        if (strcmp(candidate->function->name, name)) continue;
        *kernel = own->kernels[i];
        return RILL_SUCCESS;
    }
    return rill_backend_fail(RILL_ERROR_NOT_FOUND, "name", "the module has no kernel '%s'", name);
}

static rill_status fake_kernel_count(rill_module *module, size_t *count)
{
    *count = ((const struct fake_module *)rill_private(module))->count;
    return RILL_SUCCESS;
}

static const char *fake_kernel_name(const rill_kernel *kernel)
{
    return ((const struct fake_kernel *)rill_private(kernel))->function->name;
}

static rill_status do_launch(const rill_kernel_op *op)
{
    const struct fake_kernel *kernel = rill_private(op->kernel);
    const rill_function *function = kernel->function;
    if (!op->grid.x || !op->grid.y || !op->grid.z || !op->block.x || !op->block.y || !op->block.z)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "grid",
                                 "a side of the grid or of the block is 0");
    rill_launch launch = { .grid = op->grid,
                           .block = op->block,
                           .shared_bytes = op->shared_bytes + function->static_shared_bytes,
                           .params = op->params,
                           .param_count = function->param_count };
    launch.shared = rl_zalloc(launch.shared_bytes);
    if (!launch.shared)
        return rill_backend_fail(RILL_ERROR_OUT_OF_MEMORY, NULL, "there is no shared memory left");
    rill_dim3 *at = &launch.index;
    if (function->over_grid)
        function->over_grid(&launch);
    else
        for (at->z = 0; at->z < op->grid.z; at->z++)
            for (at->y = 0; at->y < op->grid.y; at->y++)
                for (at->x = 0; at->x < op->grid.x; at->x++) function->over_block(&launch);
    rl_free(launch.shared);
    return RILL_SUCCESS;
}

/* ---- Streams ------------------------------------------------------------ */

static rill_status fake_stream_create(rill_stream *stream, const rill_stream_options *options)
{
    struct fake_stream *own = rill_private(stream);
    if (options->flags & ~RILL_STREAM_NON_BLOCKING)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->flags",
                                 "options->flags can be 0 or RILL_STREAM_NON_BLOCKING");
    own->flags = options->flags;
    own->priority = options->priority > 0 ? 0
                    : options->priority < FAKE_PRIORITY_GREATEST ? FAKE_PRIORITY_GREATEST
                                                                 : options->priority;
    return RILL_SUCCESS;
}

static rill_status fake_stream_destroy(rill_stream *stream)
{
    (void)stream;
    return RILL_SUCCESS;
}

static rill_stream *fake_legacy(rill_context *context)
{
    return ((const struct fake_context *)rill_private(context))->legacy;
}

static rill_stream *fake_per_thread(rill_context *context)
{
    return ((const struct fake_context *)rill_private(context))->per_thread;
}

static rill_status do_host(const rill_host_op *op)
{
    op->fn(op->data);
    if (op->destroy) op->destroy(op->data); /* once, whatever happens */
    return RILL_SUCCESS;
}

static rill_status do_record(rill_event *event)
{
    struct fake_event *own = rill_private(event);
    own->recorded = 1;
    own->time_ns = rl_monotonic_ns();
    return RILL_SUCCESS;
}

/* A real backend puts the operation into a queue; here it happens at once, which
 * keeps every promise about order. */
static rill_status fake_submit(rill_stream *stream, rill_op *op)
{
    switch (op->kind) {
    case RILL_OP_KERNEL: return do_launch(&op->kernel);
    case RILL_OP_MEMCPY: return do_copy(rill_object_of(stream)->context, &op->memcpy);
    case RILL_OP_MEMSET: return do_fill(rill_object_of(stream)->context, &op->memset);
    case RILL_OP_HOST: return do_host(&op->host);
    case RILL_OP_EMPTY: return RILL_SUCCESS;
    case RILL_OP_EVENT_WAIT: return RILL_SUCCESS;
    case RILL_OP_EVENT_RECORD: return do_record(op->event.event);
    default:
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "op->kind",
                                 "the fake backend does not run operations of kind %d",
                                 (int)op->kind);
    }
}

static rill_status fake_stream_query(rill_stream *stream)
{
    (void)stream;
    return RILL_SUCCESS;
}

static rill_status fake_stream_synchronize(rill_stream *stream)
{
    (void)stream;
    return RILL_SUCCESS;
}

static rill_status fake_stream_id(rill_stream *stream, uint64_t *id)
{
    *id = rill_object_of(stream)->id;
    return RILL_SUCCESS;
}

static rill_status fake_stream_flags(rill_stream *stream, uint32_t *flags)
{
    *flags = ((const struct fake_stream *)rill_private(stream))->flags;
    return RILL_SUCCESS;
}

static rill_status fake_stream_priority(rill_stream *stream, int *priority)
{
    *priority = ((const struct fake_stream *)rill_private(stream))->priority;
    return RILL_SUCCESS;
}

/* ---- Events ------------------------------------------------------------- */

static rill_status fake_event_create(rill_event *event, const rill_event_options *options)
{
    ((struct fake_event *)rill_private(event))->flags = options->flags;
    return RILL_SUCCESS;
}

static rill_status fake_event_destroy(rill_event *event)
{
    (void)event;
    return RILL_SUCCESS;
}

static rill_status fake_event_query(rill_event *event)
{
    (void)event;
    return RILL_SUCCESS;
}

static rill_status fake_event_synchronize(rill_event *event)
{
    (void)event;
    return RILL_SUCCESS;
}

static rill_status fake_elapsed(rill_event *start, rill_event *end, float *milliseconds)
{
    const struct fake_event *a = rill_private(start), *b = rill_private(end);
    if (!a->recorded || !b->recorded || !(a->flags & b->flags & RILL_EVENT_TIMING))
        return rill_backend_fail(RILL_ERROR_INVALID_HANDLE, NULL,
                                 "both events need RILL_EVENT_TIMING, and a record");
    *milliseconds = (float)((int64_t)(b->time_ns - a->time_ns) / 1e6);
    return RILL_SUCCESS;
}

/* ---- The tables --------------------------------------------------------- */

/* Slots that are marked [opt] and not named here are NULL: the core answers for
 * them with RILL_ERROR_NOT_SUPPORTED. */

static const struct rill_device_ops devices = {
    .count = fake_device_count,
    .info = fake_device_info,
};

static const struct rill_context_ops contexts = {
    .private_bytes = sizeof(struct fake_context),
    .create = fake_context_create,
    .destroy = fake_context_destroy,
    .synchronize = fake_context_synchronize,
    .status = fake_context_status,
    .priority_range = fake_priority_range,
};

static const struct rill_memory_ops memory = {
    .acquire = fake_acquire,
    .release = fake_release,
    .range = fake_range,
    .info = fake_memory_info,
    .host_alloc = fake_host_alloc,
    .host_free = fake_host_free,
    .run = fake_run,
};

static const struct rill_module_ops modules = {
    .private_bytes = sizeof(struct fake_module),
    .kernel_private_bytes = sizeof(struct fake_kernel),
    .load = fake_load,
    .unload = fake_unload,
    .kernel = fake_kernel,
    .kernel_count = fake_kernel_count,
    .kernel_name = fake_kernel_name,
};

static const struct rill_stream_ops streams = {
    .private_bytes = sizeof(struct fake_stream),
    .create = fake_stream_create,
    .destroy = fake_stream_destroy,
    .legacy = fake_legacy,
    .per_thread = fake_per_thread,
    .submit = fake_submit,
    .query = fake_stream_query,
    .synchronize = fake_stream_synchronize,
    .id = fake_stream_id,
    .flags = fake_stream_flags,
    .priority = fake_stream_priority,
};

static const struct rill_event_ops events = {
    .private_bytes = sizeof(struct fake_event),
    .create = fake_event_create,
    .destroy = fake_event_destroy,
    .query = fake_event_query,
    .synchronize = fake_event_synchronize,
    .elapsed = fake_elapsed,
};

const struct rill_backend fake_backend = {
    .abi = RILL_BACKEND_ABI,
    .size = sizeof fake_backend,
    .name = "fake",
    .rank = -100, /* nobody gets it without asking for it */
    .platform_private_bytes = sizeof(struct fake_platform),
    .probe = fake_probe,
    .open = fake_open,
    .close = fake_close,
    .device = &devices,
    .context = &contexts,
    .memory = &memory,
    .module = &modules,
    .stream = &streams,
    .event = &events,
};
