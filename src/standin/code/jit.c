/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver's compiler would say, in the room that programs give for it: one sentence
 * on what is wrong with an image, and nothing else.
 */
#include "standin/code/jit.h"

#include <string.h>

#include "base/thread.h"

CUresult si_jit_check(const struct si_jit *jit)
{
    if (jit->count && (!jit->options || !jit->values)) return RILL_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < jit->count; i++)
        if (jit->options[i] < 0 || jit->options[i] >= CU_JIT_NUM_OPTIONS)
            return RILL_ERROR_INVALID_VALUE;
    return RILL_SUCCESS;
}

/* Returns the place of the value of an option, or NULL if the option was not given. */
static void **option_value(const struct si_jit *jit, int option)
{
    for (unsigned i = 0; i < jit->count; i++)
        if (jit->options[i] == option) return &jit->values[i];
    return NULL;
}

/* The size of a buffer is passed as the value itself, and replaced by what was written. */
static void write_log(const struct si_jit *jit, int buffer_option, int size_option,
                      const char *text)
{
    void **buffer = option_value(jit, buffer_option), **size = option_value(jit, size_option);
    if (!buffer || !*buffer || !size) return;
    size_t room = (size_t)(uintptr_t)*size & UINT32_MAX, length = strlen(text);
    if (!room) return;
    if (length >= room) length = room - 1;
    memcpy(*buffer, text, length);
    ((char *)*buffer)[length] = 0;
    *size = (void *)(uintptr_t)length;
}

void si_jit_say(const struct si_jit *jit, const char *error)
{
    write_log(jit, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "");
    write_log(jit, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, error);
}

/* The time is written into the value itself, as a float. */
void si_jit_took(const struct si_jit *jit, uint64_t since)
{
    void **slot = option_value(jit, CU_JIT_WALL_TIME);
    float took = (float)(rl_monotonic_ns() - since) / 1e6f;
    if (slot) memcpy(slot, &took, sizeof took);
}
