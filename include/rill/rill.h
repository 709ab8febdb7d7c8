/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/rill.h>: streams, events, graphs and execs over pluggable backends.
 */
#ifndef RILL_RILL_H
#define RILL_RILL_H

#define RILL_VERSION_MAJOR 0
#define RILL_VERSION_MINOR 1
#define RILL_VERSION_PATCH 0

#include <rill/types.h>
#include <rill/status.h>
#include <rill/error.h>
#include <rill/platform.h>
#include <rill/memory.h>
#include <rill/pool.h>
#include <rill/vmem.h>
#include <rill/module.h>
#include <rill/op.h>
#include <rill/stream.h>
#include <rill/event.h>
#include <rill/graph.h>
#include <rill/capture.h>
#include <rill/exec.h>
#include <rill/replay.h>

RILL_BEGIN_DECLS

/* Returns the version of the library that is running, such as "0.1.0". */
RILL_API const char *rill_version(void);

RILL_END_DECLS

#endif
