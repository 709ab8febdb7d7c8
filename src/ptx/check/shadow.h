/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of each byte of a memory: who stored it last and who loaded it lately; and whether
 * an access conflicts with that.
 *
 * Most accesses are of whole words, so a page has what is known of its words until some of a word
 * is accessed alone.
 */
#ifndef PTX_CHECK_SHADOW_H
#define PTX_CHECK_SHADOW_H

#include "ptx/check/order.h"

/* How a thread accessed memory. */
enum ptx_manner {
    PTX_DID_STORE = 1,
    PTX_DID_ATOMICALLY = 2,
    PTX_DID_STRONGLY = 4,    /* volatile, relaxed, and what is stronger         */
    PTX_DID_NARROWLY = 8,    /* strongly for its block only                     */
    PTX_DID_PUBLISH = 16,    /* to its block ...                                */
    PTX_DID_PUBLISH_ALL = 32, /* ... and to the grid                            */
    PTX_DID_SWAP = 64        /* atomically, if a certain value was there        */
};

/* An access, by a thread counted in the grid; a time of 0 if there was none. */
struct ptx_note {
    uint32_t time, thread;
    uint32_t line : 24, manner : 8;
};

/* A fourth reader is not missed where it counts: the last two, and the last one of another block
 * than the last. */
#define PTX_READERS 3

struct ptx_cell {
    struct ptx_note writes[2]; /* the last one that was not strong, and the last that was */
    struct ptx_note reads[PTX_READERS];
    unsigned char value[4];    /* that was stored, unless atomically; of a byte the first one */
};

/* All zeros: nothing was accessed. */
struct ptx_shadow {
    struct ptx_pages pages;
};

/* An access by a thread of a block. */
struct ptx_visit {
    struct ptx_order_block *block;
    uint32_t thread;           /* in the block                                    */
    struct ptx_note note;      /* what will be known of it                        */
    uint64_t address;
    uint32_t bytes;
    const unsigned char *values; /* of a store that is not atomic, its bytes      */
};

/* Judges an access, and notes it.  Returns true if it conflicts with an earlier one in no order,
 * which it describes.  Two stores of the same value do not conflict. */
bool ptx_shadow_visit(struct ptx_shadow *shadow, const struct ptx_visit *visit,
                      struct ptx_note *other);

/* Forgets all accesses to memory that somebody else had before. */
void ptx_shadow_forget(struct ptx_shadow *shadow, uint64_t address, uint64_t bytes);

/* Returns what was published for the thread that loads the first byte: true if it acquires. */
bool ptx_shadow_offers(struct ptx_shadow *shadow, const struct ptx_visit *visit);

/* Returns the manner of the last store to the first byte, or 0. */
unsigned ptx_shadow_last(struct ptx_shadow *shadow, uint64_t address);

#endif
