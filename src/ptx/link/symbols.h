/* SPDX-License-Identifier: Apache-2.0
 *
 * A linker while it links, shared by the files of this room.
 */
#ifndef PTX_LINK_SYMBOLS_H
#define PTX_LINK_SYMBOLS_H

#include "ptx/link/linker.h"

struct link_input {
    struct ptx_module *module;
    const char *name;
    /* By the module's numbers; PTX_NONE if private to the module, or never used. */
    uint32_t *function_symbols, *variable_symbols;
    /* In the merged module; PTX_NONE if not there, or not yet. */
    uint32_t *function_places, *variable_places;
    uint8_t *used; /* functions that a body or a value names */
};

/* A name that all inputs share, and its definition or declaration so far. */
struct link_symbol {
    const char *name;
    bool function;
    bool local;          /* a kernel that is not visible: only its module and programs know it.
                            Of several in the inputs the first is kept, since programs ask by
                            name */
    uint32_t input, index;
    uint32_t alignment;  /* the widest that was asked for */
};

struct ptx_linker {
    struct ptx_arena *arena; /* of all inputs, and in the end of the whole */
    struct link_input *inputs;
    uint32_t input_count, input_room;
    struct link_symbol *symbols;
    uint32_t symbol_count, symbol_room;
    uint32_t *slots;         /* of symbols, with open addresses: a number and one more */
    uint32_t slot_room;      /* a power of two */
    uint64_t seed;
};

/* Notes why, with the names of the inputs. */
rill_status ptx_link_refuse(struct ptx_refusal *refusal, const struct ptx_place *place,
                            const char *format, ...) __attribute__((format(printf, 3, 4)));
rill_status ptx_link_no_memory(struct ptx_refusal *refusal);

/* Returns PTX_NONE if there is no such symbol. */
uint32_t ptx_link_find(const struct ptx_linker *linker, const char *name, bool local);

/* Visits every place in a body, or in the initial value of a variable, that holds the number
 * of a function or of a variable of the module. */
typedef bool link_visit(void *data, bool function, uint32_t *index);
bool ptx_link_each_in_body(const struct ptx_function *function, link_visit *visit, void *data);
bool ptx_link_each_in_value(const struct ptx_variable *variable, link_visit *visit, void *data);

/* ---- Which definition stands --------------------------------------------------------- */

static inline struct ptx_variable *link_variable(const struct ptx_linker *linker,
                                                 const struct link_symbol *symbol)
{
    return &linker->inputs[symbol->input].module->variables[symbol->index];
}

static inline struct ptx_function *link_function(const struct ptx_linker *linker,
                                                 const struct link_symbol *symbol)
{
    return &linker->inputs[symbol->input].module->functions[symbol->index];
}

/* Returns true if other modules can mean it. */
static inline bool link_is_shared(const struct ptx_variable *variable)
{
    return variable->visible || variable->weak || variable->common || variable->external;
}

/* Returns true for a declaration, too, which means another module's function as well. */
static inline bool link_is_shared_function(const struct ptx_function *function)
{
    return function->visible || function->weak || function->external;
}

/* Why two of one name do not fit. */
struct link_clash {
    rill_status status;
    const char *wrong; /* as it continues after the name */
};

/* Returns NULL if they fit. */
const struct link_clash *ptx_link_variables_clash(const struct ptx_variable *held,
                                                  const struct ptx_variable *now);
const struct link_clash *ptx_link_functions_clash(const struct ptx_function *held,
                                                  const struct ptx_function *now);

/* Return true if the later one takes the place of the earlier one. */
bool ptx_link_variable_yields(const struct ptx_variable *held, const struct ptx_variable *now);
bool ptx_link_function_yields(const struct ptx_function *held, const struct ptx_function *now);

#endif
