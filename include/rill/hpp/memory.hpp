/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/memory.hpp>: typed addresses on a device.
 */
#ifndef RILL_HPP_MEMORY_HPP
#define RILL_HPP_MEMORY_HPP

#include <rill/hpp/error.hpp>
#include <rill/hpp/span.hpp>
#include <rill/memory.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace rill {

/* A rill_devptr that knows the type of what is there, and nothing else, so that a
 * parameter of a kernel can be one.  The host does not read through it. */
template <class T> struct device_ptr {
    rill_devptr address = 0;

    device_ptr() noexcept = default;
    constexpr explicit device_ptr(rill_devptr at) noexcept : address(at) {}

    constexpr operator device_ptr<const T>() const noexcept
    {
        return device_ptr<const T>(address);
    }

    /* Returns the memory itself, for use in a simulated kernel. */
    T *memory() const noexcept
    {
        return reinterpret_cast<T *>(static_cast<std::uintptr_t>(address));
    }
};

template <class T> struct device_ptr<const T> {
    rill_devptr address = 0;

    device_ptr() noexcept = default;
    constexpr explicit device_ptr(rill_devptr at) noexcept : address(at) {}

    const T *memory() const noexcept
    {
        return reinterpret_cast<const T *>(static_cast<std::uintptr_t>(address));
    }
};

/* Refers to `size` elements on a device that belong to another object: to a
 * rill::buffer, which is a device_span itself, or to memory that C allocated.  A part
 * of a device_span is one, too. */
template <class T> class device_span {
    static_assert(std::is_trivially_copyable_v<T>, "devices get and give back bytes");
    static_assert(!std::is_const_v<T>, "of a span only an address can be one of constants");

public:
    constexpr device_span() noexcept = default;
    constexpr device_span(rill_devptr address, std::size_t size) noexcept
        : first_(address), size_(size)
    {
    }

    constexpr rill_devptr address() const noexcept { return first_.address; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
    constexpr bool empty() const noexcept { return size_ == 0; }

    constexpr const device_ptr<T> &ptr() const noexcept { return first_; }
    constexpr operator device_ptr<T>() const noexcept { return first_; }
    constexpr operator device_ptr<const T>() const noexcept { return first_; }

    constexpr device_span subspan(std::size_t first, std::size_t count) const noexcept
    {
        return device_span(address() + first * sizeof(T), count);
    }

protected:
    device_ptr<T> first_;
    std::size_t size_ = 0;
};

namespace detail {

/* Returns the bytes of `count` elements.  If the number is too great to be represented,
 * refuses `operation` for lack of memory. */
template <class T> std::size_t bytes_of(std::size_t count, const char *operation)
{
    if (count > SIZE_MAX / sizeof(T))
        throw error(RILL_ERROR_OUT_OF_MEMORY, operation, "count",
                    "count is " + std::to_string(count) + ", which is more than there can be");
    return count * sizeof(T);
}

/* A copy takes all of both sides; use subspan() for a part. */
inline std::size_t bytes_of_both(std::size_t dst, std::size_t src)
{
    if (dst != src)
        throw error(RILL_ERROR_INVALID_VALUE, "rill::copy", "src",
                    "src has " + std::to_string(src) + " bytes and dst has " +
                        std::to_string(dst) + "; give spans of the same size");
    return dst;
}

/* Returns the pattern of a fill. */
template <class T> std::uint32_t pattern_of(const T &value) noexcept
{
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4,
                  "a fill is of elements of 1, 2 or 4 bytes");
    if constexpr (sizeof(T) == 1) {
        std::uint8_t byte;
        std::memcpy(&byte, &value, sizeof byte);
        return byte;
    } else if constexpr (sizeof(T) == 2) {
        std::uint16_t half;
        std::memcpy(&half, &value, sizeof half);
        return half;
    } else {
        std::uint32_t word;
        std::memcpy(&word, &value, sizeof word);
        return word;
    }
}

template <class T> rill_fill fill_of(device_span<T> dst, const T &value) noexcept
{
    return { dst.address(), 0, pattern_of(value), sizeof(T), dst.size(), 1 };
}

/* Returns a copy of one row. */
inline rill_copy copy_of(const rill_place &dst, const rill_place &src, std::size_t bytes) noexcept
{
    return { dst, src, bytes, 1, 1 };
}

} // namespace detail
} // namespace rill

#endif
