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

/* The device that has memory at an address; -1: the host. */
static int home_of(struct sim_platform *platform, rill_devptr address)
{
    struct address_info info;
    if (!sim_graph_memory_look(platform, address, &info))
        sim_map_look(platform->map, address, &info);
    return info.known && !sim_address_is_host(&info) ? info.device : -1;
}

static bool same_home(struct sim_platform *platform, rill_devptr before, rill_devptr after)
{
    return before == after || home_of(platform, before) == home_of(platform, after);
}

static bool change_parameter(struct misfit *misfit, const char *parameter, const char *why)
{
    return no(misfit, RILL_UPDATE_PARAMETERS_CHANGED, parameter, why);
}

static bool fill_fits(const rill_fill *before, const rill_fill *after,
                      struct sim_platform *platform, struct misfit *misfit)
{
    if (before->height == 1 && after->height != 1)
        return change_parameter(misfit, "height", "a fill of one row cannot become one of several");
    if (before->height > 1 &&
        (before->width != after->width || before->height != after->height ||
         before->pitch != after->pitch || before->element_bytes != after->element_bytes))
        return change_parameter(misfit,
                                before->width != after->width     ? "width"
                                : before->height != after->height ? "height"
                                : before->pitch != after->pitch   ? "pitch"
                                                                  : "element_bytes",
                                "of a fill of several rows, only address and value can change");
    if (!same_home(platform, before->dst, after->dst))
        return change_parameter(misfit, "dst", "its memory cannot be on another device");
    return true;
}

static bool is_flat(const rill_copy *copy)
{
    return copy->height == 1 && copy->depth == 1;
}

static bool same_box(const rill_copy *before, const rill_copy *after)
{
    return before->width == after->width && before->height == after->height &&
           before->depth == after->depth && before->dst.pitch == after->dst.pitch &&
           before->src.pitch == after->src.pitch && before->dst.rows == after->dst.rows &&
           before->src.rows == after->src.rows;
}

static bool side_fits(const rill_place *before, const rill_place *after,
                      struct sim_platform *platform, const char *name, struct misfit *misfit)
{
    if (before->kind == after->kind && same_home(platform, before->address, after->address))
        return true;
    return change_parameter(misfit, name,
                            "its memory cannot be of another kind or on another device");
}

static bool copy_fits(const rill_copy *before, const rill_copy *after,
                      struct sim_platform *platform, struct misfit *misfit)
{
    if (is_flat(before) != is_flat(after))
        return change_parameter(misfit, "height",
                                "a copy of one row cannot become one of several, nor the contrary");
    if (!is_flat(before) && !same_box(before, after))
        return change_parameter(misfit, "width",
                                "of a copy of several rows, only the addresses can change");
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
    switch ((int)before->type->kind) {
    case RILL_OP_KERNEL:
        return kernel_fits(sim_kernel_task_of(before), sim_kernel_task_of(after), priorities,
                           misfit);
    case RILL_OP_MEMSET:
        before->type->read(before, &old);
        after->type->read(after, &new);
        return fill_fits(&old.memset, &new.memset, platform, misfit);
    case RILL_OP_MEMCPY:
        before->type->read(before, &old);
        after->type->read(after, &new);
        return copy_fits(&old.memcpy, &new.memcpy, platform, misfit);
    case RILL_OP_VALUES:
        return values_fit((const struct values_task *)before, (const struct values_task *)after,
                          misfit);
    default:
        return true;
    }
}
