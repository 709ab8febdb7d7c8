/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking: PTX, or a cubin or a fatbin, goes in, an image comes out (image/linking.h).
 *
 * An H200 (driver 580) was asked what an add and the end of the linking answer:
 *
 *     what is wrong                           add              complete
 *     it is no image                          INVALID_IMAGE    goes on without it
 *     its text is wrong                       INVALID_PTX      goes on without it
 *     it does not fit the others              INVALID_SOURCE   INVALID_SOURCE
 *     a .common with a value is too small     UNKNOWN          UNKNOWN
 *     something is nowhere defined            SUCCESS          INVALID_SOURCE
 *     all that was added was no image         -                SUCCESS, an empty image
 *
 * Not asked: what it answers to inputs after one that does not fit, to a linking that is
 * completed again once what it lacked was added, and to one without any input.  Here these
 * are accepted.  If kernels that are not visible share a name, it launches none of them
 * (LAUNCH_OUT_OF_RESOURCES); here the first of them, or the visible one, is launched.
 */
#include "standin/code/link.h"

#include "base/alloc.h"
#include "base/words/log_words.h"
#include "standin/abi/log.h"
#include "standin/code/code.h"
#include "standin/context/current.h"
#include "standin/image/linking.h"

enum {
    INPUT_OBJECT = 3, /* cubins, PTX and fatbins are 0 to 2 */
    INPUT_LIBRARY = 4,
    INPUT_KINDS = 6
};

/* What programs hold as CUlinkState: looked up in a list, since there are few. */
struct linking {
    struct linking *next;
    struct si_jit jit; /* that it was made with; the program keeps the memory     */
    struct image_linking *inputs;
    const void *image; /* what was made, or NULL                                  */
    CUdevice device;   /* what it is made for                                     */
    size_t bytes;
};

static struct {
    struct rl_lock lock;   /* protects the list; one call at a time uses a linking */
    struct linking *first;
} linkings;

/* Returns the link to a linking, or the last link.  Requires linkings.lock. */
static struct linking **find_link(CUlinkState state)
{
    struct linking **link = &linkings.first;
    while (*link && (void *)*link != (void *)state) link = &(*link)->next;
    return link;
}

static CUresult find_linking(CUlinkState state, struct linking **linking)
{
    CUresult status = si_check_ready();
    if (status) return status;
    rl_lock(&linkings.lock);
    *linking = *find_link(state);
    rl_unlock(&linkings.lock);
    return *linking ? RILL_SUCCESS : RILL_ERROR_INVALID_HANDLE;
}

ENTRY(cuLinkCreate_v2,
      (unsigned count, int *options, void **values, CUlinkState *out),
      (count, options, values, out))
{
    const struct si_jit jit = { count, options, values };
    struct si_context *context;
    CUresult status = si_current(&context);
    if (!status) status = si_jit_check(&jit);
    if (status) return status;
    struct linking *made = out ? rl_zalloc(sizeof *made) : NULL;
    if (!made) return out ? RILL_ERROR_OUT_OF_MEMORY : RILL_ERROR_INVALID_VALUE;
    made->inputs = image_linking_open();
    if (!made->inputs) {
        rl_free(made);
        return RILL_ERROR_OUT_OF_MEMORY;
    }
    made->jit = jit;
    made->device = context->device;
    rl_lock(&linkings.lock);
    made->next = linkings.first;
    linkings.first = made;
    rl_unlock(&linkings.lock);
    *out = (CUlinkState)(void *)made;
    return RILL_SUCCESS;
}

/* ---- What goes in ---------------------------------------------------------------------- */

/* Tells the program what is wrong.  That nothing is wrong may be told once, at the end. */
static CUresult tell_refusal(const struct linking *linking, CUresult status,
                             const struct image_refusal *refusal)
{
    if (status && rl_log_wants("images")) si_log("a link is refused: %s", refusal->message);
    if (status) si_jit_say(&linking->jit, refusal->message);
    return status;
}

