/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/abi/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/words/log_words.h"
#include "site/site.h"
#include "standin/abi/status.h"

/* ---- Lines ------------------------------------------------------------------------------
 *
 * Each is written once: an image that is loaded a thousand times is refused for one cause.
 */

enum { SAID = 1024 };

/* Tells whether a line is new.  Once the table is full, every line is. */
static int is_new(const char *line)
{
    static atomic_uint_least64_t said[SAID]; /* by their hash; 0 is free */
    uint64_t hash = 14695981039346656037u;
    for (; *line; line++) hash = (hash ^ (unsigned char)*line) * 1099511628211u;
    hash |= 1;
    for (unsigned i = 0; i < SAID; i++) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&said[(hash / 2 + i) % SAID], &there, hash)) return 1;
        if (there == hash) return 0;
    }
    return 1;
}

void si_log(const char *format, ...)
{
    char line[2048]; /* written at once, so that lines of several processes do not mix */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (is_new(line)) fprintf(stderr, "rill: %s\n", line);
}

/* ---- Failures --------------------------------------------------------------------------- */

/* What has no number in the driver became another status.  Each record is used once, so that an
 * old one is not taken for that of a call that left none. */
__attribute__((visibility("default")))
int rill_failure_words(CUresult status, char words[RILL_ERROR_MESSAGE_MAX])
{
    const rill_error *last = rill_last_error();
    int has = last->status && (last->status == status || (int)last->status >= 10000);
    if (has) memcpy(words, last->message, RILL_ERROR_MESSAGE_MAX);
    rill_clear_error();
    return has;
}

static int is_of_runtime(void)
{
    const char *call = cs_call_here().name;
    return call && !strncmp(call, "cuda", 4);
}

void si_log_failure(const char *call, CUresult status)
{
    const char *name = si_status_name(status);
    if (status == RILL_ERROR_NOT_READY || !rl_log_wants("errors") || is_of_runtime()) return;
    const char *general = si_status_words(status);
    char words[RILL_ERROR_MESSAGE_MAX];
    snprintf(words, sizeof words, "%s", general ? general : "rill has no words for it");
    rill_failure_words(status, words);
    fprintf(stderr, "rill: %s: %s: %s\n", call, name ? name : "unknown status", words);
}
