/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of the special registers.
 */
#include "ptx/text/special_registers.h"

#include <string.h>

static const struct ptx_special_row rows[] = {
#define PTX_SPECIAL(name, word, type, components) { word, PTX_##type, components },
#include "ptx/text/special_registers.def"
};

_Static_assert(PTX_SPECIAL_REGISTERS <= UINT8_MAX, "an id of a special register is a byte");

const struct ptx_special_row *ptx_special_row(uint8_t id)
{
    return id < PTX_SPECIAL_REGISTERS ? &rows[id] : NULL;
}

bool ptx_find_special(const char *word, size_t bytes, struct ptx_special *special)
{
    for (size_t i = 0; i < PTX_SPECIAL_REGISTERS; i++)
        if (strlen(rows[i].word) == bytes && memcmp(rows[i].word, word, bytes) == 0) {
            *special = (struct ptx_special){ .word = rows[i].word, .id = (uint8_t)i };
            return true;
        }
    return false;
}