static CUresult add_input(struct linking *linking, int kind, const char *data, size_t bytes,
                          const char *name)
{
    struct image_refusal refusal = { RILL_SUCCESS, "" };
    struct image_target target = si_target(linking->device);
    if (linking->image || !data || !bytes || kind < 0 || kind >= INPUT_KINDS)
        return RILL_ERROR_INVALID_VALUE;
    if (!image_can_be(data, bytes)) return RILL_ERROR_INVALID_VALUE;
    if (kind > INPUT_LIBRARY) {
        if (rl_log_wants("images")) si_log("NVVM's code cannot be linked, only PTX");
        return RILL_ERROR_NOT_SUPPORTED;
    }
    CUresult status = (kind < INPUT_OBJECT ? image_linking_add : image_linking_add_object)(
        linking->inputs, data, bytes, name, &target, &refusal);
    return tell_refusal(linking, status, &refusal);
}

ENTRY(cuLinkAddData_v2,
      (CUlinkState state, int kind, void *data, size_t bytes, const char *name, unsigned count,
       int *options, void **values),
      (state, kind, data, bytes, name, count, options, values))
{
    const struct si_jit jit = { count, options, values };
    struct linking *linking;
    CUresult status = find_linking(state, &linking);
    if (!status) status = si_jit_check(&jit);
    return status ? status : add_input(linking, kind, data, bytes, name);
}

ENTRY(cuLinkAddFile_v2,
      (CUlinkState state, int kind, const char *path, unsigned count, int *options, void **values),
      (state, kind, path, count, options, values))
{
    const struct si_jit jit = { count, options, values };
    struct linking *linking;
    char *data = NULL;
    size_t bytes = 0;
    CUresult status = find_linking(state, &linking);
    if (!status) status = si_jit_check(&jit);
    if (!status && !path) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_read_file(path, &data, &bytes);
    if (!status && !bytes) status = RILL_ERROR_INVALID_IMAGE;
    if (!status) status = add_input(linking, kind, data, bytes, path);
    rl_free(data);
    return status;
}

/* ---- What comes out --------------------------------------------------------------------- */

static CUresult finish_linking(struct linking *linking)
{
    struct image_refusal refusal;
    CUresult status = image_linking_finish(linking->inputs, &linking->image, &linking->bytes,
                                           &refusal);
    return tell_refusal(linking, status, &refusal);
}

ENTRY(cuLinkComplete, (CUlinkState state, void **image, size_t *bytes), (state, image, bytes))
{
    struct linking *linking;
    CUresult status = find_linking(state, &linking);
    if (status) return status;
    if (!image) return RILL_ERROR_INVALID_VALUE;
    if (!linking->image) {
        status = finish_linking(linking);
        if (status) return status;
        si_jit_say(&linking->jit, "");
    }
    *image = (void *)(uintptr_t)linking->image;
    if (bytes) *bytes = linking->bytes;
    return RILL_SUCCESS;
}

/* Frees the image as well. */
static void free_linking(struct linking *linking)
{
    image_linking_close(linking->inputs);
    rl_free(linking);
}

ENTRY(cuLinkDestroy, (CUlinkState state), (state))
{
    CUresult status = si_check_ready();
    if (status) return status;
    rl_lock(&linkings.lock);
    struct linking **link = find_link(state), *found = *link;
    if (found) *link = found->next;
    rl_unlock(&linkings.lock);
    if (!found) return RILL_ERROR_INVALID_HANDLE;
    free_linking(found);
    return RILL_SUCCESS;
}

void si_linkings_end(void)
{
    for (struct linking *linking = linkings.first, *next; linking; linking = next) {
        next = linking->next;
        free_linking(linking);
    }
}

SAME_AS(cuLinkCreate, cuLinkCreate_v2,
        (unsigned count, int *options, void **values, CUlinkState *state),
        (count, options, values, state))
SAME_AS(cuLinkAddData, cuLinkAddData_v2,
        (CUlinkState state, int kind, void *data, size_t bytes, const char *name, unsigned count,
         int *options, void **values),
        (state, kind, data, bytes, name, count, options, values))
SAME_AS(cuLinkAddFile, cuLinkAddFile_v2,
        (CUlinkState state, int kind, const char *path, unsigned count, int *options,
         void **values),
        (state, kind, path, count, options, values))
