/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes tiles.txt to standard output: what a GPU answers to instructions of whole warps; with an
 * argument, what it answers to those that have it in them.  Needs the driver's library and nothing
 * else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "ptx/answers/tiles.h"

static unsigned failures, forms;

static result run_form(struct tile_form *form, char *words, size_t room)
{
    struct driver_buffer buffers[TILE_OPERANDS];
    char *text = tile_text(form);
    for (int i = 0; i < TILE_OPERANDS; i++)
        buffers[i] = (struct driver_buffer){ form->operands[i].values,
                                             form->operands[i].words ? form->operands[i].bytes : 0,
                                             i == 0 };
    result status = driver_run(text, "tile", TILES, 32, buffers, TILE_OPERANDS, words, room);
    free(text);
    return status;
}

static bool measure_form(void *data, struct tile_form *form)
{
    char words[2000] = "";
    if (data && !strstr(form->instructions, data)) return true;
    tile_operands(form);
    result status = run_form(form, words, sizeof words);
    forms++;
    if (status) {
        words[strcspn(words, "\n")] = '\0';
        printf("! %d\t%s\t%s\n# %s\n", status, form->types, form->instructions, words);
        failures++;
    } else {
        printf("= %016llx\t%s\t%s\n", (unsigned long long)tile_hash(form), form->types,
               form->instructions);
    }
    tile_drop(form);
    fflush(stdout);
    return cu.synchronize() == 0;
}

int main(int argc, char **argv)
{
    if (!driver_open()) return 2;
    bool all = tile_each(measure_form, argc > 1 ? argv[1] : NULL);
    printf("# %u forms, %u fail%s\n", forms, failures, all ? "" : ", the context is lost");
    return failures != 0;
}
