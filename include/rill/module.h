/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/module.h>: kernels.
 *
 * One image describes the same kernels for every backend: as code (PTX, cubin, fatbin)
 * and as C functions.  Each backend takes what it can run: a GPU takes the code; the
 * simulator takes a C function or, if there is none of that name, the PTX.
 */
#ifndef RILL_MODULE_H
#define RILL_MODULE_H

#include <rill/error.h>

RILL_BEGIN_DECLS

/* ---- C functions as kernels --------------------------------------------- */

struct rill_launch_calls; /* <rill/sim.h> */

/* What a C function sees of a launch. */
typedef struct rill_launch {
    rill_dim3 grid;         /* blocks                                           */
    rill_dim3 block;        /* threads of each block                            */
    rill_dim3 index;        /* of this block; zero for a function over the grid */
    void *shared;           /* this block's shared memory, 16-byte aligned      */
    size_t shared_bytes;
    const void *const *params; /* params[i] points at a copy of argument i      */
    size_t param_count;
    void *device;           /* the simulator's own; see <rill/sim.h>            */
    const struct rill_launch_calls *calls; /* what a kernel may call            */
} rill_launch;

/* Returns argument `i` of a launch, as `type`. */
#define RILL_ARGUMENT(launch, i, type) (*(type const *)(launch)->params[i])

/* Returns a pointer to the memory at a device address, for use in a simulated kernel. */
#define RILL_DEVICE_MEMORY(address, type) ((type *)(uintptr_t)(address))

typedef void (*rill_kernel_fn)(const rill_launch *launch);

typedef struct rill_param {
    uint16_t bytes;
    uint16_t alignment;
} rill_param;

#ifdef __cplusplus
#define RILL_PARAM(type) { (uint16_t)sizeof(type), (uint16_t)alignof(type) }
#else
#define RILL_PARAM(type) { (uint16_t)sizeof(type), (uint16_t)_Alignof(type) }
#endif

/* Exactly one of `over_grid` (called once for each launch) and `over_block` (called
 * once for each block) is set.  As on a GPU, a block must not count on any order among
 * blocks, nor wait for another block.  The simulator runs the blocks of a launch one
 * after the other, in one thread, since plain C that accumulates over blocks would be
 * wrong otherwise.  A function with RILL_FUNCTION_BLOCKS_AT_ONCE may have several of
 * its blocks run at once, each with its own shared memory. */
#define RILL_FUNCTION_BLOCKS_AT_ONCE 1u
typedef struct rill_function {
    const char *name;
    rill_kernel_fn over_grid;
    rill_kernel_fn over_block;
    const rill_param *params;
    size_t param_count;
    uint32_t static_shared_bytes;
    uint32_t max_threads; /* of a block; 0: the device's limit */
    uint32_t flags;       /* RILL_FUNCTION_*                   */
} rill_function;

/* ---- Modules ------------------------------------------------------------ */

typedef struct rill_image {
    size_t size;
    const void *code;    /* PTX text, cubin or fatbin; NULL: none        */
    size_t code_bytes;   /* 0: the code tells its own length             */
    const rill_function *functions;
    size_t function_count;
    const char *label;
    rill_module *managed_of; /* NULL, or a module that was loaded from the same code: its
                                managed variables are those of this one, too. On GPUs modules
                                cannot have that: RILL_ERROR_NOT_SUPPORTED. */
} rill_image;

/* Loads a module.  The image's code and tables are copied; its names and functions must
 * stay. */
RILL_API rill_status rill_module_load(rill_context *context, const rill_image *image,
                                      rill_module **module);

/* Unloads the module.  Launches that are still pending keep its code.  If it has variables, waits
 * for all work of the context, as rill_mem_free() does, since any of it may use them. */
RILL_API rill_status rill_module_unload(rill_module **module);

/* Returns the kernel of that name.  The kernel is borrowed: it belongs to the module. */
RILL_API rill_status rill_module_kernel(rill_module *module, const char *name,
                                        rill_kernel **kernel);

/* Returns how many kernels there are, or what a kernel is called. */
RILL_API rill_status rill_module_kernel_count(rill_module *module, size_t *count);
RILL_API const char *rill_kernel_name(const rill_kernel *kernel);

/* Finds a variable of the module's code: .global or .const in PTX, __device__ or
 * __constant__ in CUDA C++. The variable lies in the memory of the context's device
 * until the module is unloaded.  It is memory like any other, except that it cannot be
 * freed.  `bytes` may be NULL.  The name of a kernel gives RILL_ERROR_INVALID_VALUE;
 * any other name that the module does not have gives RILL_ERROR_NOT_FOUND. */
RILL_API rill_status rill_module_variable(rill_module *module, const char *name,
                                          rill_devptr *address, size_t *bytes);

/* Returns where parameter `index` lies in a packed argument buffer. */
RILL_API rill_status rill_kernel_param(rill_kernel *kernel, size_t index, size_t *offset,
                                       size_t *bytes);

/* The numbers are the driver's. */
typedef enum rill_kernel_attribute {
    RILL_KERNEL_MAX_THREADS_PER_BLOCK = 0,
    RILL_KERNEL_SHARED_BYTES = 1,
    RILL_KERNEL_CONST_BYTES = 2,
    RILL_KERNEL_LOCAL_BYTES = 3,
    RILL_KERNEL_REGISTERS = 4,
    RILL_KERNEL_PTX_VERSION = 5,
    RILL_KERNEL_BINARY_VERSION = 6,
    RILL_KERNEL_CACHE_MODE_CA = 7,
    RILL_KERNEL_MAX_DYNAMIC_SHARED_BYTES = 8,   /* can be set */
    RILL_KERNEL_SHARED_CARVEOUT = 9             /* can be set: -1 to 100 */
} rill_kernel_attribute;

/* Returns what the kernel needs, or sets one of the few attributes that can be set. */
RILL_API rill_status rill_kernel_get_attribute(rill_kernel *kernel, rill_kernel_attribute attribute,
                                               int *value);
RILL_API rill_status rill_kernel_set_attribute(rill_kernel *kernel, rill_kernel_attribute attribute,
                                               int value);

RILL_END_DECLS

#endif
