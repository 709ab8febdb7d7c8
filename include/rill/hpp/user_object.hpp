/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/user_object.hpp>: what graphs keep alive.
 */
#ifndef RILL_HPP_USER_OBJECT_HPP
#define RILL_HPP_USER_OBJECT_HPP

#include <rill/graph.h>
#include <rill/hpp/function.hpp>
#include <rill/hpp/platform.hpp>

#include <memory>

namespace rill {

class user_object_ref : public detail::ref<rill_user_object> {
public:
    using ref::ref;
};

namespace detail {

inline rill_status release_user_object(rill_user_object **object)
{
    rill_user_object *given = *object;
    const rill_status status = rill_user_object_release(&given, 1);
    if (status == RILL_SUCCESS) *object = nullptr;
    return status;
}

} // namespace detail

/* A C++ value that is destroyed when the last reference is gone: this object, graphs,
 * their execs and launches in flight hold references.  The thread that destroys the
 * value is unspecified.
 *
 *     rill::user_object<std::vector<float>> weights(platform, std::move(numbers));
 *     graph.retain(weights); */
template <class T>
class user_object : public detail::owner<user_object_ref, detail::release_user_object> {
public:
    user_object() noexcept = default;

    user_object(platform_ref platform, T value)
    {
        auto held = std::make_unique<T>(std::move(value));
        check(rill_user_object_create(platform.get(), held.get(), detail::destroy_boxed<T>, 1,
                                      &handle_));
        value_ = held.release();
    }

    /* Valid for as long as there is a reference. */
    T *value() const noexcept { return handle_ ? value_ : nullptr; }

private:
    T *value_ = nullptr;
};

} // namespace rill

#endif
