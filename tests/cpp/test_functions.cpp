/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of C++ in streams: what they capture is destroyed exactly once, and what
 * they throw does not get into C.
 */
#include "scene.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

/* ---- Lives ---------------------------------------------------------------------- */

static void a_function_runs_and_is_destroyed_once()
{
    tracked::counts counts;
    scene s;
    int calls = 0;
    s.stream.launch_host([own = tracked(counts), &calls] { calls++; });
    s.stream.synchronize();
    EXPECT(calls == 1);
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void what_it_captured_is_there_while_it_waits()
{
    tracked::counts counts;
    scene s;
    gate closed(s.stream);
    s.stream.launch_host([own = tracked(counts)] {});
    EXPECT(counts.lives == 1 && counts.ended == 0);
    closed.open();
    s.stream.synchronize();
    EXPECT(counts.ended == 1);
}

static void it_is_destroyed_once_when_it_is_refused()
{
    tracked::counts counts;
    rill::stream none;
    tap::thrown_by<rill::error>([&] { none.launch_host([own = tracked(counts)] {}); });
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void it_is_destroyed_once_when_the_context_is_gone()
{
    tracked::counts counts;
    scene s;
    s.context.reset();
    const auto failure =
        tap::thrown_by<rill::error>([&] { s.stream.launch_host([own = tracked(counts)] {}); });
    EXPECT(failure.status() == RILL_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void fail_the_device(const rill_launch &launch)
{
    rill_sim_fault(&launch, RILL_ERROR_ILLEGAL_ADDRESS, "as the test wants it");
}

static void it_is_destroyed_once_when_the_device_failed_before_it()
{
    tracked::counts counts;
    bool called = false;
    {
        scene s;
        const rill_function functions[] = { rill::over_grid<fail_the_device>("fail") };
        rill::module module(s.context, functions);
        gate closed(s.stream);
        s.stream.launch_kernel(module.kernel("fail"), rill::grid(1, 1));
        s.stream.launch_host([own = tracked(counts), &called] { called = true; });
        closed.open();
        const auto failure = tap::thrown_by<rill::error>([&] { s.stream.synchronize(); });
        EXPECT(failure.is_sticky());
    }
    /* A wait that fails may return before what comes after the fault was dropped. */
    EXPECT(!called);
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void a_graph_holds_it_as_long_as_there_is_an_exec()
{
    tracked::counts counts;
    scene s;
    int calls = 0;
    rill::graph graph(s.context);
    graph.add_host({}, [own = tracked(counts), &calls] { calls++; });
    rill::exec exec(graph);
    for (int i = 0; i < 3; i++) exec.launch(s.stream);
    s.stream.synchronize();
    EXPECT(calls == 3);
    graph.reset();
    EXPECT(counts.lives == 1);
    exec.reset();
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void a_launch_in_flight_holds_it()
{
    tracked::counts counts;
    scene s;
    gate closed(s.stream);
    {
        rill::graph graph(s.context);
        graph.add_host({}, [own = tracked(counts)] {});
        rill::exec(graph).launch(s.stream);
    }
    EXPECT(counts.lives == 1);
    closed.open();
    s.stream.synchronize();
    s.context.synchronize();
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void a_graph_that_refuses_it_destroys_it()
{
    tracked::counts counts;
    scene s;
    const rill::graph graph(s.context);
    tap::thrown_by<rill::error>([&] { graph.add_host({ nullptr }, [own = tracked(counts)] {}); });
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void a_function_that_is_replaced_is_destroyed()
{
    tracked::counts first, second;
    scene s;
    const rill::graph graph(s.context);
    const rill_node node = graph.add_host({}, [own = tracked(first)] {});
    graph.set_host(node, [own = tracked(second)] {});
    EXPECT(first.lives == 0 && first.ended == 1);
    EXPECT(second.lives == 1);
}

static void an_exec_takes_another_function()
{
    tracked::counts counts;
    scene s;
    std::vector<char> order;
    rill::graph graph(s.context);
    const rill_node node = graph.add_host({}, [&] { order.push_back('a'); });
    rill::exec exec(graph);
    exec.launch(s.stream);
    exec.set_host(node, [&, own = tracked(counts)] { order.push_back('b'); });
    exec.launch(s.stream);
    s.stream.synchronize();
    EXPECT((order == std::vector<char>{ 'a', 'b' }));
    exec.reset();
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void what_a_function_changes_stays_changed()
{
    scene s;
    int last = 0;
    const rill::graph graph(s.context);
    graph.add_host({}, [calls = 0, &last]() mutable { last = ++calls; });
    rill::exec exec(graph);
    for (int i = 0; i < 3; i++) exec.launch(s.stream);
    s.stream.synchronize();
    EXPECT(last == 3);
}

static void small_functions_change_as_well()
{
    static int last;
    scene s;
    const rill::graph graph(s.context);
    graph.add_host({}, [calls = 0]() mutable { last = ++calls; });
    rill::exec exec(graph);
    for (int i = 0; i < 3; i++) exec.launch(s.stream);
    s.stream.synchronize();
    EXPECT(last == 3);
}

/* ---- Kinds of functions --------------------------------------------------------- */

static int plain_calls;

static void plain_function()
{
    plain_calls++;
}

static void plain_functions_and_references_need_no_memory()
{
    scene s;
    int calls = 0;
    const auto counting = [&calls] { calls++; };
    static_assert(rill::detail::is_plain_v<std::decay_t<decltype(counting)>>);
    static_assert(rill::detail::is_plain_v<void (*)()>);
    s.stream.launch_host(plain_function);
    s.stream.launch_host(counting);
    s.stream.launch_host(counting);
    s.stream.synchronize();
    EXPECT(plain_calls == 1 && calls == 2);
}

static void a_function_that_is_copied_stays_the_callers()
{
    scene s;
    auto text = std::make_shared<int>(7);
    const auto reading = [text] { ++*text; };
    s.stream.launch_host(reading);
    s.stream.launch_host(reading);
    s.stream.synchronize();
    EXPECT(*text == 9);
    EXPECT(text.use_count() == 2);
}

static void a_packaged_task_keeps_what_it_throws()
{
    scene s;
    std::packaged_task<int()> task([]() -> int { throw std::runtime_error("kept"); });
    auto result = task.get_future();
    s.stream.launch_host(std::move(task));
    s.stream.synchronize();
    const auto thrown = tap::thrown_by<std::runtime_error>([&] { result.get(); });
    EXPECT(std::string(thrown.what()) == "kept");
}

static void a_callback_gets_the_status()
{
    tracked::counts counts;
    scene s;
    rill_status status = RILL_ERROR_UNKNOWN;
    s.stream.add_callback([own = tracked(counts), &status](rill_status said) { status = said; });
    s.stream.synchronize();
    EXPECT(status == RILL_SUCCESS);
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

static void a_callback_that_is_refused_is_destroyed()
{
    tracked::counts counts;
    rill::stream none;
    tap::thrown_by<rill::error>(
        [&] { none.add_callback([own = tracked(counts)](rill_status) {}); });
    EXPECT(counts.lives == 0 && counts.ended == 1);
}

/* ---- Exceptions ----------------------------------------------------------------- */

/* Whether std::terminate() ends a process of its own that does f().  By a signal that
 * nobody sends else, and that no checker of memory puts a status of its own in place of. */
template <class F> static bool terminates(F f)
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        std::set_terminate([] {
            raise(SIGKILL);
            for (;;) {}
        });
        f();
        _exit(0);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void what_a_host_function_throws_ends_the_process()
{
    EXPECT(terminates([] {
        scene s;
        s.stream.launch_host([] { throw 1; });
        s.stream.synchronize();
    }));
}

static void so_does_what_one_with_captures_throws()
{
    EXPECT(terminates([] {
        scene s;
        s.stream.launch_host([text = std::string("a text of some length, on the heap")] {
            throw std::runtime_error(text);
        });
        s.stream.synchronize();
    }));
}

int main()
{
    /* First, while the process has no threads that a child would miss. */
    tap::test("what a host function throws ends the process",
              what_a_host_function_throws_ends_the_process);
    tap::test("so does what one with captures throws", so_does_what_one_with_captures_throws);
    tap::test("a function runs and is destroyed once", a_function_runs_and_is_destroyed_once);
    tap::test("what it captured is there while it waits", what_it_captured_is_there_while_it_waits);
    tap::test("it is destroyed once when it is refused", it_is_destroyed_once_when_it_is_refused);
    tap::test("it is destroyed once when the context is gone",
              it_is_destroyed_once_when_the_context_is_gone);
    tap::test("it is destroyed once when the device failed before it",
              it_is_destroyed_once_when_the_device_failed_before_it);
    tap::test("a graph holds it as long as there is an exec",
              a_graph_holds_it_as_long_as_there_is_an_exec);
    tap::test("a launch in flight holds it", a_launch_in_flight_holds_it);
    tap::test("a graph that refuses it destroys it", a_graph_that_refuses_it_destroys_it);
    tap::test("a function that is replaced is destroyed", a_function_that_is_replaced_is_destroyed);
    tap::test("an exec takes another function", an_exec_takes_another_function);
    tap::test("what a function changes stays changed", what_a_function_changes_stays_changed);
    tap::test("small functions change as well", small_functions_change_as_well);
    tap::test("plain functions and references need no memory",
              plain_functions_and_references_need_no_memory);
    tap::test("a function that is copied stays the caller's",
              a_function_that_is_copied_stays_the_callers);
    tap::test("a packaged task keeps what it throws", a_packaged_task_keeps_what_it_throws);
    tap::test("a callback gets the status", a_callback_gets_the_status);
    tap::test("a callback that is refused is destroyed", a_callback_that_is_refused_is_destroyed);
    return tap::done();
}
