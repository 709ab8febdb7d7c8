/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/handle.hpp>: what all references and owners have in common.
 *
 * For each kind of object there are two classes.  `stream_ref` is a handle that belongs
 * to another object: a pointer with the calls as members, copied at will, made from any
 * rill_stream *. `stream` is a stream_ref that owns its handle: it moves, cannot be
 * copied, and destroys the object at its end.  Functions that use a stream take a
 * stream_ref, and accept both.
 *
 * A member does what the call of the same name in the C header does, and throws
 * rill::error where that call fails.  The C header also says what may be called by
 * several threads, inside a capture or inside a host function.
 */
#ifndef RILL_HPP_HANDLE_HPP
#define RILL_HPP_HANDLE_HPP

#include <rill/hpp/error.hpp>
#include <rill/types.h>

#include <utility>

namespace rill {
namespace detail {

template <class Handle> class ref {
public:
    using handle_type = Handle;

    constexpr ref() noexcept = default;
    constexpr ref(Handle *borrowed) noexcept : handle_(borrowed) {}

    constexpr Handle *get() const noexcept { return handle_; }
    constexpr explicit operator bool() const noexcept { return handle_ != nullptr; }

    friend constexpr bool operator==(ref a, ref b) noexcept { return a.handle_ == b.handle_; }
    friend constexpr bool operator!=(ref a, ref b) noexcept { return a.handle_ != b.handle_; }

protected:
    Handle *handle_ = nullptr;
};

/* An empty owner has nothing to destroy, and its calls fail with
 * RILL_ERROR_INVALID_HANDLE or the like.  An owner that was moved from is empty. */
template <class Ref, rill_status (*destroy)(typename Ref::handle_type **)>
class owner : public Ref {
public:
    using handle_type = typename Ref::handle_type;

    owner() noexcept = default;

    /* Adopts the object, which this owner destroys. */
    explicit owner(handle_type *adopted) noexcept : Ref(adopted) {}

    owner(owner &&other) noexcept : Ref(other.release()) {}

    owner &operator=(owner &&other) noexcept
    {
        owner former(std::move(other));
        std::swap(this->handle_, former.handle_);
        return *this;
    }

    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;

    /* The status of the destruction is lost here: see reset(). */
    ~owner() { reset(); }

    /* Gives the object to the caller, who destroys it. */
    [[nodiscard]] handle_type *release() noexcept
    {
        return std::exchange(this->handle_, nullptr);
    }

    /* Destroys the object now and returns the status; never throws.  If C refuses to
     * destroy the object, such as a context inside a host function, the owner still
     * owns it; an owner whose own end comes in that situation leaks the object. */
    rill_status reset() noexcept
    {
        return this->handle_ ? destroy(&this->handle_) : RILL_SUCCESS;
    }
};

} // namespace detail
} // namespace rill

#endif
