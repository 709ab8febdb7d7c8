/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of a shard as text, which another process adds up with those of the other shards.
 */
#ifndef XP_RESULT_H
#define XP_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct xp_result {
    uint64_t shard, shards;     /* I of N, from 1                                          */
    uint64_t explored;          /* classes that had a run, of this shard                   */
    uint64_t classes;           /* of all shards, as far as known                          */
    uint64_t all;               /* 1: there are no others, and `keys` are of all of them   */
    uint64_t keys;              /* the sum of the classes' keys: the same for all shards   */
    uint64_t runs, failed;
    uint64_t bounds;            /* RILL_EXPLORE_*                                          */
    uint64_t varies;
    const char *program;        /* its name without the folder                             */
    const char *end;            /* how the first run that failed ended, or "success"       */
    const char *schedule;       /* of that run, or ""                                      */
};

/* Writes a result; the texts have no line breaks.  Returns false if that failed. */
bool xp_result_write(FILE *file, const struct xp_result *result);

/* Reads a result that is complete.  Returns false if there is none, or memory is short. */
bool xp_result_read(FILE *file, struct xp_result *result);

/* Frees the texts of a result that was read. */
void xp_result_fini(struct xp_result *result);

#endif
