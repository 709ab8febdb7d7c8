/* SPDX-License-Identifier: Apache-2.0
 *
 * What is made of symbols.def: a function for each name that is refused, and the lists of
 * exports of the libraries.
 *
 * To implement a call, write it with ENTRY() or one of the other forms of thread/entry.h, and
 * change REFUSED to IMPLEMENTED on its lines.
 */
#ifndef RT_SYMBOLS_H
#define RT_SYMBOLS_H

/* Lists the refused calls that were made, if RILL_LOG asks for it. */
void rt_report_refused(void);

#endif
