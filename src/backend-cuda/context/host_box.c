/* SPDX-License-Identifier: Apache-2.0
 *
 * The boxes of host functions that a context holds.
 */
#include "backend-cuda/context/host_box.h"

#include "base/alloc.h"

struct cuda_box *cuda_make_box(struct cuda_context *context, const rill_host_op *op)
{
    struct cuda_box *box = rl_zalloc(sizeof *box);
    if (!box) return NULL;
    box->context = context;
    box->fn = op->fn;
    box->data = op->data;
    box->destroy = op->destroy;
    return box;
}

void cuda_list_box(struct cuda_box *box)
{
    struct cuda_context *context = box->context;
    rl_lock(&context->boxes_lock);
    box->next = context->boxes;
    box->link = &context->boxes;
    if (box->next) box->next->link = &box->next;
    context->boxes = box;
    rl_unlock(&context->boxes_lock);
}

/* Requires context->boxes_lock. */
static bool unlist_box(struct cuda_box *box)
{
    if (!box->link) return false;
    *box->link = box->next;
    if (box->next) box->next->link = box->link;
    box->link = NULL;
    return true;
}

bool cuda_take_box(struct cuda_box *box)
{
    struct cuda_context *context = box->context;
    rl_lock(&context->boxes_lock);
    bool ours = unlist_box(box);
    rl_unlock(&context->boxes_lock);
    return ours;
}

/* Gives the data of a box back that the driver will not run.  The box itself stays until
 * the context ends, in case the driver runs it all the same. */
static void give_up_box(struct cuda_box *box)
{
    struct cuda_context *context = box->context;
    if (box->destroy) box->destroy(box->data);
    rl_lock(&context->boxes_lock);
    box->next = context->spent;
    context->spent = box;
    rl_unlock(&context->boxes_lock);
}

/* Takes the oldest box off the list, which has the youngest in front.  Leaves callbacks,
 * but for `all`. */
static struct cuda_box *take_oldest_box(struct cuda_context *context, bool all)
{
    struct cuda_box *oldest = NULL;
    rl_lock(&context->boxes_lock);
    for (struct cuda_box *box = context->boxes; box; box = box->next)
        if (all || !box->callback) oldest = box;
    if (oldest) unlist_box(oldest);
    rl_unlock(&context->boxes_lock);
    return oldest;
}

void cuda_give_up_boxes(struct cuda_context *context)
{
    struct cuda_box *box;
    while ((box = take_oldest_box(context, false))) give_up_box(box);
}

void cuda_end_boxes(struct cuda_context *context)
{
    struct cuda_box *left;
    while ((left = take_oldest_box(context, true))) give_up_box(left);
    while (context->spent) {
        struct cuda_box *box = context->spent;
        context->spent = box->next;
        rl_free(box);
    }
}
