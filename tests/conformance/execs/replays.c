/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays: steps that are captured, taken over by an exec and launched do what
 * they would do without one.
 */
#include "conformance/captures/capturing.h"

#define WORDS 4

/* A step: fills, one behind the other, and beside them in another stream. */
struct job {
    struct fixture *f;
    rill_stream *side;
    rill_devptr words[WORDS];
    atomic_uint *seen[WORDS];
    uint32_t value;      /* of the fills                */
    int fills;           /* how many, in words[0] on    */
    int forked;          /* the last one is in `side`   */
    int synchronizes;
    int hosts, runs;
    atomic_int destroys; /* any thread may be the one that gives back */
    rill_replay_report last;
};

static void run(void *data)
{
    ((struct job *)data)->runs++;
}

static void destroy(void *data)
{
    atomic_fetch_add(&((struct job *)data)->destroys, 1);
}

static rill_status enqueue(rill_stream *stream, void *data)
{
    struct job *job = data;
    int last = job->fills - 1;
    rill_status status = RILL_SUCCESS;
    if (job->forked) status = rill_stream_fork(stream, &job->side, 1);
    for (int i = 0; !status && i < job->fills; i++)
        status = rill_memset_d32_async(job->forked && i == last ? job->side : stream,
                                       job->words[i], job->value, 1);
    if (!status && job->forked) status = rill_stream_join_all(stream);
    for (int i = 0; !status && i < job->hosts; i++)
        status = rill_launch_host(stream, run, job, destroy);
    if (!status && job->synchronizes) status = rill_stream_synchronize(stream);
    return status;
}

static void look(void *data, const rill_replay_report *report)
{
    ((struct job *)data)->last = *report;
}

static struct job new_job(struct fixture *f)
{
    struct job job = { .f = f, .side = new_non_blocking(f), .fills = 2 };
    for (int i = 0; i < WORDS; i++) {
        job.seen[i] = new_word(f);
        job.words[i] = address_of(f, job.seen[i]);
    }
    return job;
}

static rill_replay *new_replay(struct job *job, uint32_t flags, size_t execs)
{
    const rill_replay_options options = { .size = sizeof options, .flags = flags,
                                          .max_execs = execs, .report = look,
                                          .report_data = job };
    rill_replay *replay = NULL;
    job->f->unseen = true;
    ok(rill_replay_create(job->f->context, &options, enqueue, job, NULL, &replay));
    return replay;
}

static rill_replay_info info(rill_replay *replay)
{
    rill_replay_info now = { .size = sizeof now };
    ok(rill_replay_get_info(replay, &now));
    return now;
}

/* One step, as it should come out, with what it should have done. */
#define steps(job, replay, stream, outcome) \
    check_step(job, replay, stream, outcome, __FILE__, __LINE__)
static void check_step(struct job *job, rill_replay *replay, rill_stream *stream,
                       rill_replay_outcome outcome, const char *file, int line)
{
    job->value++;
    for (int i = 0; i < WORDS; i++) atomic_store(job->seen[i], 0);
    ok(rill_replay_step(replay, stream));
    ok(rill_stream_synchronize(stream));
    for (int i = 0; i < WORDS; i++) {
        uint32_t wanted = i < job->fills ? job->value : 0;
        if (atomic_load(job->seen[i]) == wanted) continue;
        print_error("word %d is %u, not %u\n", i, atomic_load(job->seen[i]), (unsigned)wanted);
        _fail(file, line);
    }
    if (job->last.outcome == outcome) return;
    print_error("the outcome is %d, not %d: %s\n", (int)job->last.outcome, (int)outcome,
                info(replay).reason);
    _fail(file, line);
}

/* ---- Steps -------------------------------------------------------------------------- */

static void every_step_does_what_it_says(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *replay = new_replay(&job, 0, 0);
    steps(&job, replay, stream, RILL_REPLAY_INSTANTIATED);
    for (int i = 0; i < 20; i++) steps(&job, replay, stream, RILL_REPLAY_UPDATED);
    ok(rill_replay_destroy(&replay));
}

