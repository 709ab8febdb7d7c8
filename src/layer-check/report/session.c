/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/session.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "layer-check/report/file.h"
#include "layer-check/report/state.h"

/* ---- Any session -------------------------------------------------------------------------- */

static bool open_files(struct ck_session *session, bool again, char *why)
{
    const struct ck_settings *settings = &session->settings;
    if (*settings->json) {
        session->json_file = ck_file_open("json", settings->json, again, why);
        if (session->json_file < 0) return false;
    }
    session->text_file = *settings->log ? ck_file_open("log", settings->log, again, why)
                                        : ck_file_stderr();
    return session->text_file >= 0;
}

static void fini_session(struct ck_session *session)
{
    ck_suppressions_free(&session->suppressions);
    ck_file_close(&session->text_file);
    ck_file_close(&session->json_file);
}

/* Sets a session up.  Files that exist are added to if `again`, else they begin anew. */
static bool init_session(struct ck_session *session, const char *settings, bool again,
                         char why[CK_WHY_MAX])
{
    *session = (struct ck_session){
        .finder = { .source = cs_find_source, .callers = cs_find_callers },
        .text_file = -1,
        .json_file = -1,
        .process = getpid(),
    };
    if (ck_settings_read(&session->settings, settings, why) &&
        ck_suppressions_read(&session->suppressions, session->settings.suppressions, why) &&
        open_files(session, again, why)) {
        session->finder.most = (size_t)session->settings.stack;
        return true;
    }
    fini_session(session);
    return false;
}

struct ck_session *ck_session_create(const char *settings, char why[CK_WHY_MAX])
{
    struct ck_session *session = rl_alloc(sizeof *session);
    if (session && init_session(session, settings, false, why)) return session;
    if (!session) snprintf(why, CK_WHY_MAX, "there is no memory to check with");
    rl_free(session);
    return NULL;
}

void ck_session_destroy(struct ck_session *session)
{
    if (!session) return;
    fini_session(session);
    rl_free(session);
}

const struct ck_settings *ck_session_settings(const struct ck_session *session)
{
    return &session->settings;
}

static bool has_bugs(const struct ck_totals *totals)
{
    bool has = totals->left_out > 0;
    for (int kind = 1; kind < CK_KINDS; kind++)
        if (kind != RILL_FINDING_HINT && totals->kinds[kind]) has = true;
    return has;
}

int ck_session_end(struct ck_session *session)
{
    rl_lock(&session->lock);
    ck_session_write(session, false);
    bool bugs = has_bugs(&session->text) || atomic_load(&session->failed);
    rl_unlock(&session->lock);
    return bugs ? session->settings.exitcode : 0;
}

/* ---- The session of the process -------------------------------------------------------------
 *
 * It is no allocation, so that a program that counts what the library has left finds nothing.
 */

static struct ck_session process_session;
static struct rl_lock process_lock; /* held to begin the session */
static atomic_bool process_began;

/* Keeps the library, when the program unloads it, until the process ends. */
static void pin_library(void)
{
    Dl_info info;
    if (dladdr(&process_session, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* A child of fork() does not go on with what its parent found: it begins anew, and only adds
 * to files. */
static bool begin_process(char *why)
{
    bool began = atomic_load(&process_began), child = began && process_session.process != getpid();
    if (began && !child) return true;
    if (child) fini_session(&process_session);
    began = init_session(&process_session, rl_getenv("RILL_CHECK"), child, why);
    atomic_store(&process_began, began);
    if (!began) return false;
    cs_keep_callers((unsigned)process_session.settings.stack);
    ck_session_watch_death(&process_session);
    return true;
}

struct ck_session *ck_session_of_process(char why[CK_WHY_MAX])
{
    pin_library(); /* takes the loader's lock, so before ours */
    rl_lock(&process_lock);
    bool began = begin_process(why);
    rl_unlock(&process_lock);
    return began ? &process_session : NULL;
}

/* Runs after all that the program registered for its end, and after what this library does
 * then: the status of the process is its business until here.  A handler that calls exit()
 * has the C library of GNU go on with the new status, and empty all buffers; no other promises
 * as much. */
__attribute__((destructor(101))) static void end_process(void)
{
    if (!atomic_load(&process_began) || process_session.process != getpid()) return;
    int status = ck_session_end(&process_session);
    if (!status) return;
#ifdef __GLIBC__
    exit(status);
#else
    fflush(NULL);
    _exit(status);
#endif
}
