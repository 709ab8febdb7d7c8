/* SPDX-License-Identifier: Apache-2.0
 *
 * Running PTX on the CPU: what the simulator needs to know of it.
 *
 *     text --ptx_read()--> module --ptx_compile()--> code --ptx_grid_open()--> grid
 *
 * A module is what the text says (text/module.h).  Code is what runs: every function of it
 * verified, its instructions as calls over the lanes of a bundle (run/program.h,
 * run/machine.h).  A grid is one launch; any number of threads may run blocks of it at the
 * same time.
 *
 * Correct PTX that this machine does not support (tensor cores, textures, ...) concerns the
 * function that has it, and the kernels that may call it: they are verified and cannot run.
 *
 * Nothing here knows of streams, contexts or handles.  What a kernel can reach, and
 * what it wants from outside, goes through a struct of functions, so that the tests
 * run kernels without a device.
 */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rill/status.h>

struct ptx_module;
struct ptx_code;
struct ptx_kernel;
struct ptx_grid;
struct ptx_function;
struct rl_footprint; /* base/bytes/footprint.h */
struct ptx_findings; /* ptx/check/findings.h */
struct ptx_children; /* ptx/builtin/children.h */

/* Why a text or a module is refused: one sentence with line, column and what stands there. */
struct ptx_refusal {
    rill_status status;
    uint32_t line, column;
    char message[320];
};

/* Limits for a text; 0 stands for the default. */
struct ptx_limits {
    uint32_t version;       /* the newest PTX that is understood, 90 for 9.0        */
    size_t text_bytes;      /* of a module's text                                  */
    size_t module_bytes;    /* of memory that a module may take once it is read    */
    uint32_t registers;     /* of a function                                       */
    uint32_t depth;         /* of calls inside calls, when it runs                 */
    uint64_t steps;         /* instructions that a thread of a grid may run; no limit if 0 */
};

/* Returns the limits with the defaults filled in, and lowered to what is possible.  NULL
 * stands for all defaults. */
struct ptx_limits ptx_limits_of(const struct ptx_limits *given);

/* ---- Code ------------------------------------------------------------------------- */

/* Where a module's variables lie; asked once for each. */
struct ptx_linkage {
    void *data;
    /* Returns the address of a variable in .global or .const, which the caller has allocated. */
    uint64_t (*variable)(void *data, uint32_t index);
    /* Returns true if a kernel has another implementation: it is not compiled then. */
    bool (*replaced)(void *data, const char *kernel);
};

/* Compiles a module.  Returns RILL_ERROR_NOT_SUPPORTED if it has kernels, none of them can
 * run, and none was replaced. */
rill_status ptx_compile(const struct ptx_module *module, const struct ptx_linkage *linkage,
                        const struct ptx_limits *limits, struct ptx_code **code,
                        struct ptx_refusal *refusal);
/* Lists the kernels and their parameters only: nothing is compiled, and none can run. */
rill_status ptx_list_kernels(const struct ptx_module *module, struct ptx_code **code,
                             struct ptx_refusal *refusal);

void ptx_code_free(struct ptx_code *code);

/* Returns NULL if there is no such kernel, or it was replaced. */
const struct ptx_kernel *ptx_code_kernel(const struct ptx_code *code, const char *name);

/* Writes the initial value of a variable, addresses included, to `bytes`, which has its size. */
void ptx_code_initial(const struct ptx_code *code, uint32_t variable, unsigned char *bytes);

struct ptx_kernel_facts {
    uint32_t param_bytes, param_count;
    uint32_t reference_count, references_at; /* handles of 8 bytes that follow the packed
                                    parameters: what is bound to the references of the module */
    uint32_t static_shared, local_bytes, registers;
    uint32_t max_threads, required[3], cluster[3];
    bool awaits_grid; /* it has griddepcontrol.wait, or may call a function that has it */
};

void ptx_kernel_facts(const struct ptx_kernel *kernel, struct ptx_kernel_facts *facts);

/* Returns where parameter `index` lies in the packed parameters. */
uint32_t ptx_kernel_param(const struct ptx_kernel *kernel, uint32_t index);

/* Returns why a kernel cannot run, in one sentence with its name, the line and what stands
 * there, or NULL if it can. */
const char *ptx_kernel_unsupported(const struct ptx_kernel *kernel);

/* ---- What a kernel reaches ---------------------------------------------------------- */

/* An allocation, valid as long as *changes keeps its value. */
struct ptx_extent {
    uint64_t base, end;
    unsigned char *host; /* where the engine reaches the byte at `base`; mostly there */
    bool read_only;
    bool constant;      /* a .const variable, which kernels may write by its address */
};