static void shapes_by_turns_keep_their_execs(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *replay = new_replay(&job, 0, 0);
    for (int round = 0; round < 4; round++)
        for (int shape = 0; shape < 4; shape++) {
            job.fills = 2 + shape / 2;
            job.forked = shape % 2;
            steps(&job, replay, stream, round ? RILL_REPLAY_UPDATED : RILL_REPLAY_INSTANTIATED);
        }
    assert_int_equal(info(replay).execs, 4);
    assert_int_equal(info(replay).updates, 12);
    ok(rill_replay_destroy(&replay));
}

static void the_limit_holds_and_evicts(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *replay = new_replay(&job, 0, 2);
    for (int round = 0; round < 3; round++)
        for (job.fills = 1; job.fills < 4; job.fills++)
            steps(&job, replay, stream, RILL_REPLAY_INSTANTIATED);
    assert_int_equal(info(replay).execs, 2);
    assert_int_equal(info(replay).evictions, 7);
    ok(rill_replay_destroy(&replay));
}

static void execs_count_in_bytes_and_are_cleared(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *replay = new_replay(&job, 0, 0);
    assert_int_equal(info(replay).bytes, 0);
    for (size_t all = 0, last = 0, execs = 1; execs <= 3; execs++) {
        job.fills = (int)execs;
        steps(&job, replay, stream, RILL_REPLAY_INSTANTIATED);
        assert_int_equal(info(replay).execs, execs);
        /* A larger graph makes a larger exec; a driver does not say how large they are. */
        if (suite->expects.runs_functions) assert_true(info(replay).bytes - all > last);
        last = info(replay).bytes - all;
        all = info(replay).bytes;
    }
    ok(rill_replay_clear(replay));
    assert_int_equal(info(replay).execs, 0);
    assert_int_equal(info(replay).bytes, 0);
    steps(&job, replay, stream, RILL_REPLAY_INSTANTIATED);
    ok(rill_replay_destroy(&replay));
}

static void an_empty_step_is_no_launch(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *replay = new_replay(&job, 0, 0);
    job.fills = 0;
    steps(&job, replay, stream, RILL_REPLAY_EMPTY);
    assert_int_equal(info(replay).execs, 0);
    ok(rill_replay_destroy(&replay));
}

/* All data are given back, once each, soon after the last launch that has them. */
static void given_back(struct job *job, int count)
{
    uint64_t end = fixture_patience();
    while (atomic_load(&job->destroys) < count && fixture_before(end))
        ok(rill_context_synchronize(job->f->context));
    assert_int_equal(atomic_load(&job->destroys), count);
}

/* ---- In flight ----------------------------------------------------------------------- */

/* The exec is updated while earlier launches of it have not begun. */
static void steps_queue_up_with_their_own_values(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *replay = new_replay(&job, 0, 0);
    struct gate *closed = gate(job.f, stream);
    job.hosts = 1;
    for (int i = 0; i < 10; i++) {
        job.value++;
        job.words[0] = address_of(job.f, job.seen[i % 2]);
        ok(rill_replay_step(replay, stream));
    }
    assert_int_equal(info(replay).updates, 9);
    assert_int_equal(job.runs, 0);
    open_gate(closed);
    drained(stream);
    assert_int_equal(job.runs, 10);
    assert_int_equal(atomic_load(job.seen[0]), 9);  /* of the last but one */
    assert_int_equal(atomic_load(job.seen[1]), 10); /* and of the last     */
    ok(rill_replay_destroy(&replay));
    given_back(&job, 10);
}

static void a_replay_may_go_while_its_launches_run(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *replay = new_replay(&job, 0, 0);
    struct gate *closed = gate(job.f, stream);
    job.hosts = 3;
    for (int i = 0; i < 4; i++) {
        job.fills = i % 2;
        ok(rill_replay_step(replay, stream));
    }
    ok(rill_replay_destroy(&replay));
    held(stream);
    open_gate(closed);
    drained(stream);
    assert_int_equal(job.runs, 12);
    given_back(&job, 12);
}

