/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill run --trace`, `--timeline` and `--graphs`: the layer `trace`, and its settings, by the
 * environment.
 */
#include "command/trace.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/process.h"
#include "command/words.h"
#include "layer-trace/trace/settings.h"

static const char settings[] = "RILL_TRACE", layer[] = "trace";

/* ---- Options ------------------------------------------------------------------------------- */

bool command_read_trace(struct command_trace *trace, int argc, char **argv, int *at)
{
    const char *value;
    if (!strcmp(argv[*at], "--timeline")) trace->timeline = argv[*at];
    else if ((value = command_value("--trace", argc, argv, at))) trace->file = value;
    else if ((value = command_value("--graphs", argc, argv, at))) trace->graphs = value;
    else return false;
    return true;
}

/* Returns false after saying what is wrong with a value. */
static bool check_values(const struct command_trace *trace)
{
    const char *file = trace->file, *graphs = trace->graphs;
    if (file && !*file)
        command_fail(0, "run", "--trace takes the name of a file");
    else if (file && !command_is_writable(file))
        command_fail(0, "run", "--trace: %s cannot be written: %s", file, strerror(errno));
    else if (graphs && !*graphs)
        command_fail(0, "run", "--graphs takes the name of a folder");
    else if (graphs && mkdir(graphs, 0777) && errno != EEXIST)
        command_fail(0, "run", "--graphs: %s cannot be made: %s", graphs, strerror(errno));
    else if (graphs && access(graphs, W_OK | X_OK))
        command_fail(0, "run", "--graphs: %s cannot be written: %s", graphs, strerror(errno));
    else
        return true;
    return false;
}

static void put_settings(struct command_words *words, const struct command_trace *trace)
{
    const char *already = getenv(settings);
    if (already) command_put_text(words, already);
    if (trace->file) {
        command_put_text(words, " file=");
        command_put_file(words, trace->file, true);
    }
    if (trace->graphs) {
        command_put_text(words, " graphs=");
        command_put_file(words, trace->graphs, false);
    }
    if (trace->timeline) command_put_text(words, " timeline");
}

int command_set_trace(const struct command_trace *trace)
{
    static struct command_words words;
    static struct tr_settings after;
    char why[TR_WHY_MAX];
    bool given = trace->file || trace->timeline || trace->graphs;
    if (!given && !command_has_layer(layer)) return COMMAND_DONE;
    if (!check_values(trace)) return COMMAND_NOT_READY;
    put_settings(&words, trace);
    if (words.cut) return command_fail(COMMAND_NOT_READY, "run", "the settings are too long");
    if (!tr_settings_read(&after, words.text, why))
        return command_fail(COMMAND_NOT_READY, "run", "%s", why);
    if (given && (setenv(settings, words.text, 1) || !command_add_layer(layer)))
        return command_fail(COMMAND_NOT_READY, "run", "out of memory");
    return COMMAND_DONE;
}

/* ---- Drawings of graphs -------------------------------------------------------------------- */

/* Returns false if there is no program `dot`. */
static bool draw(const char *from, const char *to)
{
    char *words[] = { (char[]){ "dot" }, (char[]){ "-Tsvg" }, (char[]){ "-o" }, strdup(to),
                      strdup(from), NULL };
    pid_t process;
    bool started = words[3] && words[4] && !command_process_start(words, NULL, &process);
    if (started) command_process_await(process);
    free(words[3]);
    free(words[4]);
    return started;
}

/* Tells whether a drawing is older than what it is of, or not there. */
static bool is_older(const char *drawing, const char *source)
{
    struct stat own, other;
    if (stat(drawing, &own)) return true;
    if (stat(source, &other)) return false;
    return own.st_mtim.tv_sec < other.st_mtim.tv_sec ||
           (own.st_mtim.tv_sec == other.st_mtim.tv_sec &&
            own.st_mtim.tv_nsec <= other.st_mtim.tv_nsec);
}

/* Draws each graph that has no drawing yet.  Returns how many there are. */
static unsigned draw_all(const char *folder)
{
    unsigned count = 0;
    DIR *list = opendir(folder);
    struct dirent *entry;
    bool goes = list;
    while (goes && (entry = readdir(list))) {
        char from[COMMAND_PATH_MAX], to[COMMAND_PATH_MAX];
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".dot")) continue;
        snprintf(from, sizeof from, "%s/%s", folder, entry->d_name);
        snprintf(to, sizeof to, "%s/%.*s.svg", folder, (int)length - 4, entry->d_name);
        count++;
        if (is_older(to, from)) goes = draw(from, to);
    }
    if (list) closedir(list);
    return count;
}

/* Makes an empty file that goes when the timeline is drawn.  Without one nobody can tell. */
static void make_undrawn(char file[COMMAND_PATH_MAX])
{
    static struct command_words words;
    if (!command_make_file("rill-timeline", file, COMMAND_PATH_MAX)) return;
    command_put_text(&words, getenv(settings));
    command_put_text(&words, " drawn=");
    command_put_file(&words, file, false);
    if (!words.cut && !setenv(settings, words.text, 1)) return;
    unlink(file);
    *file = 0;
}

void command_look_after(const struct command_trace *trace)
{
    char undrawn[COMMAND_PATH_MAX] = "";
    if (trace->timeline) make_undrawn(undrawn);
    fflush(NULL);
    pid_t process = fork();
    if (process <= 0) return; /* or nobody looks */
    int how = command_process_await(process);
    if (trace->graphs && !draw_all(trace->graphs))
        fprintf(stderr, "rill run: the program instantiated no graph: there is none in %s\n",
                trace->graphs);
    if (trace->file && !strstr(trace->file, "%p") && access(trace->file, F_OK))
        fprintf(stderr, "rill run: the program used no GPU, or did not end by itself: %s was not "
                "written\n", trace->file);
    if (*undrawn && !unlink(undrawn))
        fprintf(stderr, "rill run: the program used no GPU, or did not end by itself: there is no "
                "timeline\n");
    command_process_end_like(how);
}
