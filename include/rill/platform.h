/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/platform.h>: choosing a backend, its devices, and contexts.
 */
#ifndef RILL_PLATFORM_H
#define RILL_PLATFORM_H

#include <rill/error.h>

RILL_BEGIN_DECLS

struct rill_sim_options;
struct rill_cuda_options;

/* ---- Platforms ---------------------------------------------------------- */

typedef struct rill_open_options {
    size_t size;         /* sizeof(rill_open_options)                             */
    const char *backend; /* "sim", "cuda", ...; NULL: $RILL_BACKEND, else the
                            usable backend of the highest rank                    */
    const struct rill_sim_options *sim; /* <rill/sim.h>; only the simulator reads it */
    const char *label;
    const struct rill_cuda_options *cuda; /* <rill/cuda.h>; only that backend reads it */
} rill_open_options;

/* Opens a backend.  A backend that was asked for by name and cannot be used is
 * an error: there is no silent fallback.  NULL options: all defaults. */
RILL_API rill_status rill_open(const rill_open_options *options, rill_platform **platform);

/* Gives the platform back.  It ends when its last context is gone. */
RILL_API rill_status rill_close(rill_platform **platform);

/* The name of the platform's backend: "sim", "cuda". */
RILL_API rill_status rill_platform_backend(rill_platform *platform, const char **name);

/* What the backend implements.  RILL_ERROR_NOT_SUPPORTED, with the reason in
 * the error record, where it does not have the feature. */
typedef enum rill_feature {
    RILL_FEATURE_STREAMS = 1,
    RILL_FEATURE_EVENTS,
    RILL_FEATURE_MEMORY,
    RILL_FEATURE_POOLS,
    RILL_FEATURE_KERNELS,
    RILL_FEATURE_HOST_FUNCTIONS,
    RILL_FEATURE_VALUE_OPERATIONS,
    RILL_FEATURE_PEER_ACCESS,
    RILL_FEATURE_GRAPHS,
    RILL_FEATURE_CAPTURE,
    RILL_FEATURE_EXECS,
    RILL_FEATURE_CONDITIONALS,
    RILL_FEATURE_GRAPH_MEMORY
} rill_feature;
RILL_API rill_status rill_platform_supports(rill_platform *platform, rill_feature feature);

/* The names of the backends that are built in or registered, best rank first;
 * NULL past the end. */
RILL_API const char *rill_backend_name(size_t index);

/* ---- Devices ------------------------------------------------------------ */

typedef struct rill_device_info {
    size_t size; /* sizeof(rill_device_info), set by the caller */
    char name[128];
    uint8_t uuid[16];
    char bus_id[32];
    uint64_t memory_bytes;
    int compute_major, compute_minor;
    int multiprocessors;
    int warp_size;
    int max_threads_per_block;
    rill_dim3 max_block;
    rill_dim3 max_grid;
    uint32_t shared_bytes_per_block;        /* without opting in  */
    uint32_t shared_bytes_per_block_opt_in;
    int priority_least, priority_greatest;  /* 0 and a negative number */
    int workers;                            /* simulator: threads that run work; else 0 */
} rill_device_info;

/* Devices have the numbers from 0 to *count - 1. */
RILL_API rill_status rill_device_count(rill_platform *platform, int *count);

/* What a device is: its name, memory, limits. */
RILL_API rill_status rill_device_get_info(rill_platform *platform, int device, rill_device_info *info);

/* Whether kernels of `device` can be allowed to reach the memory of `peer`. */
RILL_API rill_status rill_device_can_access_peer(rill_platform *platform, int device, int peer,
                                                 int *can);

/* ---- Contexts ----------------------------------------------------------- */

/* A context of the caller's own instead of the device's primary context. */
#define RILL_CONTEXT_OWN 0x1u

typedef struct rill_context_options {
    size_t size;
    int device;     /* ordinal */
    uint32_t flags; /* RILL_CONTEXT_* */
    const char *label;
    void *native;   /* NULL, or a context of the backend's own kind that somebody else
                       made: it is used and not ended.  CUDA: a CUcontext of `device` */
} rill_context_options;

/* By default the device's primary context, which all its users share: each
 * create is matched by one destroy, and the last one ends it.  NULL options:
 * the primary context of device 0. */
RILL_API rill_status rill_context_create(rill_platform *platform,
                                         const rill_context_options *options,
                                         rill_context **context);

/* Waits for the context's work and ends it.  Streams, events and modules made in
 * it are still destroyed by their owners; every other call on them returns
 * RILL_ERROR_CONTEXT_IS_DESTROYED.  Its memory is gone, but not that of pools. */
RILL_API rill_status rill_context_destroy(rill_context **context);

/* Waits for everything that was submitted to any stream of the context. */
RILL_API rill_status rill_context_synchronize(rill_context *context);

/* Where the context is: the number of its device, its platform. */
RILL_API rill_status rill_context_device(rill_context *context, int *device);
RILL_API rill_status rill_context_platform(rill_context *context, rill_platform **platform);

/* What error records call the context; copied, and NULL for its number alone.  What was
 * asked for stays readable as long as the context is. */
RILL_API rill_status rill_context_set_label(rill_context *context, const char *label);
RILL_API const char *rill_context_label(const rill_context *context);

/* RILL_SUCCESS while the context can be used; else the status that every call
 * on it returns, without disturbing the error record. */
RILL_API rill_status rill_context_status(rill_context *context);

/* The range of stream priorities; lower numbers are more urgent.  Either output
 * may be NULL. */
RILL_API rill_status rill_context_priority_range(rill_context *context, int *least, int *greatest);

/* Lets kernels of `context` reach the memory of `peer`, or no longer. */
RILL_API rill_status rill_context_enable_peer(rill_context *context, rill_context *peer);
RILL_API rill_status rill_context_disable_peer(rill_context *context, rill_context *peer);

RILL_END_DECLS

#endif
