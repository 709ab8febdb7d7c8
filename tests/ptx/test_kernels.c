/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as compilers make them compute what their sources say: each case of the tables,
 * over the PTX of each compiler and way of building. */
#include "kernels.h"

#include <stdio.h>

struct trial {
    const struct kernel_case *row;
    char *text;
    bool checked;              /* for races and the like, of which there are none */
};

static void runs(void **state)
{
    const struct trial *trial = *state;
    struct machine *machine = machine_open();
    machine_load(machine, trial->text);
    if (trial->checked) machine_check_all(machine);
    bool has_it = machine_module(machine)->target >= trial->row->target;
    if (has_it) trial->row->run(machine);
    machine_close(machine);
    if (!has_it) skip_because("it was compiled for what came before");
}

struct list {
    struct CMUnitTest tests[800];
    size_t count;
};

static void add_test(struct list *list, const struct kernel_case *row, char *text,
                     const char *name, bool checked)
{
    struct trial *trial = malloc(sizeof *trial);
    if (!trial || list->count == sizeof list->tests / sizeof *list->tests) abort();
    *trial = (struct trial){ row, text, checked };
    list->tests[list->count++] = (struct CMUnitTest){ strdup(name), runs, NULL, NULL, trial };
}

/* A test for each way in which the source of the case was built; false: there is none. */
static bool add_case(struct list *list, const struct kernel_case *row, const char *only)
{
    bool found = false;
    for (const char *const *way = kernel_ways; *way; way++) {
        char *text = kernel_text(row->source, *way), name[200];
        found = found || text;
        for (int checked = 0; checked < 2; checked++) {
            snprintf(name, sizeof name, "%s (%s.%s%s)", row->name, row->source, *way,
                     checked ? ", checked" : "");
            if (text && strstr(name, only)) add_test(list, row, strdup(text), name, checked);
        }
        free(text);
    }
    return found;
}

/* NULL, or the source of which there is no PTX. */
static const char *add_tests(struct list *list, const char *only)
{
    for (const struct kernel_cases *const *table = kernel_tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            if (!add_case(list, &(*table)->rows[i], only)) return (*table)->rows[i].source;
    return NULL;
}

static void drop_tests(struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct trial *trial = list->tests[i].initial_state;
        free(trial->text);
        free(trial);
        free((char *)(uintptr_t)list->tests[i].name);
    }
}

/* An argument is part of the names of the tests that are to run. */
int main(int argc, char **argv)
{
    static struct list list;
    const char *missing = add_tests(&list, argc > 1 ? argv[1] : "");
    int failed = 1;
    if (missing) printf("Bail out! there is no PTX of %s in %s\n", missing, kernel_folder());
    else failed = _cmocka_run_group_tests("kernels", list.tests, list.count, NULL, NULL);
    drop_tests(&list);
    return failed;
}
