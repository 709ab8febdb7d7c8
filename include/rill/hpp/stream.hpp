/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/stream.hpp>: streams, and what runs in them.
 */
#ifndef RILL_HPP_STREAM_HPP
#define RILL_HPP_STREAM_HPP

#include <rill/hpp/event.hpp>
#include <rill/hpp/function.hpp>
#include <rill/hpp/module.hpp>
#include <rill/stream.h>

#include <memory>
#include <vector>

namespace rill {

class stream_ref : public detail::ref<rill_stream> {
public:
    using ref::ref;

    /* Returns whether all work of the stream is done. */
    bool query() const { return detail::is_done(rill_stream_query(handle_)); }
    void synchronize() const { check(rill_stream_synchronize(handle_)); }

    /* ---- Order ---------------------------------------------------------- */

    void wait_event(event_ref event, std::uint32_t flags = 0) const
    {
        check(rill_stream_wait_event(handle_, event.get(), flags));
    }

    void wait_stream(stream_ref other) const
    {
        check(rill_stream_wait_stream(handle_, other.get()));
    }

    /* Forks streams, as in stream.fork(left, right). rill::forked joins them by itself. */
    template <class... Streams> void fork(const Streams &...others) const
    {
        rill_stream *const all[] = { stream_ref(others).get()... };
        check(rill_stream_fork(handle_, all, sizeof...(others)));
    }

    template <class... Streams> void join(const Streams &...others) const
    {
        rill_stream *const all[] = { stream_ref(others).get()... };
        check(rill_stream_join(handle_, all, sizeof...(others)));
    }

    void join_all() const { check(rill_stream_join_all(handle_)); }

    /* ---- Kernels and functions ------------------------------------------ */

    /* Launches a kernel with the arguments as they are. */
    template <class Kernel, class... Args, class = detail::if_untyped<Kernel>>
    void launch_kernel(const Kernel &kernel, const grid &grid, const Args &...args) const
    {
        const void *const params[] = { detail::place_of(args)..., nullptr };
        check(rill_launch_kernel(handle_, kernel_ref(kernel).get(), grid.blocks,
                                 grid.threads, grid.shared_bytes, params));
    }

    /* Launches a kernel with the arguments converted to its parameters. */
    template <class... Params>
    void launch_kernel(const kernel<Params...> &kernel, const grid &grid,
                       detail::as_is<Params>... args) const
    {
        launch_kernel(static_cast<const kernel_ref &>(kernel), grid, args...);
    }

    /* Calls f() on the host, in the stream's order.  The function is moved in, together
     * with what it captured by value, and destroyed exactly once: after it ran, or when
     * it never will, even if this call throws.  Both may happen on any thread, and
     * neither may throw (<rill/hpp/function.hpp>).  Destructors must not do what a host
     * function may not: a function that captures a rill::context or a rill::buffer has
     * it destroyed in the wrong place. */
    template <class F> void launch_host(F &&f) const
    {
        const rill_host_op held = detail::hold(std::forward<F>(f));
        check(rill_launch_host(handle_, held.fn, held.data, held.destroy));
    }

    /* Calls f(rill_status) after the work before it, even if that work failed.  Not
     * permitted in a capture.  The function is destroyed after its call, or when this
     * throws. */
    template <class F> void add_callback(F &&f) const
    {
        using function = std::decay_t<F>;
        auto held = std::make_unique<function>(std::forward<F>(f));
        const rill_stream_callback call = [](rill_stream *, rill_status status,
                                             void *data) noexcept {
            const std::unique_ptr<function> own(static_cast<function *>(data));
            static_cast<void>((*own)(status));
        };
        check(rill_stream_add_callback(handle_, call, held.get(), 0));
        static_cast<void>(held.release());
    }

    /* ---- Memory --------------------------------------------------------- */

    /* Copies or fills like the members of contexts, but in the stream's order.  Host
     * memory must stay until the copy is done, and until the last launch of a graph
     * that captured the copy. */
    template <class T> void copy(device_span<T> dst, detail::as_is<span<const T>> src) const
    {
        std::size_t bytes = detail::bytes_of_both(dst.size_bytes(), src.size_bytes());
        check(rill_memcpy_htod_async(handle_, dst.address(), src.data(), bytes));
    }

    template <class T> void copy(detail::as_is<span<T>> dst, device_span<T> src) const
    {
        std::size_t bytes = detail::bytes_of_both(dst.size_bytes(), src.size_bytes());
        check(rill_memcpy_dtoh_async(handle_, dst.data(), src.address(), bytes));
    }

