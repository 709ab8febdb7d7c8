/* SPDX-License-Identifier: Apache-2.0
 *
 * What rill's runtime tells of `kernel<<<grid, block>>>(...)`.
 *
 * A compiler makes two calls of it where that is written, and a third one in a function that it
 * adds, the stub: the line with <<< >>> pushes the configuration and calls the stub, and the stub
 * pops the configuration and launches.
 */
#ifndef CS_LAUNCH_H
#define CS_LAUNCH_H

/* Where the last configuration that the thread popped was pushed and popped: the addresses to
 * which these calls returned, or NULL. */
struct cs_launch {
    const void *pushed, *popped;
};

/* A function that the runtime exports, by its name. */
typedef const struct cs_launch *cs_launch_fn(void);

#define CS_LAUNCH_NAME "rill_runtime_launch"

#endif
