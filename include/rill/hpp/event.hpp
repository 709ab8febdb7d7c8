/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/event.hpp>: events.
 */
#ifndef RILL_HPP_EVENT_HPP
#define RILL_HPP_EVENT_HPP

#include <rill/event.h>
#include <rill/hpp/platform.hpp>

#include <chrono>

namespace rill {

using milliseconds = std::chrono::duration<float, std::milli>;

class event_ref : public detail::ref<rill_event> {
public:
    using ref::ref;

    /* `flags` is 0 or RILL_EVENT_EXTERNAL. */
    void record(detail::ref<rill_stream> stream, std::uint32_t flags = 0) const
    {
        check(rill_event_record(handle_, stream.get(), flags));
    }

    /* Returns whether what the event stands for is done. */
    bool query() const { return detail::is_done(rill_event_query(handle_)); }
    void synchronize() const { check(rill_event_synchronize(handle_)); }

    context_ref context() const
    {
        rill_context *context = nullptr;
        check(rill_event_context(handle_, &context));
        return context;
    }

    void set_label(const char *label) const { check(rill_event_set_label(handle_, label)); }
    const char *label() const noexcept { return rill_event_label(handle_); }
};

class event : public detail::owner<event_ref, rill_event_destroy> {
public:
    using owner::owner;

    /* `flags` are RILL_EVENT_TIMING and others of <rill/event.h>. */
    explicit event(context_ref context, std::uint32_t flags = 0, const char *label = nullptr)
    {
        rill_event_options options = {};
        options.size = sizeof options;
        options.flags = flags;
        options.label = label;
        check(rill_event_create(context.get(), &options, &handle_));
    }
};

/* Measures the time between two events that were made with RILL_EVENT_TIMING.  The
 * result converts to any duration that is counted in floating point;
 * std::chrono::duration_cast makes other durations of it. */
inline milliseconds elapsed(event_ref start, event_ref end)
{
    float time = 0;
    check(rill_event_elapsed(start.get(), end.get(), &time));
    return milliseconds(time);
}

} // namespace rill

#endif
