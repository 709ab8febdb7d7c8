/* SPDX-License-Identifier: Apache-2.0
 *
 * The links of a chain (chain.h), and how lanes take them: all links for some lanes, then for the
 * next ones.  Links that hand their results on, each to the next one alone, are taken as one flow
 * (step/form.h), and nothing of it is written but the last result.
 */
#ifndef PTX_AFFINE_LINKS_H
#define PTX_AFFINE_LINKS_H

#include "ptx/run/machine.h"

/* Copy rows, from memory to a column or the other way round; and fill rows with one number each. */
void ptx_copy_strip(const struct ptx_strip *strip);
void ptx_fill_strip(const struct ptx_strip *strip);

/* Takes all links for the lanes of a group. */
void ptx_take_links(const struct ptx_group *group);

#endif
