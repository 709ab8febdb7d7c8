/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of what backends register: tables to break.
 */
#ifndef REGISTERED_H
#define REGISTERED_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/registry/contract.h"
#include "core/registry/registry.h"
#include "support/fake/fake.h"

/* ---- A copy of all tables, to break one at a time -------------------------- */

#define TABLES_MAX 16
#define TABLE_BYTES 512

static struct fake_tables fake;
static struct rill_backend broken;
static union {
    uint64_t aligned;
    unsigned char bytes[TABLE_BYTES];
} tables[TABLES_MAX];

static inline void set_pointer(void *table, size_t offset, const void *value)
{
    memcpy((char *)table + offset, &value, sizeof value);
}

/* Stands for the slots of a table that the full backend lacks, and says no where it is asked. */
static inline int no_slot(void)
{
    return 0;
}

static inline void make_table_up(const struct rl_table *table, void *bytes)
{
    int (*slot)(void) = no_slot;
    for (size_t j = 0; j < table->slot_count; j++)
        memcpy((char *)bytes + table->slots[j].offset, &slot, sizeof slot);
}

/* A full fake backend, every table copied to where it can be written. */
static inline void copy_backend(const char *name)
{
    broken = *fake_build(&fake, name, FAKE_ALL);
    for (size_t i = 1; i < rl_table_count; i++) {
        const struct rl_table *table = &rl_tables[i];
        const void *original;
        memcpy(&original, (const char *)&broken + table->in_backend.offset, sizeof original);
        assert_true(table->bytes <= TABLE_BYTES);
        if (original) memcpy(tables[i].bytes, original, table->bytes);
        else make_table_up(table, tables[i].bytes);
        set_pointer(&broken, table->in_backend.offset, tables[i].bytes);
    }
}

static inline void expect_refused(const char *argument)
{
    assert_int_equal(rill_backend_register(&broken), RILL_ERROR_BACKEND_TABLE);
    const rill_error *error = rill_last_error();
    assert_string_equal(error->operation, "rill_backend_register");
    assert_string_equal(error->argument, argument);
    assert_non_null(strstr(error->message, argument));
}

#endif
