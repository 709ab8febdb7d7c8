/* SPDX-License-Identifier: Apache-2.0
 *
 * What machine.c and machine_memory.c share.
 */
#ifndef PTX_MACHINE_PARTS_H
#define PTX_MACHINE_PARTS_H

#include "machine.h"

#include <pthread.h>
#include <stdatomic.h>

enum place_state { IN_USE, READ_ONLY, GONE };

struct place {
    unsigned char *memory; /* behind the first guard */
    size_t bytes;
    enum place_state state;
    bool heap;             /* a kernel's malloc()    */
    bool variable;         /* of the module, ...     */
    bool constant;         /* ... in .const          */
};

/* An array in the order of addresses, under the machine's lock. */
struct machine {
    pthread_mutex_t lock;
    struct place *places;
    size_t place_count, place_room;
    _Atomic uint_least64_t changes;
    size_t heap_bytes, heap_limit;
    char *printed;
    size_t printed_bytes, printed_room;
    uint64_t conditional;
    uint32_t conditional_value;

    struct ptx_module *module;
    struct ptx_code *code;
    void **variables; /* by the module's index */
    struct ptx_host host;
    struct ptx_fault fault;
    uint32_t checks;            /* of all launches */
    long live;        /* allocations of the library before there was a module */
};

/* Adds an allocation of zeroes, with guards around it.  Requires machine->lock while
 * kernels run. */
struct place *place_add(struct machine *machine, size_t bytes);

/* Frees an allocation; fails the test if something wrote around it. */
void place_drop(struct machine *machine, size_t at);

/* Sets up what kernels reach. */
void machine_make_host(struct machine *machine);

#endif
