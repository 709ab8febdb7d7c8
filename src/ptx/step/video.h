/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of vadd, vsub, vabsdiff, vmin and vmax: `kind` is the opcode, `immediate` a plan.
 */
#ifndef PTX_STEP_VIDEO_H
#define PTX_STEP_VIDEO_H

#include "ptx/run/machine.h"

/* What is done with the third source. */
enum ptx_video_second { PTX_VIDEO_NONE, PTX_VIDEO_ADD, PTX_VIDEO_MIN, PTX_VIDEO_MAX };

struct ptx_video_plan {
    uint8_t a, b, d;           /* enum ptx_register_part                                      */
    uint8_t second;            /* enum ptx_video_second                                    */
    bool a_signed, b_signed, d_signed, saturates;
};

_Static_assert(sizeof(struct ptx_video_plan) == sizeof(int64_t), "a plan is a step's immediate");

ptx_run *ptx_video_step(unsigned opcode, const struct ptx_video_plan *plan);

#endif
