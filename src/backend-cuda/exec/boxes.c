/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions that an exec was given by itself, with a `destroy`.
 *
 * The driver keeps the functions of a graph's host nodes for every exec of the graph and for
 * launches in flight.  It keeps nothing for a function that is set in an exec, so that is done
 * here.  After each launch of an exec that has such functions an event is recorded.  A function
 * that is replaced, or whose exec goes, is given back when the event has come: at once, at a
 * later call on execs of the context, or at the latest when the context ends.
 */
#include "backend-cuda/exec/boxes.h"

#include "backend-cuda/kind/host.h"
#include "base/alloc.h"

struct cuda_own_box {
    struct cuda_own_box *next; /* of the exec's, or of those of the context that wait to be
                                  given back */
    struct cuda_box *box;
    CUgraphNode node;           /* while the exec has it */
    struct cuda_finish *finish; /* while it waits        */
};

/* The end of a launch.  It is referred to by the exec, and by each function that waits for
 * it. */
struct cuda_finish {
    CUevent event;
    bool untold;         /* a launch has no event: its end is known when the context ends */
    unsigned references; /* the context's retired_lock */
};

struct cuda_own_box *cuda_make_own_box(void)
{
    return rl_zalloc(sizeof(struct cuda_own_box));
}

/* ---- Ends of launches ------------------------------------------------------------ */

/* Captures forbid this question, which their threads have not asked. */
static bool launch_ended(const struct cuda_finish *finish)
{
    if (!finish) return true;
    if (finish->untold) return false;
    CUstreamCaptureMode mode = cuda_relax();
    CUresult result = cuda_api.EventQuery(finish->event);
    cuda_restore_mode(mode);
    return result != CUDA_ERROR_NOT_READY;
}

/* Requires context->retired_lock. */
static void release_finish(struct cuda_finish *finish)
{
    if (!finish || --finish->references) return;
    cuda_api.EventDestroy(finish->event);
    rl_free(finish);
}

static void unlock_and_release(struct cuda_context *context, struct cuda_finish *finish)
{
    rl_lock(&context->retired_lock);
    release_finish(finish);
    rl_unlock(&context->retired_lock);
}

static rill_status make_finish(struct cuda_exec *exec)
{
    struct cuda_visit visit;
    struct cuda_finish *finish = rl_zalloc(sizeof *finish);
    if (!finish) return RILL_ERROR_OUT_OF_MEMORY;
    rill_status status = cuda_enter(exec->context, &visit);
    if (!status) {
        status = cuda_end(cuda_api.EventCreate(&finish->event, CU_EVENT_DISABLE_TIMING),
                          "cuEventCreate");
        cuda_leave(&visit);
    }
    if (status) {
        rl_free(finish);
        return status;
    }
    finish->references = 1;
    exec->finish = finish;
    return RILL_SUCCESS;
}

/* ---- Giving back ----------------------------------------------------------------- */

static void give_back_boxes(struct cuda_own_box *own)
{
    while (own) {
        struct cuda_own_box *next = own->next;
        cuda_box_drop(own->box);
        rl_free(own);
        own = next;
    }
}

/* Takes the functions off the context's list whose launch is over, or all. */
static struct cuda_own_box *take_retired(struct cuda_context *context, bool all)
{
    struct cuda_own_box *taken = NULL, **link = &context->retired;
    rl_lock(&context->retired_lock);
    while (*link) {
        struct cuda_own_box *own = *link;
        if (!all && !launch_ended(own->finish)) {
            link = &own->next;
            continue;
        }
        *link = own->next;
        release_finish(own->finish);
        own->next = taken;
        taken = own;
    }
    rl_unlock(&context->retired_lock);
    return taken;
}

static void sweep_retired(struct cuda_context *context)
{
    give_back_boxes(take_retired(context, false));
}

void cuda_end_retired(struct cuda_context *context)
{
    give_back_boxes(take_retired(context, true));
}

/* Gives back a function that no launch will run any more, now or later. */
static void retire_box(struct cuda_exec *exec, struct cuda_own_box *own)
{
    struct cuda_context *context = exec->context;
    own->next = NULL;
    if (launch_ended(exec->finish)) {
        give_back_boxes(own);
        return;
    }
    rl_lock(&context->retired_lock);
    own->finish = exec->finish;
    own->finish->references++;
    own->next = context->retired;
    context->retired = own;
    rl_unlock(&context->retired_lock);
}

/* ---- The functions of an exec ---------------------------------------------------- */

static struct cuda_own_box *take_box_of_node(struct cuda_exec *exec, CUgraphNode node)
{
    struct cuda_own_box **link = &exec->boxes;
    while (*link && (*link)->node != node) link = &(*link)->next;
    struct cuda_own_box *own = *link;
    if (own) *link = own->next;
    return own;
}

void cuda_exec_own(struct cuda_exec *exec, CUgraphNode node, struct cuda_own_box *own,
                   struct cuda_box *box)
{
    struct cuda_own_box *before = take_box_of_node(exec, node);
    if (box) {
        own->box = box;
        own->node = node;
        own->next = exec->boxes;
        exec->boxes = own;
    } else {
        rl_free(own);
    }
    if (before) retire_box(exec, before);
    sweep_retired(exec->context);
}

void cuda_exec_disown_all(struct cuda_exec *exec)
{
    while (exec->boxes) {
        struct cuda_own_box *own = exec->boxes;
        exec->boxes = own->next;
        retire_box(exec, own);
    }
    if (exec->finish) unlock_and_release(exec->context, exec->finish);
    exec->finish = NULL;
    sweep_retired(exec->context);
}

/* ---- Launches -------------------------------------------------------------------- */

static bool finish_is_shared(const struct cuda_exec *exec)
{
    rl_lock(&exec->context->retired_lock);
    bool shared = exec->finish->references > 1;
    rl_unlock(&exec->context->retired_lock);
    return shared;
}

/* A launch that is captured becomes part of the graph, which then refers to the functions as it
 * does to those of its own nodes. */
static rill_status keep_boxes_in_graph(struct cuda_exec *exec, CUgraph captured)
{
    CUresult result = CUDA_SUCCESS;
    struct cuda_own_box *own = exec->boxes;
    for (; own && !result; own = own->next)
        result = cuda_api.GraphRetainUserObject(captured, own->box->object, 1, 0);
    if (!result) return RILL_SUCCESS;
    for (struct cuda_own_box *kept = exec->boxes; kept->next != own; kept = kept->next)
        cuda_api.GraphReleaseUserObject(captured, kept->box->object, 1);
    return cuda_end(result, "cuGraphRetainUserObject");
}

rill_status cuda_exec_before_launch(struct cuda_exec *exec, CUgraph captured)
{
    if (captured) return keep_boxes_in_graph(exec, captured);
    if (exec->finish && finish_is_shared(exec)) {
        unlock_and_release(exec->context, exec->finish);
        exec->finish = NULL;
    }
    return exec->finish ? RILL_SUCCESS : make_finish(exec);
}

void cuda_exec_after_launch(struct cuda_exec *exec, CUgraph captured, CUstream stream,
                            CUresult result)
{
    struct cuda_own_box *own = result && captured ? exec->boxes : NULL;
    for (; own; own = own->next)
        cuda_api.GraphReleaseUserObject(captured, own->box->object, 1);
    if (!result && !captured && cuda_api.EventRecord(exec->finish->event, stream))
        exec->finish->untold = true;
}
