/* SPDX-License-Identifier: Apache-2.0
 *
 * Text on its way to a file, a block at a time.  Numbers are formatted here, since printf() takes
 * longer than all the rest of a trace.
 */
#ifndef TR_OUT_H
#define TR_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TR_OUT_BYTES = 1 << 18, TR_OUT_MARGIN = 1 << 13 /* what one event may take */ };

struct tr_out {
    int file;         /* a descriptor */
    int error;        /* what writing failed with, or 0; nothing is written after that */
    char *at;
    char *block;      /* TR_OUT_BYTES */
};

/* Takes over an open file.  Returns false if memory is short. */
bool tr_out_init(struct tr_out *out, int file);

/* Writes what is left, and closes the file. */
void tr_out_fini(struct tr_out *out);

/* Writes what there is to the file. */
void tr_out_flush(struct tr_out *out);

/* Makes room for one event. */
static inline void tr_out_need(struct tr_out *out)
{
    if (out->at - out->block > TR_OUT_BYTES - TR_OUT_MARGIN) tr_out_flush(out);
}

static inline void tr_put(struct tr_out *out, const char *text, size_t length)
{
    memcpy(out->at, text, length);
    out->at += length;
}

/* Puts a constant. */
#define TR_PUT(out, literal) tr_put(out, literal, sizeof(literal) - 1)

void tr_put_number(struct tr_out *out, uint64_t number);

/* Puts nanoseconds as microseconds, with three digits behind the point. */
void tr_put_time(struct tr_out *out, uint64_t ns);

#endif
