#!/bin/sh
# Each object file of the library notes where its code is (src/base/own_text.h). One that was
# compiled without would count as the program's, and call sites would be told wrong.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

command -v readelf >/dev/null 2>&1 || skip_all "readelf is not installed"

# unmarked ARCHIVE: its object files without the note.
unmarked() {
  readelf -SW "$1" | awk '
    function close_file() { if (file != "" && !noted) print file }
    /^File: / { close_file(); file = $2; noted = 0 }
    / rill_text / { noted = 1 }
    END { close_file() }'
}

found=0
for archive in librill-all libstandin librill-image; do
  [ -f ".libs/$archive.a" ] || continue
  found=1
  expect_empty "all of $archive is noted as the library's" "$(unmarked ".libs/$archive.a" | head -n 20)"
done
[ "$found" = 1 ] || skip "nothing was built" "all of the library is noted"
done_testing
