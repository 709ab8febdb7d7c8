/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/memory.h>: device memory, managed memory, pinned host memory, copies and fills.
 *
 * Device and host share one address space: a pointer tells which allocation it belongs
 * to.  A range that leaves its allocation is refused with RILL_ERROR_INVALID_VALUE.
 * Copying or filling zero bytes is always allowed.
 */
#ifndef RILL_MEMORY_H
#define RILL_MEMORY_H

#include <rill/error.h>

RILL_BEGIN_DECLS

/* ---- Device memory ------------------------------------------------------ */

/* Allocates memory of the context's device, which stays until it is freed or the
 * context ends. */
RILL_API rill_status rill_mem_alloc(rill_context *context, size_t bytes, rill_devptr *address);

/* Allocates rows of `width` bytes for elements of 4, 8 or 16 bytes.  Each row starts at
 * a multiple of *pitch. */
RILL_API rill_status rill_mem_alloc_pitch(rill_context *context, size_t width, size_t height,
                                          uint32_t element_bytes, rill_devptr *address,
                                          size_t *pitch);

enum {
    RILL_ATTACH_GLOBAL = 1, /* any stream on any device may use it                    */
    RILL_ATTACH_HOST = 2,   /* no stream does, on devices without concurrent access   */
    RILL_ATTACH_SINGLE = 4  /* rill_stream_attach() only: one stream and the host may */
};

/* Allocates managed memory, whose address is valid on the host and on all devices, or fails
 * with RILL_ERROR_NOT_SUPPORTED if there is none.  `flags` is RILL_ATTACH_GLOBAL or
 * RILL_ATTACH_HOST.  rill_stream_attach() changes who uses the memory, and rill_mem_free()
 * frees it. */
RILL_API rill_status rill_mem_alloc_managed(rill_context *context, size_t bytes, uint32_t flags,
                                            rill_devptr *address);

/* Frees memory.  `address` is the one that was allocated; 0 is accepted.  Waits for the
 * work of the context that allocated the memory; memory of a pool is given back without
 * waiting.  That is a promise about this memory only: it takes no synchronize's place. */
RILL_API rill_status rill_mem_free(rill_context *context, rill_devptr address);

/* Returns base and size of the allocation around an address.  Either output may be
 * NULL. */
RILL_API rill_status rill_mem_range(rill_context *context, rill_devptr address, rill_devptr *base,
                                    size_t *bytes);

/* Returns free and total bytes of the context's device.  Either output may be NULL.
 * Devices differ in how finely they count: hardware takes memory in blocks of 2 MiB,
 * which small allocations share; the simulator counts units of 512 bytes, so that a
 * small leak shows. */
RILL_API rill_status rill_mem_info(rill_context *context, size_t *free_bytes, size_t *total_bytes);

/* ---- Host memory -------------------------------------------------------- */

enum {
    RILL_HOST_PORTABLE = 0x1,      /* pinned for every context; always so here */
    RILL_HOST_MAPPED = 0x2,        /* reachable from the device; always so     */
    RILL_HOST_WRITE_COMBINED = 0x4,
    RILL_HOST_IO_MEMORY = 0x8,     /* register only: memory of other devices;
                                      the simulator has none                  */
    RILL_HOST_READ_ONLY = 0x10     /* register only: kernels do not write to it */
};

/* Allocates pinned host memory, which copies may read and write while the host goes on. */
RILL_API rill_status rill_host_alloc(rill_context *context, size_t bytes, uint32_t flags,
                                     void **pointer);

/* Frees pinned memory.  Backends wait for the work of the context that allocated it, as
 * drivers do, but no driver promises that: wait for what uses the memory first. */
RILL_API rill_status rill_host_free(rill_context *context, void *pointer);

/* Pins memory that the program allocated, or ends that, of which drivers promise as little
 * as of rill_host_free(). */
RILL_API rill_status rill_host_register(rill_context *context, void *pointer, size_t bytes,
                                        uint32_t flags);
RILL_API rill_status rill_host_unregister(rill_context *context, void *pointer);

/* Returns the device address of pinned or registered memory, or the flags that the
 * memory has. */
RILL_API rill_status rill_host_device_pointer(rill_context *context, void *pointer,
                                              rill_devptr *address);
RILL_API rill_status rill_host_flags(rill_context *context, void *pointer, uint32_t *flags);

/* ---- What a pointer is -------------------------------------------------- */

typedef enum rill_memory_kind {
    RILL_MEMORY_HOST = 1,   /* pinned, registered, or unknown to the platform */
    RILL_MEMORY_DEVICE = 2,
    RILL_MEMORY_UNIFIED = 4 /* in a copy: the address tells which */
} rill_memory_kind;

typedef struct rill_pointer_info {
    size_t size; /* sizeof(rill_pointer_info), set by the caller */
    rill_memory_kind kind;
    int known;             /* 0: ordinary host memory; the rest is then zero     */
    int device;            /* ordinal                                            */
    rill_context *context; /* the one that allocated it; NULL for pool memory    */
    rill_pool *pool;       /* the one that it came from, or NULL                 */
    rill_devptr base;
    size_t bytes;
    uint64_t id;           /* of the allocation, unique in the process           */
    int sync_memops;       /* as rill_pointer_set_sync_memops() set it           */
    int mapped;            /* an access would reach memory                       */
    int managed;           /* its address is valid on the host and all devices   */
    int shareable;         /* it, or its pool, can be exported to other processes: made with
                              `shareable` of rill_vmem_options or rill_pool_options */
    rill_devptr reserved;  /* of what rill_vmem_map() mapped: the reservation that it begins in,
                              otherwise 0                                        */
    size_t reserved_bytes;
} rill_pointer_info;

