/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes groups.txt to standard output: what a GPU answers to wgmma; with an argument, what it
 * answers to forms that have it in them.  Needs the driver's library and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "ptx/answers/groups.h"

static unsigned failures, forms;

static bool measure_form(void *data, struct group_form *form)
{
    char words[2000] = "", *text;
    struct driver_buffer buffers[GROUP_OPERANDS];
    if (data && !strstr(form->instruction, data)) return true;
    text = group_text(form);
    group_operands(form);
    for (int i = 0; i < GROUP_OPERANDS; i++)
        buffers[i] = (struct driver_buffer){ form->values[i], form->bytes[i] * GROUPS, i == 0 };
    result status = driver_run(text, "group", GROUPS, GROUP_THREADS, buffers, GROUP_OPERANDS, words,
                               sizeof words);
    forms++;
    if (status) {
        words[strcspn(words, "\n")] = '\0';
        printf("! %d\t%s\n# %s\n", status, form->instruction, words);
        failures++;
    } else {
        printf("= %016llx\t%s\n", (unsigned long long)group_hash(form), form->instruction);
    }
    free(text);
    group_drop(form);
    fflush(stdout);
    return cu.synchronize() == 0;
}

int main(int argc, char **argv)
{
    if (!driver_open()) return 2;
    bool all = group_each(measure_form, argc > 1 ? argv[1] : NULL);
    printf("# %u forms, %u fail%s\n", forms, failures, all ? "" : ", the context is lost");
    return failures != 0;
}
