/* SPDX-License-Identifier: Apache-2.0
 *
 * A backend whose captures record: the fake, on which everything has happened
 * when the call returns, with captures that streams join and that break, graphs
 * of up to 64 nodes, and execs that run host functions and fills and can be
 * updated.  For tests of what the core builds of these.
 *
 * An update is refused for another number of nodes, other kinds or edges; for
 * fills of another height; and always where memory is allocated, as the driver
 * does.
 */
#ifndef RECORDING_BACKEND_H
#define RECORDING_BACKEND_H

#include <rill/backend.h>

const struct rill_backend *recording_backend(void);

/* What each exec says of its size; 0: it does not know. */
extern size_t recording_exec_bytes;

/* Execs and graphs that were not destroyed yet, and execs that were made. */
extern int recording_execs, recording_graphs, recording_execs_made;

/* The mode of the calling thread when an exec was made or destroyed last. */
extern rill_capture_mode recording_mode_seen;

#endif
