/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/buffer.hpp>: memory with an owner.
 */
#ifndef RILL_HPP_BUFFER_HPP
#define RILL_HPP_BUFFER_HPP

#include <rill/hpp/pool.hpp>
#include <rill/hpp/stream.hpp>

namespace rill {

/* ---- On a device -------------------------------------------------------- */

/* Owns `size` elements of a device's memory, which are uninitialized.  A buffer of a
 * context is allocated at once, and its destructor waits for the context's work.  A
 * buffer of a stream is allocated and freed in the stream's order; the stream must
 * still exist when the buffer ends, and what other streams do with the buffer must be
 * ordered in between.  Neither kind should end during a capture: destroying a buffer of a
 * context then breaks the capture, as rill_mem_free() does. */
template <class T> class buffer : public device_span<T> {
public:
    buffer() noexcept = default;

    buffer(context_ref context, std::size_t count) : context_(context.get())
    {
        const std::size_t bytes = detail::bytes_of<T>(count, "rill::buffer");
        if (bytes) check(rill_mem_alloc(context_, bytes, &this->first_.address));
        this->size_ = count;
    }

    buffer(stream_ref stream, std::size_t count, pool_ref pool = {}) : stream_(stream.get())
    {
        const std::size_t bytes = detail::bytes_of<T>(count, "rill::buffer");
        rill_devptr *address = &this->first_.address;
        if (bytes && pool)
            check(rill_mem_alloc_from_pool_async(stream_, pool.get(), bytes, address));
        else if (bytes)
            check(rill_mem_alloc_async(stream_, bytes, address));
        this->size_ = count;
    }

    /* Adopts memory that C allocated: this buffer frees it. */
    buffer(context_ref context, device_span<T> adopted) noexcept
        : device_span<T>(adopted), context_(context.get())
    {
    }

    buffer(stream_ref stream, device_span<T> adopted) noexcept
        : device_span<T>(adopted), stream_(stream.get())
    {
    }

    buffer(buffer &&other) noexcept
        : device_span<T>(other), context_(other.context_), stream_(other.stream_)
    {
        other.forget();
    }

    buffer &operator=(buffer &&other) noexcept
    {
        buffer former(std::move(other));
        std::swap(static_cast<device_span<T> &>(*this), static_cast<device_span<T> &>(former));
        std::swap(context_, former.context_);
        std::swap(stream_, former.stream_);
        return *this;
    }

    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;

    ~buffer() { reset(); }

    /* Gives the memory to the caller, who frees it. */
    [[nodiscard]] device_span<T> release() noexcept
    {
        const device_span<T> own = *this;
        forget();
        return own;
    }

    /* Frees the memory now and returns the status.  If freeing is refused, as inside a
     * host function, the buffer still owns the memory. */
    rill_status reset() noexcept
    {
        rill_status status = RILL_SUCCESS;
        if (this->address())
            status = stream_ ? rill_mem_free_async(stream_, this->address())
                             : rill_mem_free(context_, this->address());
        if (status == RILL_SUCCESS) forget();
        return status;
    }

private:
    rill_context *context_ = nullptr; /* one of both is there */
    rill_stream *stream_ = nullptr;

    void forget() noexcept { static_cast<device_span<T> &>(*this) = {}; }
};

/* ---- On the host -------------------------------------------------------- */

/* Owns pinned memory, which copies read and write while the host goes on.  Its elements
 * are zero at first. */
template <class T> class host_buffer {
    static_assert(std::is_trivially_copyable_v<T>, "devices get and give back bytes");

public:
    host_buffer() noexcept = default;

    host_buffer(context_ref context, std::size_t count, std::uint32_t flags = 0)
        : context_(context.get())
    {
        const std::size_t bytes = detail::bytes_of<T>(count, "rill::host_buffer");
        if (!bytes) return;
        void *memory = nullptr;
        check(rill_host_alloc(context_, bytes, flags, &memory));
        std::memset(memory, 0, bytes);
        all_ = span<T>(static_cast<T *>(memory), count);
    }

    host_buffer(host_buffer &&other) noexcept
        : context_(other.context_), all_(std::exchange(other.all_, {}))
    {
    }

    host_buffer &operator=(host_buffer &&other) noexcept
    {
        host_buffer former(std::move(other));
        std::swap(context_, former.context_);
        std::swap(all_, former.all_);
        return *this;
    }

    host_buffer(const host_buffer &) = delete;
    host_buffer &operator=(const host_buffer &) = delete;

    ~host_buffer() { reset(); }

    T *data() const noexcept { return all_.data(); }
    std::size_t size() const noexcept { return all_.size(); }
    T *begin() const noexcept { return all_.begin(); }
    T *end() const noexcept { return all_.end(); }
    T &operator[](std::size_t i) const noexcept { return all_[i]; }

    /* Returns the same memory as kernels see it. */
    device_span<T> on_device() const
    {
        rill_devptr address = 0;
        if (size()) check(rill_host_device_pointer(context_, data(), &address));
        return { address, size() };
    }

    /* Frees the memory now and returns the status. */
    rill_status reset() noexcept
    {
        rill_status status = data() ? rill_host_free(context_, data()) : RILL_SUCCESS;
        if (status == RILL_SUCCESS) all_ = {};
        return status;
    }

private:
    rill_context *context_ = nullptr;
    span<T> all_;
};

} // namespace rill

#endif
