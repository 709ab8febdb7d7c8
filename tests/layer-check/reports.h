/* SPDX-License-Identifier: Apache-2.0
 *
 * A session that writes to files of its own, with places that a test makes up.
 */
#ifndef REPORTS_H
#define REPORTS_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer-check/report/report.h"
#include "layer-check/report/state.h"
#include "support/cmocka_all.h"

/* ---- Places ------------------------------------------------------------------------------ */

/* A site is the address of one of these. */
static const struct cs_source sources[] = {
    { "src/app/pipeline.c", 88, "download", "app", 0x10 },
    { "src/app/pipeline.c", 81, "compute", "app", 0x20 },
    { "src/app/pipeline.c", 40, "make_frame", "app", 0x30 },
    { "src/app/pipeline.c", 81, "compute", "app", 0x28 }, /* the compiler's copy of the call */
    { NULL, 0, "cublasSgemm", "libcublas.so.12", 0x1f40 },
    { "/home/them/vendor/deep/pool.c", 7, "grow_pool", "libvendor.so", 0x7 },
    { NULL, 0, NULL, "app", 0xabc },
};
enum { DOWNLOAD, COMPUTE, MAKE_FRAME, COMPUTE_COPY, CUBLAS, VENDOR, NAMELESS };

static inline bool find_made_up(const void *site, struct cs_source *source)
{
    *source = *(const struct cs_source *)site;
    return true;
}

/* Each call has two callers. */
static inline size_t find_made_up_callers(const void *site, struct cs_source *callers, size_t room)
{
    static const int known[] = { VENDOR, CUBLAS };
    size_t count = room < 2 ? room : 2;
    (void)site;
    for (size_t i = 0; i < count; i++) callers[i] = sources[known[i]];
    return count;
}

/* ---- Sessions ------------------------------------------------------------------------------ */

struct reports {
    struct ck_session *session;
    struct ck_report *report;
    char log[64], json[64];
    char said[65536]; /* what read_text() and read_json() found */
};

static inline void name_file(char path[64], const char *words)
{
    snprintf(path, 64, "report-%s-%ld.tmp", words, (long)getpid());
}

static inline void begin_reports(struct reports *reports, const char *settings)
{
    char all[1024], why[CK_WHY_MAX] = "";
    name_file(reports->log, "log");
    name_file(reports->json, "json");
    snprintf(all, sizeof all, "log=%s json=%s %s", reports->log, reports->json, settings);
    reports->session = ck_session_create(all, why);
    assert_string_equal(why, "");
    assert_non_null(reports->session);
    reports->session->finder.source = find_made_up;
    reports->session->finder.callers = find_made_up_callers;
    reports->report = ck_report_create(reports->session);
    assert_non_null(reports->report);
}

static inline void read_file(const char *path, char *said, size_t size)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    said[fread(said, 1, size - 1, file)] = 0;
    fclose(file);
}

static inline const char *read_text(struct reports *reports)
{
    read_file(reports->log, reports->said, sizeof reports->said);
    return reports->said;
}

static inline const char *read_json(struct reports *reports)
{
    read_file(reports->json, reports->said, sizeof reports->said);
    return reports->said;
}

/* Closes the platform and ends the process, so to speak.  Returns the exit status. */
static inline int finish_reports(struct reports *reports)
{
    ck_report_destroy(reports->report);
    reports->report = NULL;
    int status = ck_session_end(reports->session);
    ck_session_destroy(reports->session);
    reports->session = NULL;
    return status;
}

static inline void remove_files(struct reports *reports)
{
    unlink(reports->log);
    unlink(reports->json);
}

/* Ends the session, whose text must be this. */
static inline void expect_text(struct reports *reports, const char *words)
{
    finish_reports(reports);
    assert_string_equal(read_text(reports), words);
    remove_files(reports);
}

/* ---- Findings ------------------------------------------------------------------------------ */

/* The race of the page in doc/checking.md; `order` is that of the later end. */
static inline struct ck_finding race(uint64_t order)
{
    return (struct ck_finding){
        .kind = RILL_FINDING_RACE,
        .ends = { { .what = "memcpy",
                    .does = "reads",
                    .site = &sources[DOWNLOAD],
                    .stream = "stream 'copy'",
                    .number = 7,
                    .order = order },
                  { .what = "kernel 'scale'",
                    .does = "writes",
                    .site = &sources[COMPUTE],
                    .stream = "stream 'compute'",
                    .number = 4,
                    .order = order - 1 } },
        .end_count = 2,
        .address = 0x7f0000001000,
        .bytes = 65536,
        .memory = "bytes 0 to 65535 of 'frame' (device 0, 1 MiB)",
        .allocated = &sources[MAKE_FRAME],
        .mend = RILL_MEND_WAIT,
    };
}

static inline struct ck_finding hint(uint64_t order)
{
    return (struct ck_finding){
        .kind = RILL_FINDING_HINT,
        .sentence = "the event was never recorded: the wait orders nothing",
        .ends = { { .what = "wait", .site = &sources[VENDOR], .stream = "stream 3", .number = 2,
                    .order = order } },
        .end_count = 1,
    };
}

static inline void add(struct reports *reports, struct ck_finding finding)
{
    ck_report_add(reports->report, &finding);
}

#endif
