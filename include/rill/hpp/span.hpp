/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/span.hpp>: arrays that belong to another object.
 */
#ifndef RILL_HPP_SPAN_HPP
#define RILL_HPP_SPAN_HPP

#include <rill/types.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

namespace rill {

/* What std::span is in C++20.  Anything with data() and size() converts to a span.  A
 * list in braces converts to a span of constants, which lasts as long as the call that
 * receives it: graph.add_empty({ first, second }); */
template <class T> class span {
    template <class C>
    using element_of = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>;

public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}

    /* Converts from elements of one type to its constants, but not from a class to its
     * base. */
    template <class C, class = std::enable_if_t<
                           !std::is_same_v<std::decay_t<C>, span> &&
                           std::is_convertible_v<element_of<C> (*)[], T (*)[]>>>
    constexpr span(C &&all) noexcept : data_(std::data(all)), size_(std::size(all))
    {
    }

    template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
    constexpr span(std::initializer_list<std::remove_const_t<U>> all) noexcept
        : size_(all.size())
    {
        data_ = all.begin();
    }

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }

    constexpr span subspan(std::size_t first, std::size_t count) const noexcept
    {
        return span(data_ + first, count);
    }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* The nodes after which another node runs. */
using node_span = span<const rill_node>;

namespace detail {

/* A parameter from which nothing is deduced, so that arguments convert. */
template <class T> struct same {
    using type = T;
};
template <class T> using as_is = typename same<T>::type;

} // namespace detail
} // namespace rill

#endif
