/* SPDX-License-Identifier: Apache-2.0
 *
 * Who owns what: moves, handles that come and go, and what failures say.
 */
#include "scene.hpp"

#include <cstring>

static_assert(!std::is_copy_constructible_v<rill::stream>);
static_assert(!std::is_copy_assignable_v<rill::graph>);
static_assert(std::is_nothrow_move_constructible_v<rill::event>);
static_assert(std::is_nothrow_move_assignable_v<rill::buffer<int>>);
static_assert(std::is_nothrow_destructible_v<rill::exec>);
static_assert(std::is_nothrow_copy_constructible_v<rill::error>);
static_assert(sizeof(rill::stream) == sizeof(rill_stream *));
static_assert(std::is_convertible_v<rill_stream *, rill::stream_ref>);
static_assert(std::is_convertible_v<rill::stream &, rill::stream_ref>);
static_assert(!std::is_convertible_v<rill_stream *, rill::stream>, "to adopt has to be said");

/* ---- Moves and handles ---------------------------------------------------------- */

static void a_move_leaves_nothing_behind()
{
    scene s;
    const rill_stream *handle = s.stream.get();
    rill::stream moved = std::move(s.stream);
    EXPECT(moved.get() == handle);
    EXPECT(!s.stream);
    moved.synchronize();
}

static void an_assignment_destroys_what_was_there()
{
    scene s;
    int gone = 0;
    rill::event first(s.context), second(s.context);
    rill_set_data(first.get(), &gone, [](void *data) { ++*static_cast<int *>(data); });
    first = std::move(second);
    EXPECT(gone == 1);
    EXPECT(first && !second);
    rill::event &same = first;
    first = std::move(same);
    EXPECT(first);
}

static void the_end_of_a_scope_destroys()
{
    scene s;
    int gone = 0;
    {
        rill::graph graph(s.context);
        rill_set_data(graph.get(), &gone, [](void *data) { ++*static_cast<int *>(data); });
        rill::graph of_no_context(s.platform);
        EXPECT(of_no_context.nodes().empty());
        EXPECT(gone == 0);
    }
    EXPECT(gone == 1);
}

static void a_handle_can_be_adopted_and_released()
{
    scene s;
    rill_event *made = nullptr;
    rill::check(rill_event_create(s.context.get(), nullptr, &made));
    rill::event event(made);
    EXPECT(event.get() == made);
    event.record(s.stream);
    rill_event *released = event.release();
    EXPECT(released == made && !event);
    EXPECT(rill_event_destroy(&released) == RILL_SUCCESS);
}

static void a_reference_destroys_nothing()
{
    scene s;
    {
        const rill::stream_ref same = s.stream, too = s.stream.get();
        EXPECT(same == too && same == s.stream);
    }
    EXPECT(s.stream.query());
}

static void reset_returns_what_destroying_said()
{
    scene s;
    EXPECT(s.stream.reset() == RILL_SUCCESS);
    EXPECT(!s.stream);
    EXPECT(s.stream.reset() == RILL_SUCCESS);
}

static void a_context_that_may_not_end_is_owned_still()
{
    scene s;
    rill_status said = RILL_SUCCESS;
    rill::context own(s.platform, rill_context_options{ 0, 0, RILL_CONTEXT_OWN, nullptr, nullptr });
    s.stream.launch_host([&] { said = own.reset(); });
    s.stream.synchronize();
    EXPECT(said == RILL_ERROR_NOT_PERMITTED);
    EXPECT(own);
    EXPECT(own.reset() == RILL_SUCCESS);
}

static void objects_may_end_after_their_context()
{
    scene s;
    rill::event event(s.context);
    s.context.reset();
    EXPECT(event.reset() == RILL_SUCCESS);
}

/* ---- Failures ------------------------------------------------------------------- */

static void a_failure_has_the_record()
{
    scene s;
    const auto failure = tap::thrown_by<rill::error>([&] { rill::context(s.platform, 99); });
    EXPECT(failure.status() == RILL_ERROR_INVALID_DEVICE);
    EXPECT(!std::strcmp(failure.operation(), "rill_context_create"));
    EXPECT(failure.argument() && std::strstr(failure.argument(), "device"));
    EXPECT(std::strlen(failure.explanation()) > 0);
    EXPECT(std::string(failure.what()) ==
           "rill_context_create: " + std::string(failure.explanation()));
    EXPECT(!failure.is_sticky());
    EXPECT(rill::error_text() == "rill_context_create: RILL_ERROR_INVALID_DEVICE: " +
                                     std::string(failure.explanation()) + "\n  argument: " +
                                     failure.argument() + "\n  object: " + failure.object() +
                                     "\n");
    rill_clear_error();
    EXPECT(rill::error_text().empty());
}

