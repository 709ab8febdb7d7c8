/* SPDX-License-Identifier: Apache-2.0
 *
 * `rill cc`: compiles programs of CUDA C++ with clang and rill's headers, and nothing of CUDA's.
 *
 * Each source is compiled twice: for devices, to PTX, and for the host, with the PTX as the image
 * that it brings.  So neither ptxas nor fatbinary is called.  The version of CUDA that clang is
 * told chooses how kernels are launched; without CUDA, it would write PTX of a version that cannot
 * shuffle.
 */
#include "command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "command/process.h"

/* What was asked for. */
struct request {
    const char *gpu, *out;
    bool objects;     /* -c                                    */
    char **sources;   /* files of CUDA C++                     */
    char **options;   /* for compiling                         */
    char **inputs;    /* other files, and options for the link */
    size_t source_count, option_count, input_count;
};

struct tools {
    char clang[64];
    char runtime[COMMAND_PATH_MAX];  /* the folder of libcudart */
    char headers[COMMAND_PATH_MAX + 8];
};

enum { WORDS_MORE = 32 }; /* besides those that were given */

/* ---- Words --------------------------------------------------------------------------------- */

static bool ends_in(const char *word, const char *end)
{
    size_t length = strlen(word), bytes = strlen(end);
    return length > bytes && !strcmp(word + length - bytes, end);
}

/* Tells whether an option of compiling has its value in the next word. */
static bool takes_word(const char *word)
{
    static const char *const words[] = { "-I", "-D", "-U", "-include", "-isystem", "-iquote",
                                         "-Xclang", "-MF", "-MT", "-MQ" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(word, words[i])) return true;
    return false;
}

static bool is_input(const char *word)
{
    return *word != '-' || !strncmp(word, "-l", 2) || !strncmp(word, "-L", 2) ||
           !strncmp(word, "-Wl,", 4);
}

static bool read_words(struct request *request, int count, char **words)
{
    for (int i = 1; i < count; i++) {
        char *word = words[i];
        bool more = i + 1 < count;
        if (!strcmp(word, "-c")) request->objects = true;
        else if (!strcmp(word, "-o") && more) request->out = words[++i];
        else if (!strncmp(word, "--gpu=", 6)) request->gpu = word + 6;
        else if (ends_in(word, ".cu")) request->sources[request->source_count++] = word;
        else if (is_input(word)) {
            request->inputs[request->input_count++] = word;
            if (!strcmp(word, "-L") && more) request->inputs[request->input_count++] = words[++i];
        } else {
            request->options[request->option_count++] = word;
            if (takes_word(word) && more) request->options[request->option_count++] = words[++i];
        }
    }
    return request->source_count || (request->input_count && !request->objects);
}

static bool create_request(struct request *request, int count, char **words)
{
    *request = (struct request){ .gpu = "sm_75" };
    request->sources = rl_zalloc((size_t)count * sizeof *words);
    request->options = rl_zalloc((size_t)count * sizeof *words);
    request->inputs = rl_zalloc((size_t)count * sizeof *words);
    return request->sources && request->options && request->inputs &&
           read_words(request, count, words);
}

static void free_request(struct request *request)
{
    rl_free(request->sources);
    rl_free(request->options);
    rl_free(request->inputs);
}

/* ---- Clang --------------------------------------------------------------------------------- */

/* Runs a command whose words end in NULL.  Returns its status, or -1 with errno if there is
 * none. */