/* Describes the memory at an address, including memory that no backend knows (known =
 * 0). */
RILL_API rill_status rill_pointer_get_info(rill_context *context, rill_devptr address,
                                           rill_pointer_info *info);

/* Makes rill_memcpy() and its like wait for copies and fills of this allocation even
 * where they would return early, or ends that. */
RILL_API rill_status rill_pointer_set_sync_memops(rill_context *context, rill_devptr address,
                                                  int on);

/* ---- Copies ------------------------------------------------------------- */

/* One side of a copy.  A zero pitch or row count means "as tight as the region".
 * Offsets are in bytes, rows and slices. */
typedef struct rill_place {
    rill_memory_kind kind;
    rill_devptr address; /* or a host pointer: rill_host_place() */
    size_t pitch;        /* bytes from a row to the next         */
    size_t rows;         /* rows from a slice to the next        */
    size_t x, y, z;      /* where the region begins              */
    rill_context *context; /* of device memory in a peer copy; else NULL */
} rill_place;

/* A copy of a box of bytes.  Zero height or depth mean what they mean to the driver: a
 * box without volume copies nothing. */
typedef struct rill_copy {
    rill_place dst, src;
    size_t width, height, depth;
} rill_copy;

/* A fill of `width` elements of 1, 2 or 4 bytes, in `height` rows. */
typedef struct rill_fill {
    rill_devptr dst;
    size_t pitch; /* unused when height is 1 */
    uint32_t value;
    uint32_t element_bytes;
    size_t width, height;
} rill_fill;

/* Returns a place that begins at a host pointer or at a device address, as tight as the
 * region. */
static inline rill_place rill_host_place(const void *pointer)
{
    rill_place place = { RILL_MEMORY_HOST, (rill_devptr)(uintptr_t)pointer, 0, 0, 0, 0, 0, NULL };
    return place;
}
static inline rill_place rill_device_place(rill_devptr address)
{
    rill_place place = { RILL_MEMORY_DEVICE, address, 0, 0, 0, 0, 0, NULL };
    return place;
}

/* Copies or fills, ordered like work in the legacy default stream.  A copy that reads
 * or writes host memory has done so when it returns.  A copy within device memory and a
 * fill of device memory may still be running when the call returns. */
RILL_API rill_status rill_memcpy(rill_context *context, rill_devptr dst, rill_devptr src,
                                 size_t bytes);
RILL_API rill_status rill_memcpy_htod(rill_context *context, rill_devptr dst, const void *src,
                                      size_t bytes);
RILL_API rill_status rill_memcpy_dtoh(rill_context *context, void *dst, rill_devptr src,
                                      size_t bytes);
RILL_API rill_status rill_memcpy_dtod(rill_context *context, rill_devptr dst, rill_devptr src,
                                      size_t bytes);
RILL_API rill_status rill_memcpy_peer(rill_context *dst_context, rill_devptr dst,
                                      rill_context *src_context, rill_devptr src, size_t bytes);
RILL_API rill_status rill_memcpy_box(rill_context *context, const rill_copy *copy);
RILL_API rill_status rill_memset_d8(rill_context *context, rill_devptr dst, uint8_t value,
                                    size_t count);
RILL_API rill_status rill_memset_d16(rill_context *context, rill_devptr dst, uint16_t value,
                                     size_t count);
RILL_API rill_status rill_memset_d32(rill_context *context, rill_devptr dst, uint32_t value,
                                     size_t count);
RILL_API rill_status rill_memset_box(rill_context *context, const rill_fill *fill);

/* Does the same in a stream's order.  The call returns at once wherever the driver's
 * does: a copy to pageable host memory, or within host memory, waits until it is done, and
 * a copy from pageable memory to a device has read its source when the call returns. */
RILL_API rill_status rill_memcpy_async(rill_stream *stream, rill_devptr dst, rill_devptr src,
                                       size_t bytes);
RILL_API rill_status rill_memcpy_htod_async(rill_stream *stream, rill_devptr dst, const void *src,
                                            size_t bytes);
RILL_API rill_status rill_memcpy_dtoh_async(rill_stream *stream, void *dst, rill_devptr src,
                                            size_t bytes);
RILL_API rill_status rill_memcpy_dtod_async(rill_stream *stream, rill_devptr dst, rill_devptr src,
                                            size_t bytes);
RILL_API rill_status rill_memcpy_peer_async(rill_stream *stream, rill_context *dst_context,
                                            rill_devptr dst, rill_context *src_context,
                                            rill_devptr src, size_t bytes);
RILL_API rill_status rill_memcpy_box_async(rill_stream *stream, const rill_copy *copy);
RILL_API rill_status rill_memset_d8_async(rill_stream *stream, rill_devptr dst, uint8_t value,
                                          size_t count);
RILL_API rill_status rill_memset_d16_async(rill_stream *stream, rill_devptr dst, uint16_t value,
                                           size_t count);
RILL_API rill_status rill_memset_d32_async(rill_stream *stream, rill_devptr dst, uint32_t value,
                                           size_t count);
RILL_API rill_status rill_memset_box_async(rill_stream *stream, const rill_fill *fill);

RILL_END_DECLS

#endif
