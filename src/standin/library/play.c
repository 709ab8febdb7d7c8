/* SPDX-License-Identifier: Apache-2.0
 *
 * What the libraries of older drivers ask of this one (older/newest.c).
 */
#include <rill/check.h>

#include "standin/abi/log.h"
#include "standin/abi/version.h"
#include "standin/library/play.h"
#include "standin/library/symbols.h"
#include "standin/object/machine.h"

_Static_assert(SI_PLACES == SI_SYMBOLS + 3, "those of rill's own are written below");

int rill_standin_play(int version, void (**places)(void), size_t count)
{
    if (count != SI_PLACES) return 0;
    for (size_t i = 0; i < SI_SYMBOLS; i++) places[i] = si_symbols[i].address;
    places[SI_SYMBOLS] = (void (*)(void))rill_failure_words;
    places[SI_SYMBOLS + 1] = (void (*)(void))rill_touch;
    places[SI_SYMBOLS + 2] = (void (*)(void))rill_touch_host;
    si_profile = version;
    return 1;
}

int rill_standin_is_over(void)
{
    return atomic_load_explicit(&si_over, memory_order_relaxed);
}
