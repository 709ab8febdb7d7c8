/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and kernels of the simulator: C functions with the layout of their
 * parameters.  The code outlives its module while launches of it are pending.
 */
#ifndef SIM_MODULE_H
#define SIM_MODULE_H

#include "backend-sim/guard/call_guard.h"

struct sim_code;
struct ptx_kernel;

struct sim_function {
    struct sim_code *code;
    const char *name;
    rill_kernel_fn over_grid, over_block; /* both NULL for a kernel of PTX */
    const struct ptx_kernel *ptx;
    const char *unsupported;    /* why a kernel of PTX cannot run, or NULL    */
    uint32_t required[3];       /* the only block it may have; 0 for any block */
    uint32_t cluster[3];        /* the only cluster, likewise                 */
    uint32_t param_count;
    uint32_t buffer_bytes;      /* of packed arguments                  */
    uint32_t stored_bytes;      /* of these as launches keep them, with what is bound to
                                   references                           */
    uint32_t alignment;         /* the largest of any parameter         */
    const rill_param *params;   /* owned by the code                    */
    const uint32_t *offsets;    /* in packed arguments; owned likewise  */
    uint32_t static_shared;
    uint32_t max_threads;
    bool blocks_at_once;        /* blocks of a launch may run at once   */
    atomic_uint block_ns;       /* duration of a block, see grid.h      */
    atomic_int dynamic_shared;  /* the most a launch may ask for        */
    atomic_int carveout;
    atomic_bool told_beyond;    /* that it touched what is behind an allocation */
    rill_kernel *_Atomic handle; /* NULL before it is asked for, and after the module */
};

/* The private bytes of a rill_module and of a rill_kernel. */
struct sim_module {
    struct sim_context *context;
    struct sim_code *code;
};

struct sim_kernel {
    struct sim_context *context;
    struct sim_function *function;
};

static inline struct sim_kernel *sim_kernel_of(const rill_kernel *kernel)
{
    return rill_private(kernel);
}

/* Tells whether a kernel waits by itself for the kernel before it. */
int sim_kernel_awaits(const rill_kernel *kernel);

void sim_code_retain(struct sim_code *code);
void sim_code_release(struct sim_code *code);

/* What all devices allow. */
#define SIM_SHARED_BYTES 49152
#define SIM_THREADS_MAX 1024
#define SIM_BLOCK_Z_MAX 64
#define SIM_GRID_YZ_MAX 65535
#define SIM_GRID_X_MAX 2147483647

extern const struct rill_module_ops sim_module_ops;

#endif
