/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a module: C functions, and the PTX of its image without the kernels that
 * have a C function.
 *
 * Code outlives its module while launches of it are pending, and so does the memory of
 * its variables.
 */
#ifndef SIM_CODE_H
#define SIM_CODE_H

#include "backend-sim/kernel/module.h"
#include "backend-sim/memory/address_map.h"
#include "ptx/text/module.h"
#include "ptx/ptx.h"

/* A variable of the PTX, in memory of the device. */
struct sim_variable {
    struct allocation allocation; /* in the map while the code is there     */
    uint32_t index;               /* among the text's variables             */
};

struct sim_code {
    atomic_uint references;
    struct rl_lock lock;
    rill_kernel **kernels;        /* handles, made on demand; lock            */
    struct sim_context *context;  /* NULL once the module is gone; lock       */
    uint64_t context_id;          /* of that context; fixed, as the rest is   */
    struct sim_device *device;
    struct ptx_module *text;      /* NULL without PTX                         */
    struct ptx_code *ptx;
    struct sim_variable *variables;
    uint32_t variable_count;
    struct extent *extent;        /* of the device's heap; for all variables  */
    atomic_uint_least64_t *bound; /* handles, by the numbers of references: what launches take
                                     along when they are submitted            */
    struct sim_code *lender;      /* has the managed variables, of the same text, or is NULL;
                                     it is kept                               */
    size_t count;
    struct sim_function functions[];
};

/* Notes that memory is short.  Returns RILL_ERROR_OUT_OF_MEMORY. */
rill_status sim_code_no_memory(void);

/* Makes the code of an image that the core has checked.  Fails with a note. */
rill_status sim_code_make(struct sim_context *context, const rill_image *image,
                          struct sim_code **code);

/* ---- Variables ----------------------------------------------------------------------- */

/* Lets the code have the managed variables of other code.  Fails with a note, and changes
 * nothing, if that is not of the same text. */
rill_status sim_variables_borrow(struct sim_code *code, struct sim_code *lender);

/* Allocates the variables that the text defines, without their initial values. */
rill_status sim_variables_make(struct sim_code *code);
void sim_variables_end(struct sim_code *code);

/* Writes their initial values, once the text is compiled. */
void sim_variables_fill(struct sim_code *code);

/* Returns the address of one of the text's variables, or 0 if the text does not define it. */
uint64_t sim_variable_address(const struct sim_code *code, uint32_t index);

/* Returns the variable of that name, or NULL. */
const struct sim_variable *sim_variable_find(const struct sim_code *code, const char *name);

/* Returns where the handle is kept that is bound to a reference of that name, a surface's or a
 * texture's; NULL if there is none. */
atomic_uint_least64_t *sim_reference_find(const struct sim_code *code, const char *name,
                                          bool surface);

/* Returns how many bytes of them are in constant memory. */
uint64_t sim_variables_constant(const struct sim_code *code);

#endif
