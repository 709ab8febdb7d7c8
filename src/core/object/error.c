/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Thread_local int rl_noted RL_THREAD_WORD;

static _Thread_local struct {
    struct rl_note note;
    rill_error last;
    unsigned long failures;
} own;

/* ---- Notes -------------------------------------------------------------- */

rill_status rill_backend_fail(rill_status status, const char *argument, const char *format, ...)
{
    rl_noted = 1;
    own.note.status = status;
    own.note.argument = argument;
    own.note.cause = (rill_error_cause){ .status = RILL_SUCCESS };
    own.note.tell = NULL;
    va_list values;
    va_start(values, format);
    vsnprintf(own.note.message, sizeof own.note.message, format, values);
    va_end(values);
    return status;
}

void rill_backend_fail_cause(const rill_error_cause *cause)
{
    own.note.cause = *cause;
}

void rill_backend_fail_told(void (*tell)(void *data, uint64_t id, const char *operation),
                            void *data, uint64_t id)
{
    own.note.tell = tell;
    own.note.data = data;
    own.note.id = id;
}

void rl_drop_note(void)
{
    rl_noted = 0;
}

rill_status rl_noted_status(rill_status otherwise)
{
    return rl_noted ? own.note.status : otherwise;
}

void rl_noted_message(char text[RILL_ERROR_MESSAGE_MAX])
{
    snprintf(text, RILL_ERROR_MESSAGE_MAX, "%s", rl_noted ? own.note.message : "");
}

/* ---- The record --------------------------------------------------------- */

/* Returns the backend's words for a status, or else the general ones. */
static const char *words_for(const void *object, rill_status status)
{
    const char *words = NULL;
    char known[RILL_LABEL_MAX];
    rl_describe(object, known);
    if (known[0]) {
        const struct rill_object *head = object;
        if (head->backend->explain) words = head->backend->explain(head->platform, status);
    }
    if (!words) words = rill_error_string(status);
    return words ? words : "the backend returned a number that is no status";
}

/* Replaces this thread's note unless it is about `status`. */
static void complete_note(const void *object, rill_status status)
{
    if (rl_noted && own.note.status == status) return;
    rill_backend_fail(status, NULL, "%s", words_for(object, status));
}

rill_status rl_settle(const char *operation, const void *object, rill_status status)
{
    if (status != RILL_SUCCESS && status != RILL_ERROR_NOT_READY) {
        rill_error *last = &own.last;
        complete_note(object, status);
        last->status = status;
        last->operation = operation;
        last->argument = own.note.argument;
        rl_describe(object, last->object);
        memcpy(last->message, own.note.message, sizeof last->message);
        last->cause = own.note.cause;
        own.failures++;
        if (own.note.tell) own.note.tell(own.note.data, own.note.id, operation);
    }
    rl_drop_note();
    return status;
}

void rl_take_note(struct rl_note *note, const void *object, rill_status status)
{
    complete_note(object, status);
    *note = own.note;
    rl_drop_note();
}

rill_status rl_put_note(const struct rl_note *note)
{
    rl_noted = 1;
    own.note = *note;
    return note->status;
}

unsigned long rl_failures(void)
{
    return own.failures;
}

const rill_error *rill_last_error(void)
{
    return &own.last;
}

void rill_clear_error(void)
{
    memset(&own.last, 0, sizeof own.last);
}