static int run_words(const char *const *words, const struct process_files *files)
{
    pid_t process;
    int how, error = command_process_start((char **)(uintptr_t)words, files, &process);
    if (error) {
        errno = error;
        return -1;
    }
    while (waitpid(process, &how, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(how) ? WEXITSTATUS(how) : COMMAND_FAILED;
}

/* Tries to compile nothing for a device. */
static int try_clang(const char *clang, int nowhere)
{
    const struct process_files files = { nowhere, nowhere };
    const char *const words[] = { clang, "-x", "cuda", "--cuda-device-only",
                                  "--cuda-gpu-arch=sm_75", "-nocudainc", "-nocudalib", "-S", "-o",
                                  "/dev/null", "/dev/null", NULL };
    return run_words(words, &files);
}

static int find_clang(struct tools *tools)
{
    static const char *const names[] = { "clang", "clang-22", "clang-21", "clang-20", "clang-19",
                                         "clang-18", "clang-17", "clang-16", "clang-15",
                                         "clang-14" };
    const char *given = getenv("CLANG");
    size_t count = given && *given ? 1 : sizeof names / sizeof *names;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *name = given && *given ? given : names[i];
        int status = try_clang(name, nowhere);
        if (status >= 0 && !found) found = name;
        if (status || (size_t)snprintf(tools->clang, sizeof tools->clang, "%s", name) >=
                          sizeof tools->clang)
            continue;
        close(nowhere);
        return COMMAND_DONE;
    }
    close(nowhere);
    if (found)
        return command_fail(COMMAND_NOT_READY, "cc", "%s cannot compile for GPUs: clang 14 or "
                            "later with the target NVPTX is needed; CLANG names another one",
                            found);
    return command_fail(COMMAND_NOT_READY, "cc", "there is no %s: install clang, 14 or later "
                        "(Debian: clang), or name one in CLANG", given && *given ? given : "clang");
}

static int find_tools(struct tools *tools)
{
    char header[sizeof tools->headers + 32];
    if (command_find_runtime(tools->runtime)) {
        snprintf(tools->headers, sizeof tools->headers, "%s/cc", tools->runtime);
        snprintf(header, sizeof header, "%s/cuda_runtime.h", tools->headers);
        if (!access(header, R_OK)) return find_clang(tools);
    }
    return command_fail(COMMAND_NOT_READY, "cc", "rill's headers and its libcudart are not here");
}

/* ---- Compiling ----------------------------------------------------------------------------- */

/* A command that is put together. */
struct line {
    const char **words;
    size_t count;
};

static void add_words(struct line *line, const char *const *words)
{
    while (*words) line->words[line->count++] = *words++;
}

static void add_some(struct line *line, char **words, size_t count)
{
    for (size_t i = 0; i < count; i++) line->words[line->count++] = words[i];
}

static size_t room_for(const struct request *request)
{
    return request->source_count + request->option_count + request->input_count + WORDS_MORE;
}

/* Runs a pass over a source: `more` has the words of this pass.  As with nvcc, a source need not
 * include the runtime's header. */
static int run_pass(const struct tools *tools, const struct request *request, const char *source,
                    const char *const *more, const char *out)
{
    char gpu[64];
    snprintf(gpu, sizeof gpu, "--cuda-gpu-arch=%s", request->gpu);
    const char *const first[] = { tools->clang, gpu, "-nocudainc", "-nocudalib", "-Xclang",
                                  "-target-sdk-version=11.5", "-Wno-unknown-cuda-version", "-I",
                                  tools->headers, "-include", "cuda_runtime.h", NULL };
    const char *const last[] = { "-x", "cuda", source, "-o", out, NULL };
    struct line line = { rl_zalloc(room_for(request) * sizeof *line.words), 0 };
    if (!line.words) return COMMAND_FAILED;
    add_words(&line, first);
    add_words(&line, more);
    add_some(&line, request->options, request->option_count);
    add_words(&line, last);
    int status = run_words(line.words, NULL);
    rl_free(line.words);
    return status < 0 ? COMMAND_FAILED : status;
}

/* Images of text end in a 0. */
static bool end_image(const char *image)
{
    FILE *file = fopen(image, "ab");
    return file && (fputc(0, file), !fclose(file));
}

static int compile_source(const struct tools *tools, const struct request *request,
                          const char *source, const char *image, const char *object)
{
    const char *const device[] = { "--cuda-device-only", "-S", "-O2", "-Xclang", "-target-feature",
                                   "-Xclang", "+ptx70", NULL };
    const char *const host[] = { "--cuda-host-only", "-c", "-Xclang", "-fcuda-include-gpubinary",
                                 "-Xclang", image, NULL };
    int status = run_pass(tools, request, source, device, image);
    if (!status && !end_image(image)) status = COMMAND_FAILED;
    return status ? status : run_pass(tools, request, source, host, object);
}

static int link_program(const struct tools *tools, const struct request *request, char **objects)
{
    char path[COMMAND_PATH_MAX + 16], library[COMMAND_PATH_MAX + 32];
    snprintf(path, sizeof path, "-Wl,-rpath,%s", tools->runtime);
    snprintf(library, sizeof library, "%s/libcudart.so.13", tools->runtime);
    const char *const first[] = { tools->clang, "-Wno-unused-command-line-argument", "-I",
                                  tools->headers, NULL };
    const char *const last[] = { path, library, "-lstdc++", "-lm", "-o",
                                 request->out ? request->out : "a.out", NULL };
    struct line line = { rl_zalloc(room_for(request) * sizeof *line.words), 0 };
    if (!line.words) return COMMAND_FAILED;
    add_words(&line, first);
    add_some(&line, request->options, request->option_count);
    add_some(&line, objects, request->source_count);
    add_some(&line, request->inputs, request->input_count);
    add_words(&line, last);
    int status = run_words(line.words, NULL);
    rl_free(line.words);
    return status < 0 ? COMMAND_FAILED : status;
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* Compiles into a folder, and links. */
static int build_in(const struct tools *tools, const struct request *request, const char *folder)
{
    char image[COMMAND_PATH_MAX + 16];
    char **objects = rl_zalloc((request->source_count + 1) * sizeof *objects);
    int status = objects ? COMMAND_DONE : COMMAND_FAILED;
    snprintf(image, sizeof image, "%s/image.ptx", folder);
    for (size_t i = 0; !status && i < request->source_count; i++) {
        char object[COMMAND_PATH_MAX + 32];
        snprintf(object, sizeof object, "%s/%zu.o", folder, i);
        objects[i] = rl_strdup(object);
        const char *out = request->objects ? request->out : objects[i];
        status = objects[i] ? compile_source(tools, request, request->sources[i], image, out)
                            : COMMAND_FAILED;
        unlink(image);
    }
    if (!status && !request->objects) status = link_program(tools, request, objects);
    for (size_t i = 0; objects && i < request->source_count && objects[i]; i++) {
        unlink(objects[i]);
        rl_free(objects[i]);
    }
    rl_free(objects);
    return status;
}

static int build(const struct request *request)
{
    struct tools tools;
    char folder[COMMAND_PATH_MAX];
    const char *where = getenv("TMPDIR");
    int status = find_tools(&tools);
    if (status) return status;
    snprintf(folder, sizeof folder, "%s/rill-cc-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder))
        return command_fail(COMMAND_FAILED, "cc", "%s: %s", folder, strerror(errno));
    status = build_in(&tools, request, folder);
    rmdir(folder);
    return status;
}

int command_cc(int argc, char **argv)
{
    struct request request;
    int status = COMMAND_MISUSED;
    if (argc > 1 && !strcmp(argv[1], "--help")) return command_help(argv[0]);
    if (!create_request(&request, argc, argv))
        command_fail(status, "cc", "no file is given; rill cc --help says what there is");
    else if (request.objects && (request.source_count != 1 || request.input_count))
        command_fail(status, "cc", "-c compiles one .cu");
    else if (request.objects && !request.out)
        command_fail(status, "cc", "-c needs -o");
    else
        status = build(&request);
    free_request(&request);
    return status;
}
