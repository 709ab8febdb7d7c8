/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of entry points.  Their types do not matter here: it holds addresses.
 */
#include "standin/library/symbols.h"

#include <string.h>

#define SYMBOL(name, suffix, version, state) extern void name##suffix(void);
#include "standin/library/symbols.def"
#undef SYMBOL

enum { REFUSED, IMPLEMENTED };

#define SYMBOL(name, suffix, version, state) { #name, #suffix, version, state, name##suffix },
const struct si_symbol si_symbols[SI_SYMBOLS] = {
#include "standin/library/symbols.def"
};
#undef SYMBOL

int si_symbol_is_per_thread(const struct si_symbol *symbol)
{
    size_t length = strlen(symbol->suffix);
    return length >= 5 && !memcmp(symbol->suffix + length - 5, "_pt", 3);
}
