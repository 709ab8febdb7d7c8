/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking: PTX, cubins and fatbins in, an image out.  Nothing is compiled here, so the
 * image that comes out is the one that went in, and only one can: it is looked at when it
 * is added, as the compiler would.
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

/* What programs hold as CUlinkState: handles of it are looked up in a list, since they are
 * rare. */
struct linking {
    struct linking *next;
    char *image; /* with a zero behind it; NULL: none yet */
    size_t bytes;
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

static struct linking *linking_of(CUlinkState state)
{
    rl_lock(&all.lock);
    struct linking *found = *find(state);
    rl_unlock(&all.lock);
    return found;
}

static CUresult create(unsigned count, int *options, void **values, CUlinkState *out)
{
    struct si_context *context;
    CUresult status = si_current(&context);
    if (status) return status;
    if (!out || (count && (!options || !values))) return RILL_ERROR_INVALID_VALUE;
    struct linking *made = rl_zalloc(sizeof *made);
    if (!made) return RILL_ERROR_OUT_OF_MEMORY;
    rl_lock(&all.lock);
    made->next = all.first;
    all.first = made;
    rl_unlock(&all.lock);
    *out = (CUlinkState)(void *)made;
    return RILL_SUCCESS;
}

ENTRY(cuLinkCreate_v2, unsigned count, int *options, void **values, CUlinkState *out)
{
    return create(count, options, values, out);
}

static CUresult keep(struct linking *linking, const void *data, size_t bytes)
{
    struct si_code *code;
    CUresult status = si_code_read(data, bytes, &code);
    if (status) return status;
    si_code_release(code);
    linking->image = rl_alloc(bytes + 1);
    if (!linking->image) return RILL_ERROR_OUT_OF_MEMORY;
    memcpy(linking->image, data, bytes);
    linking->image[bytes] = 0;
    linking->bytes = bytes;
    return RILL_SUCCESS;
}

static CUresult add(CUlinkState state, int kind, const void *data, size_t bytes)
{
    struct linking *linking = linking_of(state);
    if (!linking) return si_check_ready() ? si_check_ready() : RILL_ERROR_INVALID_HANDLE;
    if (!data || !bytes || kind < 0 || kind >= INPUT_KINDS) return RILL_ERROR_INVALID_VALUE;
    if (kind > INPUT_FATBIN || linking->image) {
        if (si_log_wants("images"))
            si_log("only one image of PTX, or a cubin or fatbin, can be linked");
        return RILL_ERROR_NOT_SUPPORTED;
    }
    return keep(linking, data, bytes);
}

ENTRY(cuLinkAddData_v2, CUlinkState state, int kind, void *data, size_t bytes, const char *name,
      unsigned count, int *options, void **values)
{
    (void)name;
    if (count && (!options || !values)) return RILL_ERROR_INVALID_VALUE;
    return add(state, kind, data, bytes);
}

ENTRY(cuLinkAddFile_v2, CUlinkState state, int kind, const char *path, unsigned count,
      int *options, void **values)
{
    char *data = NULL;
    size_t bytes = 0;
    if (!path || (count && (!options || !values))) return RILL_ERROR_INVALID_VALUE;
    CUresult status = si_read_file(path, &data, &bytes);
    if (!status) status = add(state, kind, data, bytes);
    rl_free(data);
    return status;
}

ENTRY(cuLinkComplete, CUlinkState state, void **image, size_t *bytes)
{
    const struct linking *linking = linking_of(state);
    if (!linking) return si_check_ready() ? si_check_ready() : RILL_ERROR_INVALID_HANDLE;
    if (!image || !linking->image) return RILL_ERROR_INVALID_VALUE;
    *image = linking->image;
    if (bytes) *bytes = linking->bytes;
    return RILL_SUCCESS;
}

/* With it the image goes. */
ENTRY(cuLinkDestroy, CUlinkState state)
{
    rl_lock(&all.lock);
    struct linking **link = find(state), *found = *link;
    if (found) *link = found->next;
    rl_unlock(&all.lock);
    if (!found) return si_check_ready() ? si_check_ready() : RILL_ERROR_INVALID_HANDLE;
    rl_free(found->image);
    rl_free(found);
    return RILL_SUCCESS;
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
