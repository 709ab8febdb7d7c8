/* SPDX-License-Identifier: Apache-2.0
 *
 * Watches a simulated platform and draws what it did: a lane for each stream,
 * then a lane for each thread, time from left to right.
 */
#ifndef EXAMPLES_TIMELINE_H
#define EXAMPLES_TIMELINE_H

#include <rill/rill.h>

#include <stdio.h>

struct timeline;

/* Begins to watch.  NULL, which timeline_finish() accepts, when the platform
 * is no simulator: other backends cannot be watched. */
struct timeline *timeline_start(rill_platform *platform);

/* Stops watching and draws.  What was submitted must be done. */
void timeline_finish(struct timeline *timeline, FILE *out);

#endif
