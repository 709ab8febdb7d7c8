/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits are those of the driver, which has set up more than parameters by
 * the time when an exec is changed.
 */
#include "backend-sim/fit.h"

#include "backend-sim/address_map.h"
#include "backend-sim/graph_heap.h"
#include "backend-sim/kernel_task.h"

static bool no(struct misfit *misfit, rill_update_reason reason, const char *parameter,
               const char *why)
{
    *misfit = (struct misfit){ reason, parameter, why };
    return false;
}

/* ---- Kernels ------------------------------------------------------------------------ */

static bool same_attributes(const struct kernel_task *before, const struct kernel_task *after,
                            bool priorities, struct misfit *misfit)
{
    if (!sim_kernel_task_attribute(before, RILL_ATTRIBUTE_COOPERATIVE).cooperative !=
        !sim_kernel_task_attribute(after, RILL_ATTRIBUTE_COOPERATIVE).cooperative)
        return no(misfit, RILL_UPDATE_ATTRIBUTES_CHANGED, "attributes",
                  "whether its kernel is a cooperative one cannot change");
    if (priorities && sim_kernel_task_attribute(before, RILL_ATTRIBUTE_PRIORITY).priority !=
                          sim_kernel_task_attribute(after, RILL_ATTRIBUTE_PRIORITY).priority)
        return no(misfit, RILL_UPDATE_ATTRIBUTES_CHANGED, "attributes",
                  "its priority cannot change in an exec with RILL_EXEC_NODE_PRIORITY");
    return true;
}

static bool kernel_fits(const struct kernel_task *before, const struct kernel_task *after,
                        bool priorities, struct misfit *misfit)
{
    if (before->context != after->context)
        return no(misfit, RILL_UPDATE_UNSUPPORTED_FUNCTION_CHANGE, "kernel",
                  "its kernel is of another context than that of the exec");
    if (!before->attribute_count && !after->attribute_count) return true;
    return same_attributes(before, after, priorities, misfit);
}

/* ---- Memory --------------------------------------------------------------------------- */

static void look(struct sim_platform *platform, rill_devptr address, struct address_info *info)
{
    if (!sim_graph_memory_look(platform, address, info))
        sim_map_look(platform->map, address, info);
}

/* Whether two addresses are memory of the same owner; what was freed is nobody's. */
static bool same_owner(struct sim_platform *platform, rill_devptr before, rill_devptr after)
{
    struct address_info from, to;
    if (before == after) return true;
    look(platform, before, &from);
    look(platform, after, &to);
    if (!from.known || !to.known) return true;
    if (from.context && to.context) return from.context == to.context;
    return sim_address_is_host(&from) || sim_address_is_host(&to) || from.device == to.device;
}

static bool change_parameter(struct misfit *misfit, const char *parameter, const char *why)
{
    return no(misfit, RILL_UPDATE_PARAMETERS_CHANGED, parameter, why);
}

static const char *changed_shape(const rill_fill *before, const rill_fill *after)
{
    if (before->width != after->width) return "width";
    if (before->height != after->height) return "height";
    if (before->pitch != after->pitch) return "pitch";
    return before->element_bytes != after->element_bytes ? "element_bytes" : NULL;
}

static bool fill_fits(const rill_fill *before, const rill_fill *after,
                      struct sim_platform *platform, struct misfit *misfit)
{
    if (before->height == 1 && after->height != 1)
        return change_parameter(misfit, "height", "a fill of one row cannot become one of several");
    const char *changed = before->height == 1 ? NULL : changed_shape(before, after);
    if (changed)
        return change_parameter(misfit, changed,
                                "of a fill of several rows, only address and value can change");
    if (before->dst == after->dst) return true;
    if (!same_owner(platform, before->dst, after->dst))
        return change_parameter(misfit, "dst", "its memory cannot be that of another context");
    if (!sim_graph_memory_is_given_back(platform, after->dst)) return true;
    return no(misfit, RILL_UPDATE_ERROR, "dst", "it fills memory that its graph frees");
}

static bool is_flat(const rill_copy *copy)
{
    return copy->height == 1 && copy->depth == 1;
}

static bool same_place(const rill_place *before, const rill_place *after)
{
    return before->address == after->address && before->pitch == after->pitch &&
           before->rows == after->rows && before->x == after->x && before->y == after->y &&
           before->z == after->z;
}

static bool same_box(const rill_copy *before, const rill_copy *after)
{
    return before->width == after->width && before->height == after->height &&
           before->depth == after->depth && same_place(&before->dst, &after->dst) &&
           same_place(&before->src, &after->src);
}

/* What the operation says of a side counts, wherever it is: pinned memory that is
 * named by its address on the device is the device's.  Of a side that may be
 * anything, where it is. */
static bool is_host(struct sim_platform *platform, rill_devptr address)
{
    struct address_info info;
    look(platform, address, &info);
    return info.known ? sim_address_is_host(&info) : !info.in_window;
}

static bool same_kind(const rill_place *before, const rill_place *after,
                      struct sim_platform *platform)
{
    if (before->kind != after->kind) return false;
    if (before->kind != RILL_MEMORY_UNIFIED || before->address == after->address) return true;
    return is_host(platform, before->address) == is_host(platform, after->address);
}

static bool side_fits(const rill_place *before, const rill_place *after,
                      struct sim_platform *platform, const char *name, struct misfit *misfit)
{
    if (!same_kind(before, after, platform))
        return change_parameter(misfit, name, "its memory cannot be of another kind");
    if (same_owner(platform, before->address, after->address)) return true;
    return change_parameter(misfit, name, "its memory cannot be that of another context");
}

static bool copy_fits(const rill_copy *before, const rill_copy *after,
                      struct sim_platform *platform, struct misfit *misfit)
{
    if (is_flat(before) != is_flat(after))
        return change_parameter(misfit, "height",
                                "a copy of one row cannot become one of several, nor the contrary");
    if (!is_flat(before) && !same_box(before, after))
        return change_parameter(misfit, "height", "a copy of several rows cannot change");
    return side_fits(&before->dst, &after->dst, platform, "dst", misfit) &&
           side_fits(&before->src, &after->src, platform, "src", misfit);
}

/* ---- Batches of values -------------------------------------------------------------------- */

static bool values_fit(const struct values_task *before, const struct values_task *after,
                       struct misfit *misfit)
{
    if (before->count != after->count)
        return change_parameter(misfit, "count", "the number of its operations cannot change");
    for (uint32_t i = 0; i < before->count; i++)
        if (before->items[i].kind != after->items[i].kind)
            return change_parameter(misfit, "items", "the kind of its operations cannot change");
    return true;
}

/* ---- All kinds ------------------------------------------------------------------------------ */

bool sim_task_fits(const struct task *before, const struct task *after, bool priorities,
                   struct sim_platform *platform, struct misfit *misfit)
{
    rill_op old, new; /* the part of the kind alone is filled */
    switch ((int)before->kind->op) {
    case RILL_OP_KERNEL:
        return kernel_fits(sim_kernel_task_of(before), sim_kernel_task_of(after), priorities,
                           misfit);
    case RILL_OP_MEMSET:
        before->kind->read(before, &old);
        after->kind->read(after, &new);
        return fill_fits(&old.memset, &new.memset, platform, misfit);
    case RILL_OP_MEMCPY:
        before->kind->read(before, &old);
        after->kind->read(after, &new);
        return copy_fits(&old.memcpy, &new.memcpy, platform, misfit);
    case RILL_OP_VALUES:
        return values_fit((const struct values_task *)before, (const struct values_task *)after,
                          misfit);
    default:
        return true;
    }
}
