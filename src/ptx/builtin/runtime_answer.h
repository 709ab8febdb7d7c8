/* SPDX-License-Identifier: Apache-2.0
 *
 * How functions of CUDA's device runtime answer the lanes that call them.
 */
#ifndef PTX_BUILTIN_RUNTIME_ANSWER_H
#define PTX_BUILTIN_RUNTIME_ANSWER_H

#include "ptx/builtin/children.h"
#include "ptx/run/machine.h"

/* Returns the thread that a lane runs. */
struct ptx_child_thread ptx_runtime_thread(const struct ptx_group *group, uint32_t lane);

/* Puts a number of 4 or 8 bytes where the first argument of a lane points to.  Returns false if the
 * lane has failed. */
bool ptx_runtime_put(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                     uint64_t number, uint32_t bytes);

/* Answers a lane, whose last status this is if it is not 0. */
void ptx_runtime_answer(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                        uint32_t status);

#endif
