/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of a backend, checked when it is registered.
 */
#include "core/registered.h"

/* ---- A copy of all tables, to break one at a time -------------------------- */

static void *table_at(size_t index)
{
    return index ? (void *)tables[index].bytes : (void *)&broken;
}

/* ---- The tables ------------------------------------------------------------ */

static void a_whole_table_is_accepted(void **state)
{
    (void)state;
    copy_backend("whole");
    assert_int_equal(rl_check_backend(&broken), RILL_SUCCESS);
    assert_int_equal(rl_check_backend(&fake_backend), RILL_SUCCESS);
}

static void each_mandatory_slot_is_demanded(void **state)
{
    (void)state;
    size_t tried = 0;
    for (size_t i = 0; i < rl_table_count; i++)
        for (size_t j = 0; j < rl_tables[i].slot_count; j++) {
            const struct rl_slot *slot = &rl_tables[i].slots[j];
            if (slot->optional) continue;
            copy_backend("broken");
            set_pointer(table_at(i), slot->offset, NULL);
            expect_refused(slot->name);
            tried++;
        }
    assert_true(tried > 70);
}

static void each_optional_slot_may_lack(void **state)
{
    (void)state;
    size_t tried = 0;
    for (size_t i = 0; i < rl_table_count; i++)
        for (size_t j = 0; j < rl_tables[i].slot_count; j++) {
            const struct rl_slot *slot = &rl_tables[i].slots[j];
            if (!slot->optional) continue;
            copy_backend("lacking");
            set_pointer(table_at(i), slot->offset, NULL);
            if (rl_check_backend(&broken)) fail_msg("%s is demanded", slot->name);
            tried++;
        }
    assert_true(tried > 30);
}

static void tables_are_demanded_or_not(void **state)
{
    (void)state;
    for (size_t i = 1; i < rl_table_count; i++) {
        const struct rl_slot *slot = &rl_tables[i].in_backend;
        copy_backend("broken");
        set_pointer(&broken, slot->offset, NULL);
        if (slot->optional)
            assert_int_equal(rl_check_backend(&broken), RILL_SUCCESS);
        else
            expect_refused(slot->name);
    }
}

static void the_numbers_in_front_are_checked_first(void **state)
{
    (void)state;
    copy_backend("broken");
    broken.abi = RILL_BACKEND_ABI + 1;
    broken.name = NULL; /* not to be looked at */
    expect_refused("backend->abi");
    broken.abi = 0;
    expect_refused("backend->abi");
    copy_backend("broken");
    broken.size--;
    expect_refused("backend->size");
    broken.size += 2;
    expect_refused("backend->size");
    assert_int_equal(rill_backend_register(NULL), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "backend");
}

static void names_have_a_form(void **state)
{
    (void)state;
    static const char *const bad[] = { NULL, "", "Fake", "two words", "a/b", "\xc3\xa4",
                                       "abcdefghijklmnopqrstuvwxyzabcdef" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        copy_backend(bad[i]);
        expect_refused("backend->name");
    }
    copy_backend("abcdefghijklmnopqrstuvwxyz-_012");
    assert_int_equal(rl_check_backend(&broken), RILL_SUCCESS);
}

/* ---- The lists against the header ------------------------------------------ */

static FILE *open_header(const char *name)
{
    char path[4096];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof path, "%s/include/rill/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s is not there; set srcdir to the top of the sources", path);
    return file;
}

static const struct rl_slot *listed(const char *table, const char *slot)
{
    char name[256];
    snprintf(name, sizeof name, "backend->%s%s%s", table, *table ? "->" : "", slot);
    for (size_t i = 0; i < rl_table_count; i++)
        for (size_t j = 0; j < rl_tables[i].slot_count; j++)
            if (!strcmp(rl_tables[i].slots[j].name, name)) return &rl_tables[i].slots[j];
    fail_msg("%s is in no list", name);
    return NULL;
}

/* "struct rill_stream_ops {" gives "stream", "struct rill_backend {" gives "". */
static int begins_table(const char *line, char *table)
{
    if (sscanf(line, "struct rill_%63[a-z_]s", table) != 1 || !strchr(line, '{')) return 0;
    char *end = strstr(table, "_ops");
    if (end)
        *end = '\0';
    else if (!strcmp(table, "backend"))
        *table = '\0';
    else
        return 0;
    return 1;
}

/* Counts the slots in a header, and compares with the lists what it marks [opt]. */
static size_t compare_slots(const char *header)
{
    FILE *file = open_header(header);
    char line[512], table[64] = "", slot[64] = "";
    int inside = 0;
    size_t slots = 0;
    while (fgets(line, sizeof line, file)) {
        if (begins_table(line, table)) inside = 1;
        if (line[0] == '}') inside = 0;
        if (!inside) continue;
        const char *name = strstr(line, "(*");
        if (name && sscanf(name, "(*%63[a-z_])", slot) == 1) slots++;
        /* A declaration may run over lines; its end says whether it is optional. */
        if (!slot[0] || !strchr(line, ';')) continue;
        int optional = strstr(line, "[opt]") != NULL;
        if (listed(table, slot)->optional != optional)
            fail_msg("%s %s: [opt] is %d in the header", table, slot, optional);
        slot[0] = '\0';
    }
    fclose(file);
    return slots;
}

/* What <rill/backend.h> and <rill/watch.h> mark [opt], and nothing else, is optional. */
static void the_lists_say_what_the_headers_say(void **state)
{
    (void)state;
    size_t expected = 0;
    for (size_t i = 0; i < rl_table_count; i++) expected += rl_tables[i].slot_count;
    assert_int_equal(compare_slots("backend.h") + compare_slots("watch.h"), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_table_is_accepted),
        cmocka_unit_test(each_mandatory_slot_is_demanded),
        cmocka_unit_test(each_optional_slot_may_lack),
        cmocka_unit_test(tables_are_demanded_or_not),
        cmocka_unit_test(the_numbers_in_front_are_checked_first),
        cmocka_unit_test(names_have_a_form),
        cmocka_unit_test(the_lists_say_what_the_headers_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