/* ---- What cannot be captured --------------------------------------------------------- */

static void a_step_that_waits_runs_eagerly_where_it_may(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *strict = new_replay(&job, 0, 0);
    job.synchronizes = 1;
    refuses(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, NULL, rill_replay_step(strict, stream));
    assert_string_equal(rill_last_error()->cause.operation, "rill_stream_synchronize");
    idle(stream);
    job.synchronizes = 0;
    steps(&job, strict, stream, RILL_REPLAY_INSTANTIATED);
    ok(rill_replay_destroy(&strict));

    rill_replay *lenient = new_replay(&job, RILL_REPLAY_OR_EAGER, 0);
    job.synchronizes = 1;
    steps(&job, lenient, stream, RILL_REPLAY_EAGER);
    assert_int_equal(job.last.status, RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    steps(&job, lenient, job.f->legacy, RILL_REPLAY_EAGER);
    job.synchronizes = 0;
    steps(&job, lenient, stream, RILL_REPLAY_INSTANTIATED);
    ok(rill_replay_destroy(&lenient));
}

static void a_step_becomes_part_of_a_capture(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_stream(job.f);
    rill_replay *replay = new_replay(&job, RILL_REPLAY_OR_EAGER, 0);
    job.value = 'A';
    ok(begin(stream, RILL_CAPTURE_THREAD_LOCAL));
    ok(rill_replay_step(replay, stream));
    gives(stream, "A A | A>A");
    ok(rill_replay_destroy(&replay));
}

/* Making and dropping execs is what captures on this thread forbid. */
static void steps_do_not_break_the_captures_of_others(void **state)
{
    struct job job = new_job(*state);
    rill_stream *stream = new_non_blocking(job.f), *other = new_non_blocking(job.f);
    rill_replay *replay = new_replay(&job, 0, 1);
    ok(begin(other, RILL_CAPTURE_GLOBAL));
    ok(letter(job.f, other, 'A'));
    for (job.fills = 1; job.fills < 4; job.fills++) ok(rill_replay_step(replay, stream));
    assert_int_equal(info(replay).evictions, 2);
    ok(rill_replay_destroy(&replay));
    active(other);
    gives(other, "A");
    ok(rill_stream_synchronize(stream));
}

/* ---- At once ------------------------------------------------------------------------- */

static void step_often(void *data, int index)
{
    struct job *job = &((struct job *)data)[index];
    rill_stream *stream = job->side;
    rill_replay *replay = NULL;
    job->f->unseen = true;
    works(job->f, rill_replay_create(job->f->context, NULL, enqueue, job, NULL, &replay));
    for (int i = 0; i < 100; i++) {
        job->fills = 1 + i % 3;
        works(job->f, rill_replay_step(replay, stream));
    }
    works(job->f, rill_stream_synchronize(stream));
    works(job->f, rill_replay_destroy(&replay));
}

static void threads_replay_at_once(void **state)
{
    struct job jobs[4];
    for (int i = 0; i < 4; i++) {
        jobs[i] = new_job(*state);
        jobs[i].hosts = 2;
    }
    crew(4, step_often, jobs);
    all_worked(jobs[0].f);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(jobs[i].runs, 200);
        given_back(&jobs[i], 200);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_step_does_what_it_says),
    cmocka_unit_test(shapes_by_turns_keep_their_execs),
    cmocka_unit_test(the_limit_holds_and_evicts),
    cmocka_unit_test(execs_count_in_bytes_and_are_cleared),
    cmocka_unit_test(an_empty_step_is_no_launch),
    cmocka_unit_test(steps_queue_up_with_their_own_values),
    cmocka_unit_test(a_replay_may_go_while_its_launches_run),
    cmocka_unit_test(a_step_that_waits_runs_eagerly_where_it_may),
    cmocka_unit_test(a_step_becomes_part_of_a_capture),
    cmocka_unit_test(steps_do_not_break_the_captures_of_others),
    cmocka_unit_test(threads_replay_at_once),
};
SUITE_GROUP(replays, 1);