static void it_keeps_the_record_when_something_else_fails()
{
    scene s;
    const auto failure = tap::thrown_by<rill::error>([&] { rill::context(s.platform, 99); });
    EXPECT(rill_stream_synchronize(nullptr) != RILL_SUCCESS);
    EXPECT(!std::strcmp(failure.operation(), "rill_context_create"));
}

static void a_status_without_a_record_is_thrown_in_words()
{
    rill_clear_error();
    const auto failure = tap::thrown_by<rill::error>([] { rill::check(RILL_ERROR_NOT_READY); });
    EXPECT(failure.status() == RILL_ERROR_NOT_READY);
    EXPECT(!std::strcmp(failure.explanation(), rill_error_string(RILL_ERROR_NOT_READY)));
}

static void an_empty_owner_is_refused()
{
    rill::stream none;
    const auto failure = tap::thrown_by<rill::error>([&] { none.synchronize(); });
    EXPECT(failure.argument() && !std::strcmp(failure.argument(), "stream"));
}

static void a_query_is_no_failure()
{
    scene s;
    gate closed(s.stream);
    EXPECT(!s.stream.query());
    closed.open();
    s.stream.synchronize();
    EXPECT(s.stream.query());
}

/* ---- Things that are asked ------------------------------------------------------ */

static void a_platform_tells_of_itself()
{
    scene s;
    EXPECT(s.platform.backend() == "sim");
    EXPECT(s.platform.supports(RILL_FEATURE_GRAPHS));
    EXPECT(s.platform.device_count() >= 1);
    EXPECT(s.platform.device_info(0).warp_size > 0);
    EXPECT(s.context.platform() == s.platform);
    EXPECT(s.stream.context() == s.context);
    EXPECT(s.context.priority_range().greatest <= s.context.priority_range().least);
}

static void options_are_those_of_c()
{
    scene s;
    rill_stream_options options = {};
    options.flags = RILL_STREAM_NON_BLOCKING;
    options.label = "side";
    const rill::stream side(s.context, options);
    EXPECT(side.flags() == RILL_STREAM_NON_BLOCKING);
    EXPECT(!std::strcmp(side.label(), "side"));
    EXPECT(!std::strcmp(rill::stream(s.context, "named").label(), "named"));
}

static void times_are_durations()
{
    scene s;
    const rill::event start(s.context, RILL_EVENT_TIMING), end(s.context, RILL_EVENT_TIMING);
    start.record(s.stream);
    s.stream.launch_host([] {
        const auto begun = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - begun < std::chrono::milliseconds(1)) {}
    });
    end.record(s.stream);
    end.synchronize();
    float milliseconds = 0;
    rill::check(rill_event_elapsed(start.get(), end.get(), &milliseconds));
    EXPECT(rill::elapsed(start, end).count() == milliseconds);
    const std::chrono::duration<double> time = rill::elapsed(start, end);
    EXPECT(time >= std::chrono::milliseconds(1) && time.count() < milliseconds);
    EXPECT(rill::elapsed(end, start) == -rill::elapsed(start, end));
}

int main()
{
    tap::test("a move leaves nothing behind", a_move_leaves_nothing_behind);
    tap::test("an assignment destroys what was there", an_assignment_destroys_what_was_there);
    tap::test("the end of a scope destroys", the_end_of_a_scope_destroys);
    tap::test("a handle can be adopted and released", a_handle_can_be_adopted_and_released);
    tap::test("a reference destroys nothing", a_reference_destroys_nothing);
    tap::test("reset() returns what destroying said", reset_returns_what_destroying_said);
    tap::test("a context that may not end is owned still",
              a_context_that_may_not_end_is_owned_still);
    tap::test("objects may end after their context", objects_may_end_after_their_context);
    tap::test("a failure has the record", a_failure_has_the_record);
    tap::test("it keeps the record when something else fails",
              it_keeps_the_record_when_something_else_fails);
    tap::test("a status without a record is thrown in words",
              a_status_without_a_record_is_thrown_in_words);
    tap::test("an empty owner is refused", an_empty_owner_is_refused);
    tap::test("a query is no failure", a_query_is_no_failure);
    tap::test("a platform tells of itself", a_platform_tells_of_itself);
    tap::test("options are those of C", options_are_those_of_c);
    tap::test("times are durations", times_are_durations);
    return tap::done();
}
