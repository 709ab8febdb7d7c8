/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/replay.hpp>: steps that are captured each time and launched as graphs.
 */
#ifndef RILL_HPP_REPLAY_HPP
#define RILL_HPP_REPLAY_HPP

#include <rill/hpp/capture.hpp>
#include <rill/hpp/exec.hpp>
#include <rill/replay.h>

namespace rill {
namespace detail {

/* Keeps what a step threw until C has put everything in order. */
struct step_box {
    std::exception_ptr thrown;
};

template <class F> struct step_of : step_box {
    F function;

    explicit step_of(F &&moved) : function(std::move(moved)) {}
    explicit step_of(const F &copied) : function(copied) {}

    static rill_status call(rill_stream *stream, void *data) noexcept
    {
        step_of &self = *static_cast<step_of *>(data);
        return call_kept(self.function, stream, self.thrown);
    }
};

} // namespace detail

class replay_ref : public detail::ref<rill_replay> {
public:
    using ref::ref;

    void clear() const { check(rill_replay_clear(handle_)); }

    rill_replay_info info() const
    {
        rill_replay_info info = {};
        info.size = sizeof info;
        check(rill_replay_get_info(handle_, &info));
        return info;
    }

    void set_label(const char *label) const { check(rill_replay_set_label(handle_, label)); }
    const char *label() const noexcept { return rill_replay_label(handle_); }
};

/* The function f() or f(stream) puts one step into the stream that it is given.  It is
 * destroyed with the replay, or when the constructor throws.
 *
 *     rill::replay frames(context, [&](rill::stream_ref stream) { ... });
 *     for (...) frames.step(stream); */
class replay : public detail::owner<replay_ref, rill_replay_destroy> {
public:
    using owner::owner;

    template <class F, class = std::enable_if_t<!std::is_convertible_v<F, rill_replay_options>>>
    replay(context_ref context, F &&f, rill_replay_options options = {})
    {
        using step = detail::step_of<std::decay_t<F>>;
        auto held = std::make_unique<step>(std::forward<F>(f));
        box_ = held.get();
        options.size = sizeof options;
        check(rill_replay_create(context.get(), &options, step::call, held.release(),
                                 detail::destroy_boxed<step>, &handle_));
    }

    /* Makes one step, in the stream's order.  What the function throws leaves the call,
     * with nothing launched and the stream not capturing; later steps are not affected.
     * With RILL_REPLAY_OR_EAGER the function is called again if it throws a rill::error
     * whose status says that the step cannot be captured. */
    void step(stream_ref stream)
    {
        const rill_status status = rill_replay_step(handle_, stream.get());
        if (status != RILL_SUCCESS && handle_ && box_ && box_->thrown)
            std::rethrow_exception(std::exchange(box_->thrown, nullptr));
        check(status);
    }

private:
    detail::step_box *box_ = nullptr; /* C's; of one that was adopted there is none */
};

} // namespace rill

#endif
