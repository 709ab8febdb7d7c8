/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/vmem.h>: addresses and memory, each by itself.
 *
 * Addresses are reserved, memory is made without an address, and pieces of memory are mapped
 * side by side into what is reserved: so an array grows where it is, and processes share memory.
 * Mapped memory is device memory as any other: kernels, copies and fills use it on the devices
 * that were given access.  Kernels cross the borders of what was mapped; so do copies and fills,
 * though a driver may refuse a copy to the host that does (580 did on an H100).
 *
 *     rill_vmem_reserve -> rill_vmem_map -> rill_vmem_set_access -> work
 *         -> rill_vmem_unmap -> rill_vmem_unreserve
 *
 * Memory that was made can be released as soon as it is mapped, or later: it goes with its last
 * mapping and its last handle.
 *
 * All sizes and addresses are multiples of the granularity.
 */
#ifndef RILL_VMEM_H
#define RILL_VMEM_H

#include <rill/error.h>
#include <rill/pool.h>

RILL_BEGIN_DECLS

/* Memory without an address.  It is no object: a number, as the driver's is. */
typedef uint64_t rill_vmem_handle;

typedef struct rill_vmem_options {
    size_t size;
    int device;    /* ordinal, where the memory lives                  */
    int shareable; /* 1: it can be exported to other processes         */
    int host;      /* 1: it is memory of the host, whatever `device` says; devices reach it when
                      they are given access                            */
    int tiles;     /* 1: for arrays that are mapped in tiles, which rill has not: it cannot be
                      mapped otherwise                                 */
} rill_vmem_options;

/* Returns what sizes and addresses of memory of the device are multiples of. */
RILL_API rill_status rill_vmem_granularity(rill_platform *platform, int device, size_t *bytes);

/* ---- Memory ------------------------------------------------------------- */

/* Makes memory, with one handle.  NULL options stand for device 0. */
RILL_API rill_status rill_vmem_create(rill_platform *platform, size_t bytes,
                                      const rill_vmem_options *options,
                                      rill_vmem_handle *handle);

/* Gives a handle back.  Memory that is mapped stays until it is unmapped. */
RILL_API rill_status rill_vmem_release(rill_platform *platform, rill_vmem_handle handle);

/* Returns the handle of the memory that is mapped at an address, to be released once more. */
RILL_API rill_status rill_vmem_retain(rill_platform *platform, rill_devptr address,
                                      rill_vmem_handle *handle);

/* Returns what the memory was made with; the caller sets options->size. */
RILL_API rill_status rill_vmem_get_options(rill_platform *platform, rill_vmem_handle handle,
                                           rill_vmem_options *options);

/* Makes a file descriptor of shareable memory, which is the caller's to close, or a handle of
 * the memory of such a descriptor, which may come from another process and stays the caller's.  It
 * is another handle than that which was exported, also in the same process. */
RILL_API rill_status rill_vmem_export(rill_platform *platform, rill_vmem_handle handle, int *file);
RILL_API rill_status rill_vmem_import(rill_platform *platform, int file,
                                      rill_vmem_handle *handle);

/* ---- Addresses ---------------------------------------------------------- */

/* Reserves addresses: multiples of `alignment`, or of the granularity if that is 0, at `wish` if
 * it is not 0 and they are free.  `bytes` is a multiple of the size of a page. */
RILL_API rill_status rill_vmem_reserve(rill_platform *platform, size_t bytes, size_t alignment,
                                       rill_devptr wish, rill_devptr *address);

/* Gives up what was reserved, all of it; nothing may be mapped there. */
RILL_API rill_status rill_vmem_unreserve(rill_platform *platform, rill_devptr address,
                                         size_t bytes);

/* ---- Mapping ------------------------------------------------------------ */

/* Maps memory, all of its `bytes`, at reserved addresses where nothing is mapped.  No device has
 * access yet.  (Driver 580 looks at the first address alone: what reaches over the end of a
 * reservation is mapped.  The simulator does the same where it can.) */
RILL_API rill_status rill_vmem_map(rill_platform *platform, rill_devptr address, size_t bytes,
                                   rill_vmem_handle handle);

/* Unmaps everything in a range that has no mapping in part; there may be holes, or nothing mapped
 * at all.  Waits for the work of the platform's devices, but no driver promises that for all
 * work. */
RILL_API rill_status rill_vmem_unmap(rill_platform *platform, rill_devptr address, size_t bytes);

/* As a device: the processors of the host, which reach memory of the host alone. */
#define RILL_VMEM_HOST (-1)

/* Sets what `device` may do with the mappings in a range, which begins and ends where mappings
 * do and has no holes; or returns what it may do at an address. */
RILL_API rill_status rill_vmem_set_access(rill_platform *platform, rill_devptr address,
                                          size_t bytes, int device, rill_access access);
RILL_API rill_status rill_vmem_get_access(rill_platform *platform, rill_devptr address,
                                          int device, rill_access *access);

RILL_END_DECLS

#endif
