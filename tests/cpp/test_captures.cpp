/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures and replays, and what becomes of exceptions in them.
 */
#include "scene.hpp"

#include <vector>

struct oops {
    int number;
};

/* ---- Captures ------------------------------------------------------------------- */

static void a_capture_is_a_graph()
{
    scene s;
    int calls = 0;
    const rill::graph graph = rill::capture(s.stream, [&] {
        s.stream.launch_host([&] { calls++; });
        s.stream.launch_host([&] { calls++; });
    });
    EXPECT(graph.nodes().size() == 2 && graph.edges().size() == 1);
    EXPECT(calls == 0);
    rill::exec(graph).launch(s.stream);
    s.stream.synchronize();
    EXPECT(calls == 2);
}

static void the_function_may_take_the_stream()
{
    scene s;
    const rill::graph graph =
        rill::capture(s.stream, [](rill::stream_ref stream) { stream.launch_host([] {}); });
    EXPECT(graph.nodes().size() == 1);
}

static void what_the_function_throws_leaves_the_call()
{
    tracked::counts counts;
    scene s;
    const auto thrown = tap::thrown_by<oops>([&] {
        rill::capture(s.stream, [&] {
            s.stream.launch_host([own = tracked(counts)] {});
            throw oops{ 7 };
        });
    });
    EXPECT(thrown.number == 7);
    EXPECT(!rill::is_capturing(s.stream));
    EXPECT(counts.lives == 0 && counts.ended == 1);
    EXPECT(rill::capture(s.stream, [] {}).nodes().empty());
}

static void so_does_the_error_of_a_call()
{
    scene s;
    rill::event none;
    const auto thrown = tap::thrown_by<rill::error>(
        [&] { rill::capture(s.stream, [&] { none.record(s.stream); }); });
    EXPECT(std::string(thrown.operation()) == "rill_event_record");
    EXPECT(std::string(rill_last_error()->operation) == "rill_capture");
    EXPECT(rill_last_error()->status == thrown.status());
    EXPECT(!rill::is_capturing(s.stream));
}

