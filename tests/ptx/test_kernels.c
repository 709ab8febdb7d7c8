/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as compilers make them compute what their sources say: each case of the tables,
 * over the PTX of each compiler and way of building. */
#include "kernels.h"

#include <stdio.h>

struct trial {
    const struct kernel_case *row;
    char *text;
};

static void runs(void **state)
{
    const struct trial *trial = *state;
    struct machine *machine = machine_open();
    machine_load(machine, trial->text);
    if (machine_module(machine)->target >= trial->row->target) trial->row->run(machine);
    machine_close(machine);
}

/* A test for each case and way in which its source was built. */
static size_t add_tests(struct CMUnitTest *tests, const char *only)
{
    size_t count = 0;
    for (const struct kernel_cases *const *table = kernel_tables; *table; table++)
        for (const struct kernel_case *row = (*table)->rows;
             row < (*table)->rows + (*table)->count; row++)
            for (const char *const *way = kernel_ways; *way; way++) {
                char *text = kernel_text(row->source, *way), name[200];
                struct trial *trial = malloc(sizeof *trial);
                if (!trial) abort();
                snprintf(name, sizeof name, "%s (%s.%s)", row->name, row->source, *way);
                *trial = (struct trial){ row, text };
                if (text && strstr(name, only))
                    tests[count++] = (struct CMUnitTest){ strdup(name), runs, NULL, NULL, trial };
                else
                    free(text), free(trial);
            }
    return count;
}

static void drop_tests(struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct trial *trial = tests[i].initial_state;
        free(trial->text);
        free(trial);
        free((char *)(uintptr_t)tests[i].name);
    }
}

/* An argument is part of the names of the tests that are to run. */
int main(int argc, char **argv)
{
    struct CMUnitTest tests[400];
    size_t count = add_tests(tests, argc > 1 ? argv[1] : "");
    if (!count) {
        printf("Bail out! there is no PTX in %s\n", kernel_folder());
        return 1;
    }
    int failed = _cmocka_run_group_tests("kernels", tests, count, NULL, NULL);
    drop_tests(tests, count);
    return failed;
}
