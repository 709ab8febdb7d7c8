/* SPDX-License-Identifier: Apache-2.0
 *
 * txq and suq.
 */
#include <string.h>

#include "ptx/lower/forms.h"
#include "ptx/lower/fragment.h"
#include "ptx/lower/memory_operand.h"
#include "ptx/lower/texture/place.h"

#define LACKING RILL_ERROR_NOT_SUPPORTED

static rill_status lower_question(struct ptx_lowering *lowering,
                                  const struct ptx_instruction *instruction,
                                  const struct ptx_form *form)
{
    static const enum ptx_modifier words[] = { PTX_MOD_WIDTH, PTX_MOD_HEIGHT, PTX_MOD_DEPTH,
                                               PTX_MOD_NOTHING };
    const struct ptx_texture_plan plan = { .asked = (uint8_t)ptx_find_word(instruction, words) };
    const bool surface = instruction->opcode == PTX_OP_SUQ;
    const bool leveled = ptx_has(&instruction->modifiers, PTX_MOD_LEVEL);
    uint32_t handle = 0, d = 0, level = PTX_NO_COLUMN;
    struct ptx_step *step;
    if (words[plan.asked] == PTX_MOD_NOTHING)
        return ptx_lower_fail(lowering, &instruction->place, LACKING,
                              "the simulator tells .width, .height and .depth");
    rill_status status = ptx_check_operand_count(lowering, instruction, 2 + leveled);
    if (!status)
        status = ptx_find_handle(lowering, instruction, &instruction->operands[1], &handle);
    if (!status && leveled)
        status = ptx_source(lowering, instruction, &instruction->operands[2], PTX_U32, false,
                            &level);
    if (!status)
        status = ptx_destination(lowering, instruction, &instruction->operands[0],
                                 form->types[0], false, &d);
    if (!status)
        status = ptx_emit(lowering, instruction,
                          surface ? ptx_surface_ask_step : ptx_texture_ask_step, &step);
    if (status) return status;
    step->a = handle;
    step->b = level;
    step->d = d;
    step->kind = PTX_TO_GLOBAL;
    memcpy(&step->immediate, &plan, sizeof plan);
    return RILL_SUCCESS;
}

/* ---- The table ----------------------------------------------------------------------------- */

#define QUESTION(code, ...) \
    { .opcode = PTX_OP_##code, .types = { PTX_B32 }, \
      .allows = PTX_SET(WIDTH, HEIGHT, DEPTH, __VA_ARGS__), .lower = lower_question }

static const struct ptx_form rows[] = { QUESTION(TXQ, LEVEL), QUESTION(SUQ, NOTHING) };

const struct ptx_forms ptx_texture_question_forms = { rows, sizeof rows / sizeof *rows };
