/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tsan.h"

_Thread_local int rl_noted RL_THREAD_WORD;

/* How many calls of this thread have failed. */
static _Thread_local unsigned long failures;

/* ---- Where a thread's words are --------------------------------------------- */

/* Too much for a thread-local variable: a library that a program loads late finds some 1600
 * bytes for those, which it shares with all others. */
struct words {
    struct rl_note note;
    rill_error last;
};

/* NULL until the thread's first failure. */
static _Thread_local struct words *own_words;

/* What threads share that get no memory for words of their own.  They may mix sentences, and
 * each status is right. */
static struct words shared_words;

static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;
static int end_failed;

/* The words are a thread's own, as its variables are, and ThreadSanitizer takes functions that run
 * in one thread for several: it sees nothing of what is done to them. */
static void free_words(void *words)
{
    own_words = NULL;
    rl_tsan_hide();
    free(words);
    rl_tsan_show();
}

static void create_end_key(void)
{
    end_failed = pthread_key_create(&end_key, free_words);
}

/* Deletes the key, since a library that is unloaded must not be called when threads end later.
 * The library's own threads have ended by then. */
__attribute__((destructor(101))) static void delete_end_key(void)
{
    pthread_once(&end_once, create_end_key);
    if (!end_failed) pthread_key_delete(end_key);
    end_failed = 1;
    if (own_words && own_words != &shared_words) free_words(own_words);
}

static struct words *make_words(void)
{
    pthread_once(&end_once, create_end_key);
    rl_tsan_hide();
    struct words *words = end_failed ? NULL : calloc(1, sizeof *words);
    if (words && pthread_setspecific(end_key, words)) {
        free(words);
        words = NULL;
    }
    rl_tsan_show();
    own_words = words ? words : &shared_words;
    return own_words;
}

static struct words *words_here(void)
{
    return own_words ? own_words : make_words();
}

/* ---- Notes -------------------------------------------------------------- */

rill_status rill_backend_fail(rill_status status, const char *argument, const char *format, ...)
{
    struct rl_note *note = &words_here()->note;
    rl_noted = 1;
    note->status = status;
    note->argument = argument;
    note->cause = (rill_error_cause){ .status = RILL_SUCCESS };
    note->tell = NULL;
    va_list values;
    va_start(values, format);
    rl_tsan_hide();
    vsnprintf(note->message, sizeof note->message, format, values);
    rl_tsan_show();
    va_end(values);
    return status;
}

void rill_backend_fail_cause(const rill_error_cause *cause)
{
    rl_tsan_hide();
    words_here()->note.cause = *cause;
    rl_tsan_show();
}

void rill_backend_fail_told(void (*tell)(void *data, uint64_t id, const char *operation),
                            void *data, uint64_t id)
{
    struct rl_note *note = &words_here()->note;
    note->tell = tell;
    note->data = data;
    note->id = id;
}

void rl_drop_note(void)
{
    rl_noted = 0;
}

rill_status rl_noted_status(rill_status otherwise)
{
    return rl_noted ? words_here()->note.status : otherwise;
}

void rl_noted_message(char text[RILL_ERROR_MESSAGE_MAX])
{
    rl_tsan_hide();
    snprintf(text, RILL_ERROR_MESSAGE_MAX, "%s", rl_noted ? words_here()->note.message : "");
    rl_tsan_show();
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
    if (rl_noted && words_here()->note.status == status) return;
    rill_backend_fail(status, NULL, "%s", words_for(object, status));
}

/* Makes the thread's record of a call that failed. */
static void write_record(struct words *words, const char *operation, const void *object,
                         rill_status status)
{
    rill_error *last = &words->last;
    rl_tsan_hide();
    complete_note(object, status);
    last->status = status;
    last->operation = operation;
    last->argument = words->note.argument;
    rl_describe(object, last->object);
    memcpy(last->message, words->note.message, sizeof last->message);
    last->cause = words->note.cause;
    rl_tsan_show();
}

rill_status rl_settle(const char *operation, const void *object, rill_status status)
{
    if (status != RILL_SUCCESS && status != RILL_ERROR_NOT_READY) {
        struct words *words = words_here();
        write_record(words, operation, object, status);
        failures++;
        if (words->note.tell) words->note.tell(words->note.data, words->note.id, operation);
    }
    rl_drop_note();
    return status;
}

void rl_take_note(struct rl_note *note, const void *object, rill_status status)
{
    rl_tsan_hide();
    complete_note(object, status);
    *note = words_here()->note;
    rl_tsan_show();
    rl_drop_note();
}

rill_status rl_put_note(const struct rl_note *note)
{
    rl_noted = 1;
    rl_tsan_hide();
    words_here()->note = *note;
    rl_tsan_show();
    return note->status;
}

unsigned long rl_failures(void)
{
    return failures;
}

const rill_error *rill_last_error(void)
{
    return &words_here()->last;
}

void rill_clear_error(void)
{
    rl_tsan_hide();
    if (own_words) memset(&own_words->last, 0, sizeof own_words->last);
    rl_tsan_show();
}
