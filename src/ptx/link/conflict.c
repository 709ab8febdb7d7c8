/* SPDX-License-Identifier: Apache-2.0
 *
 * Two modules have the same name: whether they can mean the same, and which one stands.
 */
#include "ptx/link/symbols.h"

/* The statuses are those of an H200's driver (580): of all conflicts, one has a status of its
 * own. */
static const struct link_clash
    twice = { RILL_ERROR_INVALID_SOURCE, "is defined twice" },
    other_space = { RILL_ERROR_INVALID_SOURCE, "is in another space" },
    other_size = { RILL_ERROR_INVALID_SOURCE, "has another size" },
    other_lists = { RILL_ERROR_INVALID_SOURCE, "has other parameters or results" },
    one_kernel = { RILL_ERROR_INVALID_SOURCE, "is a kernel in one of them alone" },
    cut = { RILL_ERROR_UNKNOWN, "is larger as a .common variable than where it has a value" };

/* ---- Variables ------------------------------------------------------------------------- */

enum { DECLARED, COMMON, WEAK, VISIBLE };

static int rank_of(const struct ptx_variable *variable)
{
    return variable->external ? DECLARED
         : variable->common   ? COMMON
         : variable->weak     ? WEAK
                              : VISIBLE;
}

static bool has_value(const struct ptx_variable *variable)
{
    return variable->initial_bytes || variable->link_count;
}

static const struct link_clash *commons_clash(const struct ptx_variable *a,
                                              const struct ptx_variable *b)
{
    if (has_value(a) && has_value(b)) return &twice;
    if (has_value(a) && b->bytes > a->bytes) return &cut;
    return has_value(b) && a->bytes > b->bytes ? &cut : NULL;
}

static const struct link_clash *sizes_clash(const struct ptx_variable *held,
                                            const struct ptx_variable *now)
{
    int before = rank_of(held), after = rank_of(now);
    if (held->bytes == now->bytes) return NULL;
    if ((!before && !held->bytes) || (!after && !now->bytes)) return NULL;
    if (before == COMMON && after > COMMON && held->bytes < now->bytes) return NULL;
    if (after == COMMON && before > COMMON && now->bytes < held->bytes) return NULL;
    return &other_size;
}

const struct link_clash *ptx_link_variables_clash(const struct ptx_variable *held,
                                                  const struct ptx_variable *now)
{
    int before = rank_of(held), after = rank_of(now);
    if (held->space != now->space) return &other_space;
    if (before == COMMON && after == COMMON) return commons_clash(held, now);
    const struct link_clash *sizes = sizes_clash(held, now);
    return sizes ? sizes : before == VISIBLE && after == VISIBLE ? &twice : NULL;
}

bool ptx_link_variable_yields(const struct ptx_variable *held, const struct ptx_variable *now)
{
    int before = rank_of(held), after = rank_of(now);
    if (before != COMMON || after != COMMON) return after > before;
    return now->bytes > held->bytes || (now->bytes == held->bytes && has_value(now));
}

/* ---- Functions ------------------------------------------------------------------------- */

/* Returns true for types that are passed in another kind of register. */
static bool is_floating(enum ptx_type type)
{
    return type == PTX_F32 || type == PTX_F64;
}

static bool are_parameters_alike(const struct ptx_variable *a, const struct ptx_variable *b)
{
    if (a->bytes != b->bytes) return false;
    bool array_a = ptx_type_bytes(a->type) != a->bytes;
    bool array_b = ptx_type_bytes(b->type) != b->bytes;
    return array_a == array_b && (array_a || is_floating(a->type) == is_floating(b->type));
}

static bool lists_are_alike(const struct ptx_function *a, const uint32_t *in_a, uint32_t count_a,
                            const struct ptx_function *b, const uint32_t *in_b, uint32_t count_b)
{
    if (count_a != count_b) return false;
    for (uint32_t i = 0; i < count_a; i++)
        if (!are_parameters_alike(&a->variables[in_a[i]], &b->variables[in_b[i]])) return false;
    return true;
}

const struct link_clash *ptx_link_functions_clash(const struct ptx_function *held,
                                                  const struct ptx_function *now)
{
    if (held->entry != now->entry) return &one_kernel;
    if (held->defined && now->defined && !held->weak && !now->weak) return &twice;
    if (lists_are_alike(held, held->params, held->param_count, now, now->params,
                        now->param_count) &&
        lists_are_alike(held, held->results, held->result_count, now, now->results,
                        now->result_count))
        return NULL;
    return &other_lists;
}

bool ptx_link_function_yields(const struct ptx_function *held, const struct ptx_function *now)
{
    if (!now->defined) return false;
    return !held->defined || (held->weak && !now->weak);
}
