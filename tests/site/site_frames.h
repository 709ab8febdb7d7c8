/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that count as the library's, of all shapes that compilers give to frames.
 * site_frames.c is compiled once for each level of optimization.
 */
#ifndef SITE_FRAMES_H
#define SITE_FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* A way down the stack: each function takes the next step of it. */
struct site_way {
    const unsigned char *steps; /* indices of site_shape */
    size_t left;
    unsigned seen; /* something to do after a call, or else there is no frame */
    void (*end)(struct site_way *way); /* called by the last one: cs_site_here() and others */
    void (*program)(struct site_way *way); /* a function of the program that calls back */
    const void *site, *other_site;
};

typedef void site_shape_fn(struct site_way *way);

enum { SITE_SHAPES = 9, SITE_LEVELS = 4 };
enum { SITE_CALLS_PROGRAM = 8 }; /* the shape that calls the program */

/* The shapes of each level: -O0, -O1, -O2, and -O3 with frame pointers. */
extern site_shape_fn *const site_shapes_0[SITE_SHAPES], *const site_shapes_1[SITE_SHAPES],
    *const site_shapes_2[SITE_SHAPES], *const site_shapes_3[SITE_SHAPES];

/* Takes the next step. */
void site_go(struct site_way *way);

/* Calls cs_site_here() from a frame of the library. */
const void *site_from_library(void);

#endif
