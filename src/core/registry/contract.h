/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a backend's tables, as data: the slots that <rill/backend.h> demands.
 */
#ifndef RL_CONTRACT_H
#define RL_CONTRACT_H

#include <rill/backend.h>

struct rl_slot {
    const char *name; /* "backend->stream->submit" */
    size_t offset;
    int optional;
};

struct rl_table {
    struct rl_slot in_backend; /* "backend->stream", where its pointer is */
    size_t bytes;
    const struct rl_slot *slots;
    size_t slot_count;
};

/* All tables.  The first is struct rill_backend itself, with a NULL name. */
extern const struct rl_table rl_tables[];
extern const size_t rl_table_count;

/* Tells whether a backend or a layer may have this name, which may be NULL. */
int rl_well_named(const char *name);

/* Checks the tables of a backend.  Returns RILL_ERROR_BACKEND_TABLE, with a note that names
 * the slot, if one breaks the contract. */
rill_status rl_check_backend(const struct rill_backend *backend);

#endif
