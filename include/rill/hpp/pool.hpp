/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/pool.hpp>: memory that is allocated and freed in stream order.
 */
#ifndef RILL_HPP_POOL_HPP
#define RILL_HPP_POOL_HPP

#include <rill/hpp/platform.hpp>
#include <rill/pool.h>

namespace rill {

class pool_ref : public detail::ref<rill_pool> {
public:
    using ref::ref;

    std::uint64_t attribute(rill_pool_attribute which) const
    {
        std::uint64_t value = 0;
        check(rill_pool_get_attribute(handle_, which, &value));
        return value;
    }

    void set_attribute(rill_pool_attribute which, std::uint64_t value) const
    {
        check(rill_pool_set_attribute(handle_, which, value));
    }

    void trim(std::size_t keep = 0) const { check(rill_pool_trim(handle_, keep)); }

    rill_access access(int device) const
    {
        rill_access access = RILL_ACCESS_NONE;
        check(rill_pool_get_access(handle_, device, &access));
        return access;
    }

    void set_access(int device, rill_access access) const
    {
        check(rill_pool_set_access(handle_, device, access));
    }

    void set_label(const char *label) const { check(rill_pool_set_label(handle_, label)); }
    const char *label() const noexcept { return rill_pool_label(handle_); }
};

class pool : public detail::owner<pool_ref, rill_pool_destroy> {
public:
    using owner::owner;

    explicit pool(platform_ref platform, rill_pool_options options = {})
    {
        options.size = sizeof options;
        check(rill_pool_create(platform.get(), &options, &handle_));
    }
};

/* Returns the pool that the device came with. */
inline pool_ref default_pool(platform_ref platform, int device = 0)
{
    rill_pool *found = nullptr;
    check(rill_device_default_pool(platform.get(), device, &found));
    return found;
}

/* Returns the pool that allocations without a pool use now. */
inline pool_ref current_pool(platform_ref platform, int device = 0)
{
    rill_pool *found = nullptr;
    check(rill_device_pool(platform.get(), device, &found));
    return found;
}

inline void set_current_pool(platform_ref platform, int device, pool_ref pool)
{
    check(rill_device_set_pool(platform.get(), device, pool.get()));
}

} // namespace rill

#endif