static void a_broken_capture_is_an_error()
{
    scene s;
    const auto thrown = tap::thrown_by<rill::error>([&] {
        rill::capture(s.stream, [&] {
            try {
                s.stream.synchronize();
            } catch (const rill::error &) {
            }
        });
    });
    EXPECT(thrown.status() == RILL_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT(std::string(thrown.cause().operation) == "rill_stream_synchronize");
    EXPECT(!rill::is_capturing(s.stream));
}

static void a_status_that_is_returned_counts()
{
    scene s;
    const auto thrown = tap::thrown_by<rill::error>(
        [&] { rill::capture(s.stream, [] { return RILL_ERROR_NOT_FOUND; }); });
    EXPECT(thrown.status() == RILL_ERROR_NOT_FOUND);
}

static void a_function_that_throws_success_is_no_success()
{
    scene s;
    const auto thrown = tap::thrown_by<rill::error>([&] {
        rill::capture(s.stream, [] { throw rill::error(RILL_SUCCESS, "mine", nullptr, "words"); });
    });
    EXPECT(std::string(thrown.operation()) == "mine");
}

static void a_capture_goes_into_a_graph_that_is_there()
{
    scene s;
    const rill::graph graph(s.context);
    const rill_node first = graph.add_empty({});
    rill::capture_into(graph, { first }, s.stream, [&] { s.stream.launch_host([] {}); });
    EXPECT(graph.nodes().size() == 2);
    EXPECT(graph.edges().at(0).from == first);
    tap::thrown_by<oops>([&] {
        rill::capture_into(graph, { first }, s.stream, [&] {
            s.stream.launch_host([] {});
            throw oops{ 1 };
        });
    });
    EXPECT(graph.nodes().size() == 3);
}

/* ---- Forks and guards ----------------------------------------------------------- */

static void forks_come_back_at_the_end_of_their_scope()
{
    scene s;
    const rill::stream left(s.context), right(s.context);
    const rill::graph graph = rill::capture(s.stream, [&] {
        const rill::forked sides(s.stream, left, right);
        left.launch_host([] {});
        right.launch_host([] {});
    });
    EXPECT(graph.nodes().size() == 2 && graph.roots().size() == 2);
}

static void they_come_back_when_something_is_thrown()
{
    scene s;
    const rill::stream left(s.context);
    tap::thrown_by<oops>([&] {
        const rill::forked sides(s.stream, left);
        throw oops{ 1 };
    });
    size_t out = 0;
    rill::check(rill_stream_unjoined(s.stream.get(), nullptr, &out));
    EXPECT(out == 0);
}

static void a_join_that_fails_says_so()
{
    scene s;
    const rill::stream left(s.context);
    rill::forked sides(s.stream, left);
    s.stream.join(left);
    tap::thrown_by<rill::error>([&] { sides.join(); });
    sides.join();
}

static void a_guard_lets_a_capture_stand_an_allocation()
{
    scene s;
    const rill::graph graph = rill::capture(
        s.stream,
        [&] {
            const rill::capture_guard relaxed(s.platform);
            const rill::buffer<int> memory(s.context, 4);
            s.stream.launch_host([] {});
        },
        RILL_CAPTURE_GLOBAL);
    EXPECT(graph.nodes().size() == 1);
}

static void without_one_it_does_not()
{
    scene s;
    const auto thrown = tap::thrown_by<rill::error>([&] {
        rill::capture(
            s.stream, [&] { const rill::buffer<int> memory(s.context, 4); }, RILL_CAPTURE_GLOBAL);
    });
    EXPECT(thrown.status() == RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

static void a_guard_ends_with_its_scope_whatever_leaves_it()
{
    scene s;
    tap::thrown_by<oops>([&] {
        const rill::capture_guard relaxed(s.platform);
        throw oops{ 1 };
    });
    rill_capture_mode mode = RILL_CAPTURE_RELAXED;
    rill::check(rill_thread_exchange_capture_mode(s.platform.get(), &mode));
    const rill_capture_mode found = mode;
    rill::check(rill_thread_exchange_capture_mode(s.platform.get(), &mode));
    EXPECT(found == RILL_CAPTURE_GLOBAL);
}

static void there_is_no_guard_of_no_platform()
{
    tap::thrown_by<rill::error>([] { const rill::capture_guard none{ rill::platform_ref() }; });
}

/* ---- Replays -------------------------------------------------------------------- */

static void a_replay_updates_its_exec()
{
    scene s;
    std::vector<int> seen;
    rill::replay replay(s.context, [&, step = 0](rill::stream_ref stream) mutable {
        stream.launch_host([&seen, now = ++step] { seen.push_back(now); });
    });
    for (int i = 0; i < 3; i++) replay.step(s.stream);
    s.stream.synchronize();
    EXPECT((seen == std::vector<int>{ 1, 2, 3 }));
    EXPECT(replay.info().instantiations == 1 && replay.info().updates == 2);
}

static void a_step_that_throws_leaves_the_call_and_the_next_one_runs()
{
    scene s;
    int calls = 0, steps = 0;
    rill::replay replay(s.context, [&](rill::stream_ref stream) {
        if (++steps == 2) throw oops{ steps };
        stream.launch_host([&calls] { calls++; });
    });
    replay.step(s.stream);
    EXPECT(tap::thrown_by<oops>([&] { replay.step(s.stream); }).number == 2);
    EXPECT(!rill::is_capturing(s.stream));
    replay.step(s.stream);
    s.stream.synchronize();
    EXPECT(calls == 2);
    EXPECT(replay.info().failures == 1);
}

static void a_step_that_cannot_be_captured_runs_as_it_is()
{
    scene s;
    int steps = 0;
    rill_replay_options options = {};
    options.flags = RILL_REPLAY_OR_EAGER;
    rill::replay replay(
        s.context,
        [&](rill::stream_ref stream) {
            steps++;
            stream.synchronize();
        },
        options);
    replay.step(s.stream);
    EXPECT(steps == 2 && replay.info().eager_runs == 1);
}

static void an_error_of_c_is_thrown_as_one()
{
    scene s;
    rill::replay replay(s.context, [] {});
    const rill::stream none;
    EXPECT(tap::thrown_by<rill::error>([&] { replay.step(none); }).operation() ==
           std::string("rill_replay_step"));
}

static void the_function_ends_with_the_replay()
{
    tracked::counts counts;
    scene s;
    {
        rill::replay first(s.context, [own = tracked(counts)] {});
        rill::replay second = std::move(first);
        second.step(s.stream);
        EXPECT(counts.lives == 1);
    }
    EXPECT(counts.lives == 0 && counts.ended == 1);
    tap::thrown_by<rill::error>(
        [&] { rill::replay(rill::context_ref(), [own = tracked(counts)] {}); });
    EXPECT(counts.lives == 0 && counts.ended == 2);
}

static void an_empty_replay_is_refused()
{
    scene s;
    rill::replay replay(s.context, [] { throw oops{ 1 }; });
    tap::thrown_by<oops>([&] { replay.step(s.stream); });
    replay.reset();
    tap::thrown_by<rill::error>([&] { replay.step(s.stream); });
}

int main()
{
    tap::test("a capture is a graph", a_capture_is_a_graph);
    tap::test("the function may take the stream", the_function_may_take_the_stream);
    tap::test("what the function throws leaves the call", what_the_function_throws_leaves_the_call);
    tap::test("so does the error of a call", so_does_the_error_of_a_call);
    tap::test("a broken capture is an error", a_broken_capture_is_an_error);
    tap::test("a status that is returned counts", a_status_that_is_returned_counts);
    tap::test("a function that throws success is no success",
              a_function_that_throws_success_is_no_success);
    tap::test("a capture goes into a graph that is there",
              a_capture_goes_into_a_graph_that_is_there);
    tap::test("forks come back at the end of their scope",
              forks_come_back_at_the_end_of_their_scope);
    tap::test("they come back when something is thrown", they_come_back_when_something_is_thrown);
    tap::test("a join that fails says so", a_join_that_fails_says_so);
    tap::test("a guard lets a capture stand an allocation",
              a_guard_lets_a_capture_stand_an_allocation);
    tap::test("without one it does not", without_one_it_does_not);
    tap::test("a guard ends with its scope, whatever leaves it",
              a_guard_ends_with_its_scope_whatever_leaves_it);
    tap::test("there is no guard of no platform", there_is_no_guard_of_no_platform);
    tap::test("a replay updates its exec", a_replay_updates_its_exec);
    tap::test("a step that throws leaves the call, and the next one runs",
              a_step_that_throws_leaves_the_call_and_the_next_one_runs);
    tap::test("a step that cannot be captured runs as it is",
              a_step_that_cannot_be_captured_runs_as_it_is);
    tap::test("an error of C is thrown as one", an_error_of_c_is_thrown_as_one);
    tap::test("the function ends with the replay", the_function_ends_with_the_replay);
    tap::test("an empty replay is refused", an_empty_replay_is_refused);
    return tap::done();
}