    template <class T> void copy(device_span<T> dst, device_span<T> src) const
    {
        std::size_t bytes = detail::bytes_of_both(dst.size_bytes(), src.size_bytes());
        check(rill_memcpy_dtod_async(handle_, dst.address(), src.address(), bytes));
    }

    /* Fills with elements of 1, 2 or 4 bytes. */
    template <class T> void fill(device_span<T> dst, detail::as_is<const T &> value) const
    {
        const rill_fill fill = detail::fill_of(dst, value);
        check(rill_memset_box_async(handle_, &fill));
    }

    void write_value(device_ptr<std::uint32_t> at, std::uint32_t value,
                     std::uint32_t flags = 0) const
    {
        check(rill_stream_write_value32(handle_, at.address, value, flags));
    }

    void write_value(device_ptr<std::uint64_t> at, std::uint64_t value,
                     std::uint32_t flags = 0) const
    {
        check(rill_stream_write_value64(handle_, at.address, value, flags));
    }

    /* `flags` are RILL_WAIT_GEQ and others of <rill/op.h>. */
    void wait_value(device_ptr<std::uint32_t> at, std::uint32_t value,
                    std::uint32_t flags = RILL_WAIT_GEQ) const
    {
        check(rill_stream_wait_value32(handle_, at.address, value, flags));
    }

    void wait_value(device_ptr<std::uint64_t> at, std::uint64_t value,
                    std::uint32_t flags = RILL_WAIT_GEQ) const
    {
        check(rill_stream_wait_value64(handle_, at.address, value, flags));
    }

    /* Submits any operation that <rill/op.h> can express. */
    void submit(rill_op &op) const { check(rill_stream_submit(handle_, &op)); }

    /* ---- What it is ----------------------------------------------------- */

    context_ref context() const
    {
        rill_context *context = nullptr;
        check(rill_stream_context(handle_, &context));
        return context;
    }

    std::uint64_t id() const
    {
        std::uint64_t id = 0;
        check(rill_stream_id(handle_, &id));
        return id;
    }

    std::uint32_t flags() const
    {
        std::uint32_t flags = 0;
        check(rill_stream_flags(handle_, &flags));
        return flags;
    }

    int priority() const
    {
        int priority = 0;
        check(rill_stream_priority(handle_, &priority));
        return priority;
    }

    void set_label(const char *label) const { check(rill_stream_set_label(handle_, label)); }
    const char *label() const noexcept { return rill_stream_label(handle_); }
};

class stream : public detail::owner<stream_ref, rill_stream_destroy> {
public:
    using owner::owner;

    explicit stream(context_ref context, rill_stream_options options = {})
    {
        options.size = sizeof options;
        check(rill_stream_create(context.get(), &options, &handle_));
    }

    stream(context_ref context, const char *label) : stream(context, labelled(label)) {}

private:
    static rill_stream_options labelled(const char *label)
    {
        rill_stream_options options = {};
        options.label = label;
        return options;
    }
};

inline stream_ref legacy_stream(context_ref context) noexcept
{
    return rill_stream_legacy(context.get());
}

inline stream_ref per_thread_stream(context_ref context) noexcept
{
    return rill_stream_per_thread(context.get());
}

/* ---- Forks -------------------------------------------------------------- */

/* Keeps streams forked from another one for as long as this object exists:
 *
 *     {
 *         rill::forked sides(stream, left, right);
 *         ... work in `stream`, `left` and `right` ...
 *     }
 *
 * They are joined at the end of the scope, also when an exception leaves it, so that a
 * capture ends well. join() reports when they cannot be joined; the destructor cannot. */
class forked {
public:
    template <class... Streams>
    explicit forked(stream_ref stream, const Streams &...others)
        : stream_(stream), others_{ stream_ref(others).get()... }
    {
        check(rill_stream_fork(stream.get(), others_.data(), others_.size()));
    }

    forked(const forked &) = delete;
    forked &operator=(const forked &) = delete;

    ~forked() { bring_back(); }

    void join() { check(bring_back()); }

private:
    stream_ref stream_;
    std::vector<rill_stream *> others_; /* empty: they are back */

    rill_status bring_back() noexcept
    {
        rill_status status = RILL_SUCCESS;
        if (!others_.empty())
            status = rill_stream_join(stream_.get(), others_.data(), others_.size());
        others_.clear();
        return status;
    }
};

} // namespace rill

#endif
