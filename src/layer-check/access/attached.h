/* SPDX-License-Identifier: Apache-2.0
 *
 * Whom managed memory is attached to, and who must not touch it then.
 *
 * Where a device has no concurrent access to managed memory, the host and its kernels take turns.
 * Memory that is attached
 *
 *     to all        is the host's while no kernel of such a device may run, whatever that touches
 *     to a stream   is for kernels and fills of that stream, and the host's while none of its
 *                   kernels may run
 *     to the host   is the host's at any time, and for no kernel or fill
 *
 * An attachment holds once it is done, in the order of the stream in which it was made.  Until then
 * what was before holds as well.
 *
 * The checker's lock protects all of it.
 */
#ifndef CK_ATTACHED_H
#define CK_ATTACHED_H

#include "layer-check/access/verdict.h"

struct ck_attachment {
    uint32_t flags;     /* RILL_ATTACH_*; 0: there is none                       */
    uint64_t stream_id; /* of the stream that alone has it                       */
};

struct ck_attached {
    struct ck_attachment now;
    struct ck_attachment before; /* holds until `by` is done */
    struct ck_work *by;          /* who attached it, retained; NULL: it was so from the beginning */
    uint32_t made;               /* how it was allocated: RILL_ATTACH_* */
};

/* Kernels, and launches with kernels, that may run as far as the host knows: the newest of each
 * stream. */
struct ck_busy {
    struct ck_work **works; /* retained */
    size_t count, room;
};

void ck_busy_fini(struct ck_busy *busy);

/* Notes a work that was judged, and forgets those that the host knows to be done.  Returns false if
 * memory is short. */
bool ck_busy_note(struct ck_busy *busy, struct ck_work *work, const struct ck_clock *host);

/* Tells whether a work of a stream is of a device that takes turns with the host, and has
 * kernels. */
bool ck_takes_turns(const struct ck_work *work);

/* Has memory be attached from the beginning.  Returns false if memory is short. */
bool ck_attached_begin(struct ck_block *block, uint32_t flags);
void ck_attached_end(struct ck_block *block);

/* What a step must not do to managed memory. */
struct ck_misuse {
    enum {
        CK_MISUSE_NONE,
        CK_MISUSE_BUSY,  /* the host touches it, and `other` may run   */
        CK_MISUSE_KEPT,  /* it is attached to another, by `other`      */
        CK_MISUSE_EARLY, /* it may not be attached yet, by `other`     */
        CK_MISUSE_TAKEN  /* it is attached to another, and `other` may still use it */
    } kind;
    struct ck_work *other; /* of the block's or the busy ones', or NULL: it was allocated so */
    uint32_t node;         /* of `other`, or 0 */
    uint32_t flags;        /* of the attachment */
};

/* Tells what is wrong with a step that touches a block which has attachments. */
struct ck_misuse ck_attached_look(const struct ck_block *block, const struct ck_busy *busy,
                                  const struct ck_step *step);

/* Lists it, for bytes of the block.  Returns false if memory is short. */
bool ck_misuse_tell(struct ck_verdicts *verdicts, const struct ck_misuse *misuse,
                    const struct ck_step *step, const struct ck_block *block, uint64_t from,
                    uint64_t to);

/* Attaches a block by a work, and tells if that takes it from who may still use it.  Returns false
 * if memory is short. */
bool ck_attached_set(struct ck_block *block, const struct ck_attachment *to, struct ck_work *by,
                     struct ck_verdicts *verdicts);

/* Has all that is attached to a stream be attached as it was allocated: the stream is gone. */
void ck_attached_lose(const struct ck_memory *memory, uint64_t stream_id);

#endif
