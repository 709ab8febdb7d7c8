/* SPDX-License-Identifier: Apache-2.0
 *
 * What a schedule is asked to be, in words: "early", "pct:7:3", "replay:1.4,2.3.7@12,2.4~%1".
 */
#ifndef SIM_SCHEDULE_SPEC_H
#define SIM_SCHEDULE_SPEC_H

#include <rill/status.h>

#include <stdbool.h>
#include <stdint.h>

struct schedule_policy;

#define HOLD_ANY_PLACE UINT32_MAX

/* How an operation, or a node of a launch, differs from a run under `early`.  It is held back:
 * until a call of the host, where it comes after all that is not held, or until something that the
 * host waits for needs it.  Those that are held until the same call come in the order of the
 * list. */
struct schedule_hold {
    uint32_t stream;   /* in the order in which streams had work first, from 1 */
    uint64_t number;   /* of the operation in its stream, from 1               */
    uint32_t place;    /* of the node, or HOLD_ANY_PLACE                       */
    uint64_t call;     /* until which it is held; if 0, it is held until it is needed, or not at all
                          if it has an `order` or `pauses`                     */
    uint64_t order;    /* of the kernel's blocks (base/shuffle.h), or 0        */
    bool pauses;       /* others run in the middle of the kernel; in the call until which the
                          kernel is held, it comes before all others           */
};

/* A thread of the host, and how often it arrives, 0 if it does from then on. */
struct schedule_arrival {
    uint32_t thread, times;
};

struct schedule_arrivals {
    struct schedule_arrival *items;
    uint32_t count;
};

struct schedule_spec {
    const struct schedule_policy *policy;
    uint64_t numbers[3];         /* that follow its name; 0 if not given */
    struct schedule_hold *holds; /* of a replay, or the steps of an order */
    uint32_t hold_count;
    struct schedule_arrivals arrivals; /* arrivals.h; empty if threads come as they will */
    void *data;                  /* the own data of a policy that has no words */
};

/* Reads the words.  Says what is wrong with them, as the argument of that name, if they cannot be
 * understood. */
rill_status sim_schedule_read(const char *text, const char *argument, struct schedule_spec *spec);

void sim_schedule_spec_free(struct schedule_spec *spec);

#endif
