/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of a trace, read back: an event a line, as the layer writes them.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
    char phase;
    uint64_t process, row, id;
    uint64_t begin_ns, end_ns; /* of X; else both are the moment */
    uint64_t operation, node, bytes;
    char name[64], category[32], text[64]; /* text: args.name */
    const char *line;
};

struct events {
    char *text;
    struct event *items;
    size_t count;
    bool whole; /* the last line is there */
};

/* Reads a file.  Fails the test if there is none, or a line that is no event. */
struct events events_read(const char *path);
void events_free(struct events *events);

/* Returns the event number `index`, from 0, of a phase, category and name; NULL stands for any. */
const struct event *events_find(const struct events *events, char phase, const char *category,
                                const char *name, size_t index);
size_t events_count(const struct events *events, char phase, const char *category,
                    const char *name);

/* Returns the text that a metadata event `what` has for a row, the last one, or NULL. */
const char *events_name(const struct events *events, const char *what, uint64_t process,
                        uint64_t row);

/* Fails the test if two events overlap on a row, unless one lies in the other, or if an arrow has
 * but one end, or ends before it begins. */
void events_check(const struct events *events);

#endif
