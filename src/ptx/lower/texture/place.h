/* SPDX-License-Identifier: Apache-2.0
 *
 * What instructions on textures and surfaces have in common: how many dimensions there are, which
 * texture it is, and where in it.
 */
#ifndef PTX_LOWER_TEXTURE_PLACE_H
#define PTX_LOWER_TEXTURE_PLACE_H

#include "ptx/lower/lowering.h"
#include "ptx/texture/steps.h"

struct ptx_geometry {
    uint8_t dimensions, layered;
    uint8_t coordinates; /* in the text, what fills them up included */
    bool cube, sampled;
};

/* Returns which of some words an instruction has first; the words end with PTX_MOD_NOTHING. */
uint32_t ptx_find_word(const struct ptx_instruction *instruction,
                       const enum ptx_modifier *words);

rill_status ptx_find_geometry(struct ptx_lowering *lowering,
                              const struct ptx_instruction *instruction,
                              const struct ptx_geometry **geometry);

/* Finds the column of the handle: that of a reference is its address. */
rill_status ptx_find_handle(struct ptx_lowering *lowering,
                            const struct ptx_instruction *instruction,
                            const struct ptx_operand *operand, uint32_t *column);

/* Finds the columns of the sample, the layer and the coordinates; returns in `count` how many. */
rill_status ptx_find_coordinates(struct ptx_lowering *lowering,
                                 const struct ptx_instruction *instruction,
                                 const struct ptx_operand *operand,
                                 const struct ptx_geometry *geometry, enum ptx_type type,
                                 uint32_t columns[4], uint32_t *count);

/* Appends a step with `count` columns of where it looks, and `width` of what is there. */
rill_status ptx_emit_texture(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction, ptx_run *run,
                             const struct ptx_texture_plan *plan, uint32_t handle,
                             const uint32_t *columns, uint32_t count, uint32_t width);

#endif
