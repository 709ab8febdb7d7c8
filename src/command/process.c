/* SPDX-License-Identifier: Apache-2.0 */
#include "command/process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/command.h"

extern char **environ;

/* ---- Start ------------------------------------------------------------------------------ */

/* The program gets the signals as this process found them, whatever is blocked here. */
static int set_attributes(posix_spawnattr_t *attributes, bool own_group)
{
    sigset_t none;
    short flags = POSIX_SPAWN_SETSIGMASK;
    sigemptyset(&none);
    if (own_group) flags |= POSIX_SPAWN_SETPGROUP;
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error) error = posix_spawnattr_setflags(attributes, flags);
    return error;
}

static int set_files(posix_spawn_file_actions_t *actions, const struct process_files *files)
{
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", 0, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, files->out, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, files->err, STDERR_FILENO);
    return error;
}

int command_process_start(char **program, const struct process_files *files, pid_t *process)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int error = posix_spawnattr_init(&attributes);
    if (error) return error;
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = set_attributes(&attributes, files);
        if (!error && files) error = set_files(&actions, files);
        if (!error)
            error = posix_spawnp(process, *program, &actions, &attributes, program, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return error;
}

int command_process_refused(const char *program, int reason)
{
    bool missing = reason == ENOENT || reason == ENOTDIR;
    return command_fail(missing ? COMMAND_NOT_FOUND : COMMAND_NOT_RUN, "run", "%s: %s", program,
                        strerror(reason));
}

/* ---- End -------------------------------------------------------------------------------- */

static volatile sig_atomic_t program_process;

static void hand_on(int signal)
{
    if (program_process) kill((pid_t)program_process, signal);
}

int command_process_await(pid_t process)
{
    static const int from_terminal[] = { SIGINT, SIGQUIT }, from_others[] = { SIGTERM, SIGHUP };
    struct sigaction action = { .sa_handler = SIG_IGN };
    int how = 0;
    program_process = process;
    for (int i = 0; i < 2; i++) sigaction(from_terminal[i], &action, NULL);
    action.sa_handler = hand_on;
    for (int i = 0; i < 2; i++) sigaction(from_others[i], &action, NULL);
    while (waitpid(process, &how, 0) < 0 && errno == EINTR) continue;
    return how;
}

void command_process_end_like(int how)
{
    fflush(stdout);
    if (WIFEXITED(how)) exit(WEXITSTATUS(how));
    const struct rlimit no_core = { 0, 0 };
    sigset_t set;
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(how), SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, WTERMSIG(how));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(WTERMSIG(how));
    exit(128 + WTERMSIG(how));
}
