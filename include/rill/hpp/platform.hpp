/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/platform.hpp>: platforms, their devices, and contexts.
 */
#ifndef RILL_HPP_PLATFORM_HPP
#define RILL_HPP_PLATFORM_HPP

#include <rill/hpp/handle.hpp>
#include <rill/hpp/memory.hpp>
#include <rill/platform.h>

#include <string>

namespace rill {

/* Options are the structs of C.  `size` is filled in, so that zero stands for what is
 * left out: rill_stream_options urgent = {}; urgent.priority = -1; */

/* ---- Platforms ---------------------------------------------------------- */

class platform_ref : public detail::ref<rill_platform> {
public:
    using ref::ref;

    std::string backend() const
    {
        const char *name = nullptr;
        check(rill_platform_backend(handle_, &name));
        return name;
    }

    bool supports(rill_feature feature) const
    {
        rill_status status = rill_platform_supports(handle_, feature);
        if (status == RILL_ERROR_NOT_SUPPORTED) return false;
        check(status);
        return true;
    }

    int device_count() const
    {
        int count = 0;
        check(rill_device_count(handle_, &count));
        return count;
    }

    rill_device_info device_info(int device) const
    {
        rill_device_info info = {};
        info.size = sizeof info;
        check(rill_device_get_info(handle_, device, &info));
        return info;
    }

    bool can_access_peer(int device, int peer) const
    {
        int can = 0;
        check(rill_device_can_access_peer(handle_, device, peer, &can));
        return can != 0;
    }
};

class platform : public detail::owner<platform_ref, rill_close> {
public:
    using owner::owner;
};

/* Opens a backend: "sim" or "cuda", or with nullptr the one that C chooses. */
inline platform open(rill_open_options options)
{
    rill_platform *opened = nullptr;
    options.size = sizeof options;
    check(rill_open(&options, &opened));
    return platform(opened);
}

inline platform open(const char *backend = nullptr)
{
    rill_open_options options = {};
    options.backend = backend;
    return open(options);
}

/* ---- Contexts ----------------------------------------------------------- */

class context_ref : public detail::ref<rill_context> {
public:
    using ref::ref;

    void synchronize() const { check(rill_context_synchronize(handle_)); }

    /* Returns RILL_SUCCESS while the context can be used.  Throws nothing. */
    rill_status status() const noexcept { return rill_context_status(handle_); }

    int device() const
    {
        int device = 0;
        check(rill_context_device(handle_, &device));
        return device;
    }

    platform_ref platform() const
    {
        rill_platform *platform = nullptr;
        check(rill_context_platform(handle_, &platform));
        return platform;
    }

    struct priorities {
        int least, greatest;
    };

    priorities priority_range() const
    {
        priorities range = {};
        check(rill_context_priority_range(handle_, &range.least, &range.greatest));
        return range;
    }

    void enable_peer(context_ref peer) const
    {
        check(rill_context_enable_peer(handle_, peer.get()));
    }

    void disable_peer(context_ref peer) const
    {
        check(rill_context_disable_peer(handle_, peer.get()));
    }

    void set_label(const char *label) const { check(rill_context_set_label(handle_, label)); }
    const char *label() const noexcept { return rill_context_label(handle_); }

    /* Copies or fills, ordered like work in the legacy default stream.  Calls that
     * touch host memory are done when they return.  Streams have members of the same
     * names for their own order. */
    template <class T> void copy(device_span<T> dst, detail::as_is<span<const T>> src) const
    {
        std::size_t bytes = detail::bytes_of_both(dst.size_bytes(), src.size_bytes());
        check(rill_memcpy_htod(handle_, dst.address(), src.data(), bytes));
    }

    template <class T> void copy(detail::as_is<span<T>> dst, device_span<T> src) const
    {
        std::size_t bytes = detail::bytes_of_both(dst.size_bytes(), src.size_bytes());
        check(rill_memcpy_dtoh(handle_, dst.data(), src.address(), bytes));
    }

    template <class T> void copy(device_span<T> dst, device_span<T> src) const
    {
        std::size_t bytes = detail::bytes_of_both(dst.size_bytes(), src.size_bytes());
        check(rill_memcpy_dtod(handle_, dst.address(), src.address(), bytes));
    }

    /* Fills with elements of 1, 2 or 4 bytes. */
    template <class T> void fill(device_span<T> dst, detail::as_is<const T &> value) const
    {
        const rill_fill fill = detail::fill_of(dst, value);
        check(rill_memset_box(handle_, &fill));
    }
};

class context : public detail::owner<context_ref, rill_context_destroy> {
public:
    using owner::owner;

    /* Makes the primary context of the device. */
    explicit context(platform_ref platform, int device = 0)
        : context(platform, options_of(device))
    {
    }

    context(platform_ref platform, rill_context_options options)
    {
        options.size = sizeof options;
        check(rill_context_create(platform.get(), &options, &handle_));
    }

private:
    static rill_context_options options_of(int device)
    {
        rill_context_options options = {};
        options.device = device;
        return options;
    }
};

} // namespace rill

#endif
