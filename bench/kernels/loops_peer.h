/* SPDX-License-Identifier: Apache-2.0
 *
 * A peer of rill-loops: a module that it loads if there is one, with some of the kernels.
 */
#ifndef LOOPS_PEER_H
#define LOOPS_PEER_H

#include <stdbool.h>
#include <stddef.h>

/* What kernels read: so many numbers each. */
struct loops_data {
    const float *x, *y;
    const unsigned char *bytes;
    size_t count;
};

struct loops_peer {
    /* Makes buffers of all of it, for one thread to run kernels on.  Returns false if the peer is
     * not there. */
    bool (*open)(const struct loops_data *data);
    void (*close)(void);
    bool (*has)(const char *kernel);
    /* Runs a kernel to its end.  Parameters have a letter each: n, f (2), x, y, b, o. */
    void (*run)(const char *kernel, const char *params, int n, const size_t blocks[2],
                const size_t threads[2]);
};

extern const struct loops_peer loops_peer;

#endif
