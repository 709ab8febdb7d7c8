# Writes the linker's list of exports of one driver: what symbols.def has up to `version`, and the
# functions of <rill/check.h> with which a program declares what it touches, and what rill's runtime
# asks for.
BEGIN {
    FS = "[(), ]+"
    print "{"
    print "  global:"
    print "    rill_failure_words;"
    print "    rill_touch;"
    print "    rill_touch_host;"
}
/^SYMBOL/ {
    # Without a suffix the version follows the name.
    suffix = $3 ~ /^_/ ? $3 : ""
    since = suffix == "" ? $3 : $4
    if (since <= version) print "    " $2 suffix ";"
}
END {
    print "  local: *;"
    print "};"
}
