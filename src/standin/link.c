/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking: PTX, or a cubin or a fatbin, goes in, an image comes out.  Nothing is compiled
 * here: texts of PTX become one text, the head of which is that of the first; of the
 * others there can only be one, which comes out as it is.
 */
#include <string.h>

#include "base/alloc.h"
#include "standin/module.h"

enum {
    INPUT_CUBIN = 0,
    INPUT_PTX = 1,
    INPUT_FATBIN = 2,
    INPUT_KINDS = 6
};

/* What programs hold as CUlinkState: looked up in a list, since there are few of them. */
struct linking {
    struct linking *next;
    struct si_jit jit; /* as it was made with; the program keeps it until the end */
    char *image;       /* with a zero behind it; NULL: none yet                   */
    size_t bytes;
    int kind;          /* of the image                                            */
    int complete;
};

static struct {
    struct rl_lock lock;   /* protects the list; a linking is its caller's alone */
    struct linking *first;
} all;

/* The place of a linking in the list, or of NULL.  Under the lock. */
static struct linking **find(CUlinkState state)
{
    struct linking **link = &all.first;
    while (*link && (void *)*link != (void *)state) link = &(*link)->next;
    return link;
}

static CUresult linking_of(CUlinkState state, struct linking **linking)
{
    CUresult status = si_check_ready();
    if (status) return status;
    rl_lock(&all.lock);
    *linking = *find(state);
    rl_unlock(&all.lock);
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
    made->jit = jit;
    rl_lock(&all.lock);
    made->next = all.first;
    all.first = made;
    rl_unlock(&all.lock);
    *out = (CUlinkState)(void *)made;
    return RILL_SUCCESS;
}

/* ---- What goes in ---------------------------------------------------------------------- */

/* Only what is wrong is said: that nothing is may be said once, at the end. */
static CUresult check(const struct linking *linking, const char *image, size_t bytes)
{
    struct si_code *code;
    CUresult status = si_code_read(image, bytes, &linking->jit, &code);
    if (!status) si_code_release(code);
    return status;
}

/* Behind what there is, which then is to be sound as a whole. */
static CUresult append(struct linking *linking, const char *data, size_t bytes)
{
    size_t before = linking->image ? linking->bytes : 0;
    char *image = rl_alloc(before + bytes + 2);
    if (!image) return RILL_ERROR_OUT_OF_MEMORY;
    if (before) memcpy(image, linking->image, before);
    if (before) image[before++] = '\n';
    memcpy(image + before, data, bytes);
    image[before + bytes] = 0;
    CUresult status = check(linking, image, before + bytes);
    if (status) {
        rl_free(image);
        return status;
    }
    rl_free(linking->image);
    linking->image = image;
    linking->bytes = before + bytes;
    return RILL_SUCCESS;
}

static CUresult add(struct linking *linking, int kind, const char *data, size_t bytes)
{
    if (linking->complete || !data || !bytes || kind < 0 || kind >= INPUT_KINDS)
        return RILL_ERROR_INVALID_VALUE;
    if (!image_can_be(data, bytes)) return RILL_ERROR_INVALID_VALUE;
    if (kind > INPUT_FATBIN || (linking->image && (kind != INPUT_PTX || linking->kind != kind))) {
        if (si_log_wants("images"))
            si_log("only texts of PTX can be linked, or a single cubin or fatbin");
        return RILL_ERROR_NOT_SUPPORTED;
    }
    if (kind == INPUT_PTX) bytes = strnlen(data, bytes);
    CUresult status = linking->image ? check(linking, data, bytes) : RILL_SUCCESS;
    size_t head = linking->image ? image_ptx_head(data, bytes) : 0;
    if (!status) status = append(linking, data + head, bytes - head);
    if (!status) linking->kind = kind;
    return status;
}

ENTRY(cuLinkAddData_v2,
      (CUlinkState state, int kind, void *data, size_t bytes, const char *name, unsigned count,
       int *options, void **values),
      (state, kind, data, bytes, name, count, options, values))
{
    const struct si_jit jit = { count, options, values };
    struct linking *linking;
    (void)name;
    CUresult status = linking_of(state, &linking);
    if (!status) status = si_jit_check(&jit);
    return status ? status : add(linking, kind, data, bytes);
}

ENTRY(cuLinkAddFile_v2,
      (CUlinkState state, int kind, const char *path, unsigned count, int *options, void **values),
      (state, kind, path, count, options, values))
{
    const struct si_jit jit = { count, options, values };
    struct linking *linking;
    char *data = NULL;
    size_t bytes = 0;
    CUresult status = linking_of(state, &linking);
    if (!status) status = si_jit_check(&jit);
    if (!status && !path) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_read_file(path, &data, &bytes);
    if (!status) status = add(linking, kind, data, bytes);
    rl_free(data);
    return status;
}

/* ---- What comes out --------------------------------------------------------------------- */

ENTRY(cuLinkComplete, (CUlinkState state, void **image, size_t *bytes), (state, image, bytes))
{
    struct linking *linking;
    CUresult status = linking_of(state, &linking);
    if (status) return status;
    if (!image || !linking->image) return RILL_ERROR_INVALID_VALUE;
    if (!linking->complete) si_jit_say(&linking->jit, "");
    linking->complete = 1;
    *image = linking->image;
    if (bytes) *bytes = linking->bytes + (linking->kind == INPUT_PTX);
    return RILL_SUCCESS;
}

/* With it the image goes. */
static void free_linking(struct linking *linking)
{
    rl_free(linking->image);
    rl_free(linking);
}

ENTRY(cuLinkDestroy, (CUlinkState state), (state))
{
    CUresult status = si_check_ready();
    if (status) return status;
    rl_lock(&all.lock);
    struct linking **link = find(state), *found = *link;
    if (found) *link = found->next;
    rl_unlock(&all.lock);
    if (!found) return RILL_ERROR_INVALID_HANDLE;
    free_linking(found);
    return RILL_SUCCESS;
}

void si_linkings_end(void)
{
    for (struct linking *linking = all.first, *next; linking; linking = next) {
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
