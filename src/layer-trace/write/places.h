/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the program that made calls, ready to be written: each is looked up once.
 */
#ifndef TR_PLACES_H
#define TR_PLACES_H

#include <stddef.h>

/* What an event says of a place, with a comma in front. */
struct tr_place {
    struct tr_place *next;
    const void *site;
    size_t length; /* 0 if nobody can tell */
    char json[];   /* not a string         */
};

enum { TR_PLACE_BUCKETS = 256 };

struct tr_places {
    struct tr_place *buckets[TR_PLACE_BUCKETS];
};

/* Returns the place of a site, or NULL if memory is short. */
const struct tr_place *tr_place_of(struct tr_places *places, const void *site);

void tr_places_fini(struct tr_places *places);

#endif
