/* SPDX-License-Identifier: Apache-2.0
 *
 * What is made of symbols.def: a number and a row for each entry point, a function for each
 * that is refused, the answers of cuGetProcAddress(), the lists of exports.
 *
 * To implement an entry point, write it with ENTRY() or one of the other forms of
 * object/entry.h, and change REFUSED to IMPLEMENTED on its line.
 */
#ifndef SI_SYMBOLS_H
#define SI_SYMBOLS_H

#define SYMBOL(name, suffix, version, state) SI_NUMBER_##name##suffix,
enum si_number {
#include "standin/library/symbols.def"
    SI_SYMBOLS
};
#undef SYMBOL

struct si_symbol {
    const char *name;       /* "cuMemAlloc"             */
    const char *suffix;     /* "_v2", "_v2_ptsz", or "" */
    int version;            /* 3020                     */
    int implemented;
    void (*address)(void);
};

/* In the order of the file. */
extern const struct si_symbol si_symbols[SI_SYMBOLS];

/* Lists the refused entry points that were called, if RILL_LOG asks for it. */
void si_report_refused(void);

/* Tells whether a form of an entry point takes stream 0 for the thread's own. */
int si_symbol_is_per_thread(const struct si_symbol *symbol);

#endif
