/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of the video instructions on scalars, from vadd to vmad: `kind` is the opcode,
 * `immediate` a plan.
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

/* What some of them have in `width`: vshl and vshr whether the distance wraps around; vset,
 * vset2 and vset4 a comparison; vmad its scale and what else it does. */
enum ptx_video_comparison {
    PTX_VIDEO_EQ, PTX_VIDEO_NE, PTX_VIDEO_LT, PTX_VIDEO_LE, PTX_VIDEO_GT, PTX_VIDEO_GE
};
enum ptx_video_mad {
    PTX_VIDEO_SCALE = 15, PTX_VIDEO_PLUS_ONE = 16, PTX_VIDEO_NEGATE_PRODUCT = 32,
    PTX_VIDEO_NEGATE_ADDEND = 64
};

/* Those on two or four parts at once: `kind` is the opcode, `immediate` this. */
struct ptx_video_lanes {
    uint16_t a, b;             /* which parts: of a, then of b; four bits for each         */
    uint8_t mask;              /* parts of the result; the others are those of c           */
    uint8_t bits;              /* of a part: 8 or 16                                       */
    uint8_t flags;             /* enum ptx_video_flag                                      */
    uint8_t operation;         /* opcode of the same on scalars, or PTX_OP_VAVRG2          */
};
enum ptx_video_flag {
    PTX_VIDEO_A_SIGNED = 1, PTX_VIDEO_B_SIGNED = 2, PTX_VIDEO_D_SIGNED = 4,
    PTX_VIDEO_SATURATES = 8, PTX_VIDEO_ADDS_UP = 16
};
_Static_assert(sizeof(struct ptx_video_lanes) == sizeof(int64_t), "it is a step's immediate");
ptx_run ptx_video_lanes_step;

#endif
