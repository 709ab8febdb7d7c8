/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/async/copy.h"

#include <string.h>

#include "ptx/run/fault.h"
#include "ptx/run/touches.h"

#define PIECE 16

/* ---- From global memory ------------------------------------------------------------------- */

static void fetch_whole(struct ptx_access *access, unsigned char *d)
{
    const uint32_t bytes = access->bytes;
    if (access->group->block->watched) ptx_watch_load(access);
    PTX_IN_TURN(access->group, i) {
        const unsigned char *from = ptx_access_place(access, i);
        if (!from) return;
        memcpy(d + (size_t)i * PIECE, from, bytes);
    }
}

/* Returns how many bytes a lane reads, or more than there are if it asks for more. */
static uint32_t wanted_bytes(struct ptx_group *group, const struct ptx_step *step, uint32_t lane)
{
    if (step->c != PTX_NO_COLUMN && PTX_COLUMN(group, step->c, const uint8_t)[lane]) return 0;
    return step->b == PTX_NO_COLUMN ? step->width
                                    : PTX_COLUMN(group, step->b, const uint32_t)[lane];
}

/* Reads fewer bytes, or none, and lets zeros be the rest. */
static void fetch_parts(struct ptx_access *access, unsigned char *d)
{
    struct ptx_group *group = access->group;
    const struct ptx_step *step = access->step;
    PTX_IN_TURN(group, i) {
        uint32_t wanted = wanted_bytes(group, step, i);
        unsigned char *to = d + (size_t)i * PIECE;
        if (wanted > step->width) {
            ptx_fail(group, step, i, RILL_ERROR_ILLEGAL_INSTRUCTION,
                     ptx_access_address(access, i),
                     "a copy of %u bytes cannot read %u", step->width, wanted);
            return;
        }
        memset(to, 0, PIECE);
        if (!wanted) continue;
        access->bytes = wanted;
        access->known = false;
        const unsigned char *from = ptx_access_place(access, i);
        if (!from) return;
        if (group->block->touches)
            ptx_touches_note_bytes(access, ptx_access_address(access, i), wanted);
        memcpy(to, from, wanted);
    }
}

void ptx_async_fetch_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_access access;
    unsigned char *d = PTX_COLUMN(group, step->d, unsigned char);
    ptx_access_open(&access, group, step, step->width, false, "asynchronous load");
    if (step->b == PTX_NO_COLUMN && step->c == PTX_NO_COLUMN) fetch_whole(&access, d);
    else fetch_parts(&access, d);
}

/* ---- To shared memory --------------------------------------------------------------------- */

void ptx_async_put_step(struct ptx_group *group, const struct ptx_step *step)
{
    struct ptx_access access;
    const unsigned char *b = PTX_COLUMN(group, step->b, const unsigned char);
    const uint32_t bytes = step->width;
    ptx_access_open(&access, group, step, bytes, true, "asynchronous store");
    if (group->block->watched) ptx_watch_wide_store(&access, PIECE);
    PTX_IN_TURN(group, i) {
        unsigned char *to = ptx_access_place(&access, i);
        if (!to) return;
        memcpy(to, b + (size_t)i * PIECE, bytes);
    }
}
