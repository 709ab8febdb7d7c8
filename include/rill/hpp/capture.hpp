/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/capture.hpp>: making a graph out of what a function submits.
 */
#ifndef RILL_HPP_CAPTURE_HPP
#define RILL_HPP_CAPTURE_HPP

#include <rill/capture.h>
#include <rill/hpp/graph.hpp>

#include <exception>

namespace rill {
namespace detail {

/* Calls f(stream) or f(), which returns a status or nothing, and keeps what the
 * function throws.  A rill::error counts as its status. */
template <class F>
rill_status call_kept(F &f, rill_stream *stream, std::exception_ptr &thrown) noexcept
{
    constexpr bool takes_stream = std::is_invocable_v<F &, stream_ref>;
    static_assert(takes_stream || std::is_invocable_v<F &>,
                  "the function takes a rill::stream_ref, or nothing");
    const auto call = [&] {
        if constexpr (takes_stream) return f(stream_ref(stream));
        else return f();
    };
    thrown = nullptr;
    try {
        if constexpr (std::is_same_v<decltype(call()), rill_status>) return call();
        else static_cast<void>(call());
        return RILL_SUCCESS;
    } catch (const error &failure) {
        thrown = std::current_exception();
        if (failure.status() != RILL_SUCCESS) return failure.status();
    } catch (...) {
        thrown = std::current_exception();
    }
    return RILL_ERROR_UNKNOWN;
}

/* Refers to a function for the length of one call. */
template <class F> struct visitor {
    F &function;
    std::exception_ptr thrown;

    static rill_status call(rill_stream *stream, void *data) noexcept
    {
        visitor &self = *static_cast<visitor *>(data);
        return call_kept(self.function, stream, self.thrown);
    }
};

template <class F>
rill_graph *capture(stream_ref stream, F &function, rill_capture_options &options)
{
    rill_graph *captured = nullptr;
    visitor<F> visitor = { function, nullptr };
    options.size = sizeof options;
    const rill_status status = rill_capture(stream.get(), &options, visitor.call, &visitor,
                                            &captured);
    if (visitor.thrown) std::rethrow_exception(visitor.thrown);
    check(status);
    return captured;
}

} // namespace detail

/* Captures what f() or f(stream) puts into the stream, as a graph:
 *
 *     rill::graph graph = rill::capture(stream, [&] {
 *         stream.copy(x, host);
 *         stream.launch_kernel(scale, rill::grid_over(n, 256), 2, x, n);
 *     });
 *
 * The capture is over when this call returns or throws, whatever the function did.
 * What the function throws leaves the call; then there is no graph, and
 * rill_last_error() tells what became of the capture.  The function may also return a
 * rill_status. */
template <class F>
graph capture(stream_ref stream, F &&f, rill_capture_mode mode = RILL_CAPTURE_THREAD_LOCAL)
{
    rill_capture_options options = {};
    options.mode = mode;
    return graph(detail::capture(stream, f, options));
}

/* Captures into an existing graph, after some of its nodes.  If the call throws, what
 * came into the graph until then stays there. */
template <class F>
void capture_into(graph_ref graph, node_span after, stream_ref stream, F &&f,
                  rill_capture_mode mode = RILL_CAPTURE_THREAD_LOCAL)
{
    rill_capture_options options = {};
    options.mode = mode;
    options.graph = graph.get();
    options.dependencies = after.data();
    options.dependency_count = after.size();
    detail::capture(stream, f, options);
}

/* Returns the state of the stream's capture, and its graph and nodes, which are
 * borrowed. */
inline rill_capture_info capture_info(stream_ref stream)
{
    rill_capture_info info = {};
    info.size = sizeof info;
    check(rill_stream_capture_info(stream.get(), &info));
    return info;
}

inline bool is_capturing(stream_ref stream)
{
    return capture_info(stream).state != RILL_CAPTURE_NONE;
}

/* Lets its thread do what captures forbid, for as long as the guard exists:
 *
 *     const rill::capture_guard relaxed(platform);
 *     rill::buffer<float> more(context, count);
 *
 * Guards nest, and end on the thread that made them. */
class capture_guard {
public:
    explicit capture_guard(platform_ref platform) : guard_(rill_capture_relax(platform.get()))
    {
        if (!guard_.platform) detail::raise(rill_last_error()->status);
    }

    capture_guard(const capture_guard &) = delete;
    capture_guard &operator=(const capture_guard &) = delete;

    ~capture_guard() { rill_capture_restore(&guard_); }

private:
    rill_capture_guard guard_;
};

} // namespace rill

#endif
