#!/bin/sh
# The recipes of doc/ci.md: the page shows the files of examples/ci, and these do what it
# says over a rill that was installed: fail for the wait that is missing, and for nothing else.
# Fetching and building rill is not tried, only that the commands for it can be read.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

recipes=$top_srcdir/examples/ci
page=$top_srcdir/doc/ci.md
root=$(pwd)/tests/ci.tmp
rm -rf "$root"
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/red" "$root/green" "$root/bin"
unset RILL_SIM_DEVICES RILL_SIM_DRIVER RILL_LOG RILL_LAYERS RILL_CHECK

# ---- The page -------------------------------------------------------------------

# shown FILE: what the page shows after it names the file.
shown() {
  awk -v name="(../examples/ci/$1):" '
    index($0, name) { near = 1 }
    inside && /^```$/ { exit }
    inside
    near && /^```/ { inside = 1; near = 0 }' "$page"
}

for path in "$recipes"/*; do
  name=${path##*/}
  [ "$name" != app.c ] || continue
  expect "the page shows $name" test "$(shown "$name")" = "$(cat "$path")"
done

# ---- Files that others read -------------------------------------------------------

# python_with MODULE: a python3 that has the module.
python_with() {
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $1" >/dev/null 2>&1; then
      echo "$python"
      return
    fi
  done
}

# commands FILE WORDS...: a script of the commands that are in a file of YAML, in which
# WORDS are keys on the way to them.
commands() {
  "$yaml" - "$@" << 'END'
import sys, yaml
found = yaml.safe_load(open(sys.argv[1]))
for word in sys.argv[2:]:
    found = found[word]
for step in found:
    step = step if isinstance(step, str) else step.get("run")
    if step:
        print(step.replace("${{ vars.RILL_URL }}", "$RILL_URL"))
END
}

# dockerfile: the commands of the file, one a line.
dockerfile() {
  sed -n 's/^RUN //p' "$recipes/Dockerfile"
}

yaml=$(python_with yaml)
if [ -n "$yaml" ]; then
  commands "$recipes/github.yml" jobs order steps > "$root/github.sh"
  { commands "$recipes/gitlab.yml" order before_script && commands "$recipes/gitlab.yml" order script; } \
    > "$root/gitlab.sh"
  expect "github.yml is YAML with commands" grep -q '^rill run' "$root/github.sh"
  expect "gitlab.yml is YAML with commands" grep -q '^rill run' "$root/gitlab.sh"
else
  skip "no python3 with yaml" "github.yml is YAML with commands"
  skip "no python3 with yaml" "gitlab.yml is YAML with commands"
fi
dockerfile > "$root/docker.sh"
expect "each line of the Dockerfile is an instruction that there is" test -z \
  "$(grep -vE '^(#|$|FROM |ARG |RUN |COPY )' "$recipes/Dockerfile")"

# ---- Over an installed rill ---------------------------------------------------------

case $sanitizers-$(test -f src/standin/libcuda.so.1 && echo standin) in
no-standin) ;;
*)
  skip "no stand-in, or one that programs cannot load" "the recipes work"
  done_testing
  exit 0
  ;;
esac

install_all() {
  (
    unset MAKEFLAGS MFLAGS MAKELEVEL
    make install "DESTDIR=$root/tree"
  )
}
expect "make install DESTDIR=…" install_all || {
  done_testing
  exit 0
}
installed=$root/tree$prefix
export PATH="$root/tree$bindir:$PATH"
# In place of the -L of the recipes, which name the usual folder.
export LIBRARY_PATH="$root/tree$libdir/rill${LIBRARY_PATH:+:$LIBRARY_PATH}"

# One folder with the mistake, and one with the lines that are missing.
cp "$recipes"/* "$root/red/"
cp "$recipes"/* "$root/green/"
chmod -R u+w "$root/red" "$root/green"
sed -e '/What is missing:$/d' -e '/^    \*\/$/d' "$recipes/app.c" > "$root/green/app.c"

# ends STATUS COMMAND...
ends() {
  want=$1
  shift
  "$@"
  status=$?
  [ "$status" -eq "$want" ] || { echo "it ended with $status, not with $want"; return 1; }
}

# The commands that the page begins with, from the compiler on.
sed -n 's/^    cd \.\. && \(cc .*\)/\1/p; s/^    \(rill run .*\)/\1/p' "$page" | head -n 2 \
  > "$root/page.sh"

# What fetches, builds and installs rill, or packages, is the machine's: each of these ends
# well, and a checkout is an empty folder with what the commands call.
for name in apt-get sudo make ldconfig; do
  printf '#!/bin/sh\nexit 0\n' > "$root/bin/$name"
done
cat > "$root/bin/git" << 'END'
#!/bin/sh
for folder; do :; done
mkdir -p "$folder"
printf '#!/bin/sh\n' | tee "$folder/bootstrap" > "$folder/configure"
chmod +x "$folder/bootstrap" "$folder/configure"
END
chmod +x "$root"/bin/*

# follows SCRIPT FOLDER: runs a script in a folder, line by line as a job does.
follows() {
  cd "$2" && PATH=$root/bin:$PATH RILL_URL=anywhere sh -eu -c '
    while read -r line; do (eval "$line") </dev/null || exit; done' < "$root/$1.sh"
}

in_folder() { (follows "$@"); }

report() {
  (follows page "$root/red" 2>&1 | grep '^==rill==')
}

for script in page github gitlab; do
  [ -s "$root/$script.sh" ] || {
    skip "no python3 with yaml" "the commands of $script"
    continue
  }
  expect "the commands of $script fail for the missing wait" ends 99 in_folder "$script" "$root/red"
  expect "and for nothing else" ends 0 in_folder "$script" "$root/green"
done
case $(report) in
*.c:*) expect "the page has the report" test "$(report)" = \
  "$(sed -n 's/^    \(==rill==.*\)/\1/p' "$page")" ;;
*) skip "reports have no lines here" "the page has the report" ;;
esac
expect "GitLab's job leaves its artifact" test -s "$root/red/order.json"
mkdir -p "$root/docker"
expect "the commands of the Dockerfile run" in_folder docker "$root/docker"

# ---- ctest and pytest ---------------------------------------------------------------

ctest_ends() {
  (
    cd "$root/$2" && CC=$CC cmake -S . -B build "-DCMAKE_PREFIX_PATH=$installed" &&
      cmake --build build && cd build && ends "$1" ctest -LE gpu --output-on-failure
  )
}

says_race() {
  said=$(ctest_ends 8 red 2>&1) || { printf '%s\n' "$said"; return 1; }
  case $said in *'race: cuMemcpyDtoDAsync reads'*) ;; *) printf '%s\n' "$said"; return 1 ;; esac
}

if command -v cmake >/dev/null 2>&1; then
  expect "ctest fails with the report" says_race
  expect "and for nothing else" ctest_ends 0 green
else
  skip "no cmake" "ctest fails with the report"
fi

pytest_ends() {
  (cd "$root/$2" && ends "$1" "$pytest" -m pytest -q -p no:cacheprovider)
}

pytest=$(python_with pytest)
if [ -n "$pytest" ]; then
  in_folder page "$root/red" >/dev/null 2>&1
  in_folder page "$root/green" >/dev/null 2>&1
  expect "pytest fails for the missing wait" pytest_ends 1 red
  expect "and for nothing else" pytest_ends 0 green
else
  skip "no pytest" "pytest fails for the missing wait"
fi
done_testing
