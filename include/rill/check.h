/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/check.h>: the layer `check`, which tells a program where its order is wrong.
 *
 * The layer knows the order that the program was promised, and compares it with what
 * each operation touches.  So one run finds every race of the path that the program
 * took, whatever the schedule was.  It is a layer of any backend:
 *
 *     rill_open_options options = { .size = sizeof options, .layers = "check" };
 *
 * or RILL_LAYERS=check in the environment, or `rill run --check PROGRAM`.  Findings are
 * written to stderr unless the program asks for them with rill_check_report().
 *
 * $RILL_CHECK holds settings, separated by blanks:
 *
 *     race life capture hang init leak hints kernel managed   what to look for; the first
 *                       four by default, and the last one with races on devices without
 *                       concurrent access to managed memory; by name on all devices
 *     stack=N           up to N callers of each call, at most 15, in findings; 0 by default
 *     exitcode=N        the status of a process that ends with findings; 0: its own
 *     quarantine=N      the addresses of the newest N MiB of freed device memory are not given
 *                       out again as long as there are others; 0 to 65536, 0 by default
 *     log=FILE          where to write, instead of stderr; %p stands for the process
 *     json=FILE         one JSON object a line, besides
 *     suppressions=FILE findings that nobody wants to see, see doc/checking.md
 *     unused            list the suppressions that nothing matched
 *     protected         see all that the host and its functions touch of pinned memory; system
 *                       calls on it may fail with EFAULT then, in programs that are right
 *     unprotected       leave pinned memory open; what the host touches of it is not seen then
 *
 * A backslash keeps the blank or the backslash after it.
 */
#ifndef RILL_CHECK_H
#define RILL_CHECK_H

#include <rill/platform.h>
#include <rill/touch.h>

RILL_BEGIN_DECLS

/* ---- Findings ------------------------------------------------------------- */

typedef enum rill_finding_kind {
    RILL_FINDING_RACE = 1,     /* two accesses that nothing orders                */
    RILL_FINDING_LIFETIME = 2, /* memory used before it is there or after it went */
    RILL_FINDING_CAPTURE = 3,  /* a call that breaks a capture                    */
    RILL_FINDING_INIT = 4,     /* memory that is read and was never written       */
    RILL_FINDING_LEAK = 5,     /* memory or an object that is left at the end     */
    RILL_FINDING_HINT = 6,     /* no bug, but not what one would expect           */
    RILL_FINDING_HANG = 7,     /* a wait that nothing will ever end               */
    RILL_FINDING_KERNEL = 8,   /* threads of a kernel race, read what nothing wrote, or
                                  do not share a barrier                          */
    RILL_FINDING_MANAGED = 9   /* managed memory used by whom it is not attached to, or by
                                  the host while a kernel may run: on devices without
                                  concurrent access                               */
} rill_finding_kind;

/* A caller of the call that submitted an operation. */
typedef struct rill_finding_caller {
    const char *file;     /* NULL if there is no debug information */
    int line;
    const char *function; /* that made the call, or NULL           */
    const char *module;
    uint64_t offset;
} rill_finding_caller;

/* One of the two ends of a finding: an operation, or a call. */
typedef struct rill_finding_place {
    const char *what;    /* "memcpy", "kernel 'scale'", "the host"                   */
    const char *does;    /* "reads", "writes", "frees" ...; or ""                    */
    const void *address; /* to which the call that submitted it returned; or NULL    */
    const char *file;    /* of that call; NULL if there is no debug information      */
    int line;
    const char *function; /* that made the call, or NULL                             */
    const char *module;  /* program or library, and the offset in it                 */
    uint64_t offset;
    const char *stream;  /* "stream 'copy'"; "" for the host                         */
    uint64_t stream_id;  /* rill_stream_id(), or 0                                   */
    uint64_t number;     /* of the operation in its stream, from 1; or 0             */
    uint64_t node;       /* of a graph: its number in the order of creation, from 1; or 0 */
    const char *launch_file; /* of a node: of the call that launched it; of the begin of a
                                capture: of the call that was captured last; or NULL        */
    int launch_line;
    const rill_finding_caller *callers; /* of the function that made the call, from the inside
                                           out; as many as stack=N asks for                   */
    size_t caller_count;
    uint64_t within;     /* of a node of a child graph or a body: the number of the node that
                            has that inside; or 0                                    */
} rill_finding_place;

/* What would have mended the program: one more wait, edge or synchronization. */
typedef enum rill_mend {
    RILL_MEND_NONE = 0,
    RILL_MEND_WAIT = 1,  /* place[0]'s stream waits, right before place[0], for an event
                            recorded in place[1]'s right after place[1]               */
    RILL_MEND_EDGE = 2,  /* an edge of the graph from the node of place[1] to that of
                            place[0], or between the nodes that have these inside     */
    RILL_MEND_SYNC = 3   /* the host waits for place[1]'s stream before place[0]       */
} rill_mend;

typedef struct rill_finding {
    size_t size;
    rill_finding_kind kind;
    const char *id;         /* "race-7c1e04": the same from run to run              */
    const char *sentence;   /* what is wrong                                        */
    rill_finding_place place[2];    /* the later one first, in the order of submission      */
    size_t place_count;
    rill_devptr address;    /* of the bytes in question; 0: it is not about memory  */
    uint64_t bytes;
    const char *memory;     /* "bytes 0 to 65535 of 'frame' (device 0, 1 MiB, ...)" */
    rill_mend mend;
    const char *advice;     /* the mend, in words                                   */
    int assumed;            /* what is touched was not seen, but assumed            */
    uint64_t count;         /* how often it was met when it is told                 */
    uint64_t cost_ns;       /* of a hint: how long its calls took, in this run; or 0 */
} rill_finding;

/* Has the findings of a platform told to a function instead of written: each pair of
 * places once, when it is found.  The function may be called by any thread, one at a
 * time, and must not call the library.  What the finding points to is gone afterwards. */
typedef void (*rill_finding_fn)(void *data, const rill_finding *finding);
RILL_API rill_status rill_check_report(rill_platform *platform, rill_finding_fn report,
                                       void *data);

/* Returns how many findings there were, once all that was submitted is done: each pair
 * of places counts as often as it was met.  Hints do not count. */
RILL_API rill_status rill_check_count(rill_platform *platform, uint64_t *count);

/* ---- What is touched -------------------------------------------------------- */

/* Declares that bytes are read or written (RILL_TOUCH_*) by the kernel or host function
 * that calls this, or else by the host, now.  For C kernels, which otherwise count as
 * touching all memory that an argument points to, and for memory of the host that is not
 * pinned.  Does nothing where nothing is checked, nor for NULL, for 0 bytes, or for more
 * bytes than there are from the address on.  A program that may run without the library
 * looks the symbol up (dlsym). */
RILL_API void rill_touch(rill_devptr address, size_t bytes, uint32_t how);
RILL_API void rill_touch_host(const void *pointer, size_t bytes, uint32_t how);

RILL_END_DECLS

#endif
