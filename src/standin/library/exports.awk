# Writes the linker's list of exports of one driver: what symbols.def has up to `version`.
BEGIN {
    FS = "[(), ]+"
    print "{"
    print "  global:"
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
