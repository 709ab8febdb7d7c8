/* SPDX-License-Identifier: Apache-2.0
 *
 * <rill/hpp/error.hpp>: a call that failed, as an exception.
 */
#ifndef RILL_HPP_ERROR_HPP
#define RILL_HPP_ERROR_HPP

#include <rill/error.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace rill {

/* Holds a copy of the thread's error record, which the next failure overwrites. what()
 * is a text such as "rill_stream_create: context is NULL". */
class error : public std::runtime_error {
public:
    /* Describes the call of this thread that has just returned `status`. */
    explicit error(rill_status status) : error(record_of(status)) {}

    explicit error(const rill_error &record)
        : std::runtime_error(text_of(record)), record_(record)
    {
    }

    /* Describes a refusal of the program's own.  `operation` and `argument` must stay. */
    error(rill_status status, const char *operation, const char *argument,
          const std::string &explanation)
        : error(made_of(status, operation, argument, explanation.c_str()))
    {
    }

    rill_status status() const noexcept { return record_.status; }
    const char *operation() const noexcept { return record_.operation; }
    const char *argument() const noexcept { return record_.argument; } /* or nullptr */
    const char *object() const noexcept { return record_.object; }
    const char *explanation() const noexcept { return record_.message; }
    const rill_error_cause &cause() const noexcept { return record_.cause; }
    const rill_error &record() const noexcept { return record_; }
    bool is_sticky() const noexcept { return rill_error_is_sticky(record_.status) != 0; }

private:
    rill_error record_;

    static rill_error made_of(rill_status status, const char *operation, const char *argument,
                              const char *explanation)
    {
        rill_error made = {};
        made.status = status;
        made.operation = operation;
        made.argument = argument;
        std::snprintf(made.message, sizeof made.message, "%s", explanation);
        return made;
    }

    /* RILL_ERROR_NOT_READY leaves no record; then only the status can be described. */
    static rill_error record_of(rill_status status)
    {
        const rill_error *last = rill_last_error();
        if (last->status == status) return *last;
        const char *words = rill_error_string(status);
        return made_of(status, "rill", nullptr, words ? words : "an unknown status");
    }

    static std::string text_of(const rill_error &record)
    {
        const char *operation = record.operation ? record.operation : "rill";
        return std::string(operation) + ": " + record.message;
    }
};

/* Returns the text that rill_error_print() prints: the last failure of this thread, with call,
 * argument, object and cause. */
inline std::string error_text()
{
    std::string text(rill_error_format(nullptr, 0), '\0');
    rill_error_format(&text[0], text.size() + 1);
    return text;
}

namespace detail {

/* Out of line, so that the path of a call that succeeds stays short. */
[[noreturn]] inline void raise(rill_status status)
{
    throw error(status);
}

} // namespace detail

/* Throws unless the call succeeded.  Also serves calls of the C interface that have no
 * form in C++. */
inline void check(rill_status status)
{
    if (status != RILL_SUCCESS) detail::raise(status);
}

namespace detail {

/* Turns the answer of a query into whether the work is done. */
inline bool is_done(rill_status status)
{
    if (status == RILL_ERROR_NOT_READY) return false;
    check(status);
    return true;
}

} // namespace detail
} // namespace rill

#endif
