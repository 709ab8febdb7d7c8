/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's device runtime, by which kernels launch kernels: what the host of a grid is asked for.
 */
#ifndef PTX_BUILTIN_CHILDREN_H
#define PTX_BUILTIN_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>

/* The stream of launches that come after all others of their grid. */
#define PTX_TAIL_LAUNCH 3u

/* A launch that a thread prepares. */
struct ptx_child {
    const char *kernel; /* of the same module; NULL if the thread named none */
    uint32_t grid[3], block[3], shared;
};

/* Where the parameters of a launch are to be stored. */
struct ptx_child_buffer {
    uint64_t at, bytes;
};

/* Where rows of bytes lie: the first one, and how far they and their slices are apart. */
struct ptx_child_place {
    uint64_t at, pitch, slice;
};

/* A copy or a fill of a box that a thread submits as it launches kernels. */
struct ptx_child_rows {
    struct ptx_child_place dst, src; /* src of a copy only */
    uint64_t width, height, depth;
    bool fills;
    uint8_t value;                   /* of a fill          */
};

/* The thread that asks. */
struct ptx_child_thread {
    uint32_t block[3], thread[3];
};

/* Several threads may ask at once.  Statuses are those of CUDA's runtime. */
struct ptx_children {
    /* Returns zeros if such a launch cannot be. */
    struct ptx_child_buffer (*prepare)(void *data, const struct ptx_child_thread *thread,
                                       const struct ptx_child *child);
    uint32_t (*launch)(void *data, const struct ptx_child_thread *thread, uint64_t parameters,
                       uint64_t stream);
    uint32_t (*submit)(void *data, const struct ptx_child_rows *rows, uint64_t stream);
    void (*note)(void *data, const struct ptx_child_thread *thread, uint32_t status);
    /* Returns the last status of the thread that was not 0, which may be forgotten then. */
    uint32_t (*status)(void *data, const struct ptx_child_thread *thread, bool forget);
    uint32_t (*device)(void *data); /* that the grid runs on */
    uint32_t (*device_count)(void *data);
    uint32_t (*attribute)(void *data, int device, int attribute, int *value);
};

#endif
