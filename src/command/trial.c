/* SPDX-License-Identifier: Apache-2.0 */
#include "command/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "command/process.h"
#include "command/schedule.h"
#include "command/steps.h"

/* ---- Life -------------------------------------------------------------------------------- */

/* Those that this process waits for: that a program ended, and that somebody asks it to end. */
static void fill_signals(sigset_t *set)
{
    static const int signals[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };
    sigemptyset(set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(set, signals[i]);
}

static bool make_folder(struct trials *trials)
{
    const char *where = getenv("TMPDIR");
    char folder[4096];
    if (!where || *where != '/') where = "/tmp";
    snprintf(folder, sizeof folder, "%s/rill-run-XXXXXX", where);
    if (!mkdtemp(folder)) {
        command_fail(0, "run", "there is no folder for what the program writes: %s: %s", folder,
                     strerror(errno));
        return false;
    }
    trials->folder = rl_strdup(folder);
    if (!trials->folder) rmdir(folder);
    return trials->folder;
}

static bool name_trail(struct trials *trials, unsigned i)
{
    size_t room = strlen(trials->folder) + 32;
    char *name = trials->items[i].trail = rl_alloc(room);
    if (name) snprintf(name, room, "%s/trail.%u", trials->folder, i);
    return name;
}

bool command_trials_init(struct trials *trials, char **program, unsigned count, unsigned timeout_s)
{
    sigset_t set;
    fill_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    *trials = (struct trials){ .program = program, .timeout_ns = timeout_s * 1000000000ull };
    if (!make_folder(trials)) return false;
    trials->items = rl_zalloc(count * sizeof *trials->items);
    if (!trials->items) return command_fail(0, "run", "out of memory"), false;
    trials->count = count;
    for (unsigned i = 0; i < count; i++) trials->items[i].out = trials->items[i].err = -1;
    for (unsigned i = 0; i < count; i++)
        if (!name_trail(trials, i)) return command_fail(0, "run", "out of memory"), false;
    return true;
}

static void close_output(struct trial *trial)
{
    if (trial->out >= 0) close(trial->out);
    if (trial->err >= 0) close(trial->err);
    trial->out = trial->err = -1;
}

void command_trials_fini(struct trials *trials)
{
    for (unsigned i = 0; i < trials->count; i++) {
        struct trial *trial = &trials->items[i];
        command_trial_stop(trial);
        close_output(trial);
        if (trial->trail) unlink(trial->trail);
        rl_free(trial->trail);
    }
    if (trials->folder) rmdir(trials->folder);
    rl_free(trials->folder);
    rl_free(trials->items);
    *trials = (struct trials){ .count = 0 };
}

/* ---- Start ------------------------------------------------------------------------------- */

struct trial *command_trials_free_one(struct trials *trials)
{
    for (unsigned i = 0; i < trials->count; i++)
        if (!trials->items[i].process) return &trials->items[i];
    return NULL;
}

/* Returns a file that nobody else can open, or -1. */
static int open_hidden(const struct trial *trial)
{
    int file = open(trial->trail, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) unlink(trial->trail);
    return file;
}

int command_trial_start(struct trials *trials, struct trial *trial, const char *spec)
{
    close_output(trial);
    unlink(trial->trail);
    if ((trial->out = open_hidden(trial)) < 0 || (trial->err = open_hidden(trial)) < 0)
        return errno;
    const char *variable = trials->variable ? trials->variable : COMMAND_SCHEDULE;
    if (setenv(variable, spec, 1)) return errno;
    if (!trials->variable && setenv(COMMAND_TRAIL, trial->trail, 1)) return errno;
    const struct process_files files = { trial->out, trial->err };
    pid_t process;
    int error = command_process_start(trials->program, &files, &process);
    if (error) return error;
    trial->process = process;
    trial->deadline_ns = rl_monotonic_ns() + trials->timeout_ns;
    return 0;
}

/* ---- End --------------------------------------------------------------------------------- */

/* Ends what is left of the group of a process that is there still, if only as a zombie. */
static int end_group(struct trial *trial)
{
    int how = 0;
    kill(-trial->process, SIGKILL);
    while (waitpid(trial->process, &how, 0) < 0 && errno == EINTR) continue;
    trial->process = 0;
    return how;
}

void command_trial_stop(struct trial *trial)
{
    if (!trial->process) return;
    end_group(trial);
    trial->end = TRIAL_STOPPED;
}

/* Notes how the trial ended.  Returns false if it runs on. */
static bool note_end(struct trial *trial)
{
    siginfo_t info = { .si_pid = 0 };
    waitid(P_PID, (id_t)trial->process, &info, WEXITED | WNOHANG | WNOWAIT);
    bool late = !info.si_pid && rl_monotonic_ns() >= trial->deadline_ns;
    if (!info.si_pid && !late) return false;
    int how = end_group(trial);
    bool exited = WIFEXITED(how);
    trial->how = exited ? WEXITSTATUS(how) : WTERMSIG(how);
    if (command_steps_tell_hang(trial->trail, NULL)) trial->end = TRIAL_HANG;
    else if (late) trial->end = TRIAL_TIMEOUT;
    else if (!exited) trial->end = TRIAL_SIGNAL;
    else trial->end = trial->how ? TRIAL_STATUS : TRIAL_PASSED;
    return true;
}

/* Waits for a signal until the next trial's time is over. */
static void sleep_for_end(struct trials *trials)
{
    uint64_t now = rl_monotonic_ns(), first = UINT64_MAX;
    sigset_t set;
    for (unsigned i = 0; i < trials->count; i++)
        if (trials->items[i].process && trials->items[i].deadline_ns < first)
            first = trials->items[i].deadline_ns;
    uint64_t left = first > now ? first - now : 0;
    const struct timespec wait = { (time_t)(left / 1000000000u), (long)(left % 1000000000u) };
    fill_signals(&set);
    int signal = sigtimedwait(&set, NULL, &wait);
    if (signal < 0 || signal == SIGCHLD) return;
    command_trials_fini(trials);
    command_process_end_like(signal);
}

struct trial *command_trials_await(struct trials *trials)
{
    for (;;) {
        bool any = false;
        for (unsigned i = 0; i < trials->count; i++) {
            struct trial *trial = &trials->items[i];
            if (trial->process && note_end(trial)) return trial;
            any = any || trial->process;
        }
        if (!any) return NULL;
        sleep_for_end(trials);
    }
}

/* ---- What is told ------------------------------------------------------------------------ */

const char *command_trial_words(const struct trial *trial, char text[128])
{
    switch (trial->end) {
    case TRIAL_PASSED: snprintf(text, 128, "success"); break;
    case TRIAL_STATUS: snprintf(text, 128, "status %d", trial->how); break;
    case TRIAL_SIGNAL:
        snprintf(text, 128, "signal %d (%s)", trial->how, strsignal(trial->how));
        break;
    case TRIAL_HANG: snprintf(text, 128, "a hang"); break;
    case TRIAL_TIMEOUT: snprintf(text, 128, "no end in time"); break;
    default: snprintf(text, 128, "no end"); break;
    }
    return text;
}

static void copy_file(int from, int to)
{
    char block[4096];
    ssize_t size;
    off_t at = 0;
    while ((size = pread(from, block, sizeof block, at)) > 0) {
        for (ssize_t done = 0, more; done < size; done += more)
            if ((more = write(to, block + done, (size_t)(size - done))) <= 0) return;
        at += size;
    }
}

void command_trial_show(const struct trial *trial)
{
    fflush(stdout);
    fflush(stderr);
    copy_file(trial->out, STDOUT_FILENO);
    copy_file(trial->err, STDERR_FILENO);
}
