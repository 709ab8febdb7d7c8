/* SPDX-License-Identifier: Apache-2.0
 *
 * What is noted of what happened, until it is written.
 */
#ifndef TR_RECORD_H
#define TR_RECORD_H

#include <rill/op.h>

#include <stdint.h>

struct tr_name;

enum tr_what {
    TR_SPAN,  /* an operation, or a node                                          */
    TR_CALL,  /* a call of the host                                               */
    TR_PARTS, /* more operations that a call submitted, elsewhere than its others */
    TR_LABEL, /* a stream has this name from now on                               */
    TR_THREAD /* a thread of the host has this name                               */
};

struct tr_record {
    uint8_t what;    /* enum tr_what                                                      */
    uint8_t kind;    /* of an operation: rill_op_kind                                     */
    uint8_t blocks;  /* a call that waited for work                                       */
    uint8_t dropped; /* the operation did not run                                         */
    uint16_t status; /* of a call: rill_status                                            */
    int16_t device;
    uint64_t queue, point; /* the operation, or the first one that a call submitted; 0: none */
    uint64_t parts;        /* how many a call submitted                                   */
    union {
        uint64_t node;     /* of an operation, or 0                                       */
        uint64_t thread;   /* of a call, as the system numbers it                         */
    };
    uint64_t begin_ns, end_ns;
    uint64_t bytes;        /* or 0                                                        */
    const struct tr_name *name;
    const struct tr_name *does; /* of a call of the driver or the runtime: the step that it took */
    const void *site;      /* of a call: who made it, or NULL                             */
    union {
        struct {
            uint64_t queue, point;
        } after;           /* of an event wait: what it waited for, or 0                  */
        struct {
            const struct tr_name *kernel; /* or NULL */
            uint32_t grid[3], block[3];
        } launch;          /* of a call that launches a kernel                            */
    };
};

#endif
