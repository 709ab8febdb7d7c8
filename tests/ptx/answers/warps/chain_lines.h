/* SPDX-License-Identifier: Apache-2.0
 *
 * What the later chains are made of: texts with places for registers and numbers.
 */
#ifndef PTX_CHAIN_LINES_H
#define PTX_CHAIN_LINES_H

extern const char *const chain_lines[];
extern const int chain_line_count;

#endif
