/* SPDX-License-Identifier: Apache-2.0
 *
 * The beginnings of events, as text: what all of a kind have.
 */
#ifndef TR_EVENT_H
#define TR_EVENT_H

#include "layer-trace/write/out.h"

/* Begins an event of a phase on a row: all but its end. */
static inline void tr_event_begin(struct tr_out *out, char phase, uint64_t process, uint64_t row,
                                  const char *name, size_t length)
{
    TR_PUT(out, ",\n{\"ph\":\"");
    *out->at++ = phase;
    TR_PUT(out, "\",\"pid\":");
    tr_put_number(out, process);
    TR_PUT(out, ",\"tid\":");
    tr_put_number(out, row);
    TR_PUT(out, ",\"name\":\"");
    tr_put(out, name, length);
    TR_PUT(out, "\"");
}

/* Begins an event that names a process or a row, up to the text. */
static inline void tr_event_begin_name(struct tr_out *out, const char *what, uint64_t process,
                                       uint64_t row)
{
    tr_event_begin(out, 'M', process, row, what, strlen(what));
    TR_PUT(out, ",\"args\":{\"name\":\"");
}

/* Puts an event that says where a process or a row stands among the others. */
static inline void tr_event_sort(struct tr_out *out, const char *what, uint64_t process,
                                 uint64_t row, uint64_t place)
{
    tr_event_begin(out, 'M', process, row, what, strlen(what));
    TR_PUT(out, ",\"args\":{\"sort_index\":");
    tr_put_number(out, place);
    TR_PUT(out, "}}");
}

/* Puts one end of an arrow: phase 's' is where it begins, 'f' where it ends. */
static inline void tr_event_arrow(struct tr_out *out, char phase, const char *name,
                                  uint64_t process, uint64_t row, uint64_t at_ns, uint64_t number)
{
    tr_event_begin(out, phase, process, row, name, strlen(name));
    if (phase == 'f') TR_PUT(out, ",\"bp\":\"e\"");
    TR_PUT(out, ",\"cat\":\"");
    tr_put(out, name, strlen(name));
    TR_PUT(out, "\",\"ts\":");
    tr_put_time(out, at_ns);
    TR_PUT(out, ",\"id\":");
    tr_put_number(out, number);
    TR_PUT(out, "}");
}

#endif