struct ptx_host {
    void *data;
    /* Finds the allocation around an address that the launch may reach; returns false if
     * there is none. */
    bool (*find)(void *data, uint64_t address, struct ptx_extent *extent);
    /* Explains why there is none, in words that follow "which is" in messages. */
    void (*explain)(void *data, uint64_t address, char *words, size_t room);
    /* Changes whenever an allocation goes away; read with acquire. */
    const _Atomic uint_least64_t *changes;
    uint64_t (*allocate)(void *data, uint64_t bytes); /* malloc(); 0 without memory */
    bool (*release)(void *data, uint64_t address);
    void (*print)(void *data, const char *text, size_t bytes); /* printf() of a kernel */
    void (*set_conditional)(void *data, uint64_t handle, uint32_t value);
    const struct ptx_children *children; /* runs kernels that kernels launch, or is NULL    */
    uint64_t (*now)(void *data);                      /* %globaltimer, in ns           */
    /* Returns memory of ptx_spare_bytes() for the launch, on a boundary of 64 and until it ends,
     * or NULL if there is none.  Asked once, if memory is short while the kernel runs. */
    void *(*reserve)(void *data);
    void (*pause)(void *data); /* what goes on meanwhile; for launches with `pauses` */
};

/* ---- Running ------------------------------------------------------------------------ */

/* How a launch failed: the first thing that went wrong. */
struct ptx_fault {
    _Atomic int status;     /* a rill_status, or 0 if nothing failed                   */
    uint32_t line;          /* of the PTX, in its text                                 */
    uint32_t thread[3], block[3];
    uint64_t address;       /* of an access; else 0                                    */
    char message[400];      /* with kernel, line of the source or the PTX, thread, block
                               and address                                             */
};

/* What a launch is checked for. */
#define PTX_CHECK_RACES 1u     /* for shared memory, between threads of a block or cluster    */
#define PTX_CHECK_GLOBAL 2u    /* races for global memory, between all threads                */
#define PTX_CHECK_INIT 4u      /* loads of shared and local memory that nothing has written   */
#define PTX_CHECK_BARRIERS 8u  /* barriers that are not met as they must be                   */
#define PTX_CHECK_ALL 15u

struct ptx_launch {
    uint32_t grid[3], block[3], cluster[3];
    uint32_t dynamic_shared;
    const void *params;     /* packed, as the kernel lays them out, with the handles that
                               are bound to references behind them; copied             */
    uint64_t grid_id;       /* %gridid                                                 */
    uint32_t processors;    /* %nsmid; 0 for that of an H200                            */
    uint32_t threads;       /* that may run blocks, at most; 0 if that is not known     */
    bool cooperative;       /* all blocks must be able to wait for each other, and have a
                               barrier of the grid                                     */
    uint64_t block_order;   /* in which blocks begin (base/shuffle.h), as far as blocks that
                               wait for each other have room; 0 for that of their numbers */
    bool pauses;            /* has host->pause() called before its first store         */
    uint32_t checks;        /* PTX_CHECK_*                                             */
    struct ptx_findings *findings; /* receives what they find; NULL: the launch fails with
                               the first of it                                         */
    uint64_t steps;         /* that a thread may run; 0 for the limit of the code      */
    const struct ptx_host *host;
    struct ptx_fault *fault; /* zeroed by the caller                                   */
    struct rl_footprint *footprint; /* receives what is touched of global memory, once the
                               grid is done; NULL if nobody wants to know it           */
};

/* Makes a grid of a supported kernel in the caller's memory of ptx_grid_bytes(), on a
 * boundary of 64.  That memory is enough to begin, and also to end unless the kernel calls
 * functions or diverges while no more memory is left.  With ptx_spare_bytes() more, which
 * host->reserve() gives out then, it is enough for that, too, unless functions recurse, or
 * threads wait for others inside of functions that they call at different times.  The sizes
 * depend on the numbers of the launch only. */
size_t ptx_grid_bytes(const struct ptx_kernel *kernel, const struct ptx_launch *launch);
size_t ptx_spare_bytes(const struct ptx_kernel *kernel, const struct ptx_launch *launch);
struct ptx_grid *ptx_grid_place(const struct ptx_kernel *kernel, const struct ptx_launch *launch,
                                void *memory);

/* Does the same in memory of its own. */
rill_status ptx_grid_open(const struct ptx_kernel *kernel, const struct ptx_launch *launch,
                          struct ptx_grid **grid);

/* Runs blocks of the grid in the calling thread until all have begun; any number of threads
 * may call it at once.  Returns true to exactly one of them, the last, when the grid is done. */
bool ptx_grid_run(struct ptx_grid *grid);

/* Returns true if another thread would find a block to run. */
bool ptx_grid_has_more(const struct ptx_grid *grid);

void ptx_grid_close(struct ptx_grid *grid);

#endif
