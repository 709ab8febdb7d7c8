/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/own_text.h"

#include <stddef.h>

/* As base/text_mark.h writes it, once for each object file.  Each place counts from its own
 * field, so that nothing is to be relocated when the library is loaded. */
struct text_note {
    struct text_piece {
        int32_t from; /* this field's address */
        uint32_t bytes;
    } text, cold;
};

/* The linker makes these two names if there is a section of that name. */
extern const struct text_note __start_rill_text[] __attribute__((weak, visibility("hidden")));
extern const struct text_note __stop_rill_text[] __attribute__((weak, visibility("hidden")));

static bool holds_address(const struct text_piece *piece, uintptr_t address)
{
    uintptr_t begin = (uintptr_t)&piece->from + (uintptr_t)(intptr_t)piece->from;
    return address - begin < piece->bytes;
}

bool rl_is_own_text(uintptr_t address)
{
    for (const struct text_note *note = __start_rill_text; note < __stop_rill_text; note++)
        if (holds_address(&note->text, address) ||
            holds_address(&note->cold, address))
            return true;
    return false;
}

bool rl_knows_own_text(void)
{
    return rl_is_own_text((uintptr_t)rl_is_own_text);
}
