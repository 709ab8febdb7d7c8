# Set-up that the scripts here share: packages, bootstrap, configure. A script sets
# `top` to the source tree and sources this file.
# shellcheck shell=sh

: "${top:?}"

say() {
  printf '==> %s\n' "$*"
}

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

have() {
  command -v "$1" >/dev/null 2>&1
}

# ---- Packages ---------------------------------------------------------------

# Debian's names of what is missing; want adds to it, install_missing empties it.
missing=

# want PACKAGE COMMAND...: PACKAGE is missing unless COMMAND succeeds.
want() {
  want_package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $want_package"
}

# What a checkout needs to become a library.
want_build() {
  want gcc have gcc
  want libc6-dev test -e /usr/include/stdio.h
  want make have make
  want autoconf have autoconf
  want automake have automake
  want libtool have libtoolize
  want pkg-config have pkg-config
}

# What the whole test suite needs on top.
want_tests() {
  want_build
  want g++ have g++
  want libcmocka-dev pkg-config --exists 'cmocka >= 1.1.5'
  want shellcheck have shellcheck
  want graphviz have dot
  # With the library that tells addresses as lines, which is loaded at run time.
  want libdw-dev test -e /usr/include/elfutils/libdwfl.h
}

# What single tests use, which are skipped without: install_extras installs it if it can.
want_extras() {
  want codespell have codespell
  want mandoc have mandoc
  want lowdown have lowdown
  want abigail-tools have abidw
  want cmake have cmake
  want meson have meson
  want ninja-build have ninja
  want python3-pytest /usr/bin/python3 -c 'import pytest'
  want python3-yaml /usr/bin/python3 -c 'import yaml'
}

# Finds out how to become root, by a sudo that asks nothing if need be.
find_root() {
  as_root=
  [ "$(id -u)" = 0 ] || { as_root=sudo && have sudo && sudo -n true 2>/dev/null; }
}

install_extras() {
  [ -n "$missing" ] || return 0
  have apt-get && find_root || return 0
  say "installing$missing"
  mkdir -p "$top/build"
  as_root_apt update
  # shellcheck disable=SC2086
  as_root_apt install -y --no-install-recommends $missing ||
    say "some of them cannot be had; tests that need these are skipped"
  missing=
}

# Installs what is missing, as root or through a sudo that asks nothing.
install_missing() {
  [ -n "$missing" ] || return 0
  if ! have apt-get; then
    echo "${0##*/}: missing here, by Debian's names:$missing" >&2
    exit 2
  fi
  if ! find_root; then
    echo "${0##*/}: packages are missing, and only root can install them. As root, run:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends$missing" >&2
    exit 2
  fi
  say "installing$missing"
  mkdir -p "$top/build"
  # An index that cannot be refreshed may still do; the install will tell.
  as_root_apt update || say "apt-get update failed; going on with the package lists that are here"
  # shellcheck disable=SC2086
  as_root_apt install -y --no-install-recommends $missing || {
    tail -n 20 "$top/build/apt.log" >&2
    die "apt-get could not install$missing"
  }
  missing=
}

as_root_apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" \
    </dev/null >>"$top/build/apt.log" 2>&1
}

# foreign_packages ARCHITECTURE FOLDER PACKAGE...: extracts Debian's packages for another
# processor into FOLDER. Nothing is installed, and the system does not learn of that processor.
foreign_packages() {
  architecture=$1 root=$2 sources=
  shift 2
  extract_packages "$@"
}

# contrib_packages FOLDER PACKAGE...: extracts packages of Debian's contrib, which this system
# may not have among its sources, into FOLDER. Nothing is installed: what they depend on may
# be the driver of a GPU.
contrib_packages() {
  architecture=$(dpkg --print-architecture) root=$1 sources=$top/build/contrib.list
  shift
  mkdir -p "$top/build"
  # From where main comes.
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' \
    'Label: Debian' 'Component: main' | sort -u |
    sed 's,.*,deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] & contrib,' \
      > "$sources"
  extract_packages "$@"
}

# newer_packages FOLDER PACKAGE...: extracts packages of Debian 13, whichever release of it this
# system is, into FOLDER. Nothing is installed.
newer_packages() {
  architecture=$(dpkg --print-architecture) root=$1 sources=$top/build/trixie.list
  shift
  mkdir -p "$top/build"
  # From where main comes.
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' \
    'Component: main' | sort -u |
    sed 's,.*,deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] & trixie main,' \
      > "$sources"
  extract_packages "$@"
}

# newer_qemu FOLDER: the emulators of Debian 13, which run on an older system as well. qemu 7.2,
# Debian 12's, keeps an entry for each page that a program reserves, so that what reserves much
# takes minutes and gigabytes.
newer_qemu() {
  newer_packages "$1" qemu-user
}

# cmocka_for FOLDER COMPILER [SOURCE...]: the test library out of Debian's source, for a compiler
# for which Debian has no package: FOLDER/libcmocka.a, with what the sources make added, and its
# header in FOLDER/include.
cmocka_for() {
  root=$1 compiler=$2
  shift 2
  [ ! -f "$root/libcmocka.a" ] || return 0
  architecture=$(dpkg --print-architecture) sources=$top/build/source.list
  rm -rf "$root"
  mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial" "$root/source" "$root/made"
  # From where the packages come.
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' \
    'Label: Debian' 'Component: main' | sort -u |
    sed 's,.*,deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] & main,' \
      > "$sources"
  apt_apart update || return 1
  (cd "$root/source" && apt_apart source --download-only cmocka && tar -xf cmocka_*.orig.tar.xz) ||
    return 1
  mv "$root"/source/cmocka-*/include "$root/include" || return 1
  for source in "$root"/source/cmocka-*/src/cmocka.c "$@"; do
    "$compiler" -O2 -w -fPIC -I"$root/include" -DHAVE_CLOCK_REALTIME -DHAVE_CLOCK_GETTIME \
      -DHAVE_STRUCT_TIMESPEC -DHAVE_GCC_THREAD_LOCAL_STORAGE -DHAVE_SIGNAL_H -DHAVE_SIGLONGJMP \
      -DHAVE_STRSIGNAL -DHAVE_INTTYPES_H -DHAVE_STRINGS_H -DHAVE_MALLOC_H -c "$source" \
      -o "$root/made/$(basename "$source" .c).o" >>"$top/build/apt.log" 2>&1 || return 1
  done
  ar rcs "$root/libcmocka.a" "$root"/made/*.o
}

# extract_packages PACKAGE...: those for $architecture, into $root, which an earlier call with
# the same may have filled. They come from $sources if that is set, or from the system's.
extract_packages() {
  [ ! -f "$root/packages" ] || [ "$(cat "$root/packages")" != "$*" ] || return 0
  rm -rf "$root"
  mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial" "$root/deb" "$top/build"
  apt_apart update || return 1
  (cd "$root/deb" && apt_apart download "$@") || return 1
  for package in "$root"/deb/*.deb; do
    dpkg-deb -x "$package" "$root" || return 1
    # shellcheck disable=SC2016
    dpkg-deb -W --showformat '${Package} ${Version}\n' "$package" >> "$root/versions"
  done
  rm -rf "$root/apt" "$root/deb"
  echo "$*" > "$root/packages"
}

# apt-get with lists and an idea of what is installed that are not the system's.
apt_apart() {
  apt-get -o Dir::State="$root/apt" -o Dir::State::status=/dev/null -o Dir::Cache="$root/apt" \
    ${sources:+-o "Dir::Etc::sourcelist=$sources" -o Dir::Etc::sourceparts=-} \
    -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
    -o APT::Sandbox::User= -o Debug::NoLocking=1 "$@" </dev/null >>"$top/build/apt.log" 2>&1
}

# ---- Building ---------------------------------------------------------------

# logged LOG COMMAND...: runs COMMAND with its output in LOG, shows the end if it fails.
logged() {
  log=$1
  shift
  "$@" </dev/null >>"$log" 2>&1 && return 0
  echo "--- the end of $log" >&2
  tail -n 40 "$log" >&2
  return 1
}

# Makes configure, if it is not there or older than what it is made from.
bootstrap_tree() {
  [ ! -f "$top/config.status" ] ||
    die "the source tree itself is configured; 'make distclean' there, then come back"
  if [ -f "$top/configure" ] && [ -f "$top/Makefile.in" ]; then
    newer=$(find "$top/configure.ac" "$top/m4" -type f -newer "$top/configure" &&
      find "$top/Makefile.am" "$top"/*/local.mk "$top"/*/*/local.mk -newer "$top/Makefile.in")
    [ -n "$newer" ] || return 0
  fi
  say "bootstrap"
  mkdir -p "$top/build"
  : > "$top/build/bootstrap.log"
  logged "$top/build/bootstrap.log" "$top/bootstrap" || {
    rm -f "$top/configure" # half-made; the next run is to start over
    die "bootstrap failed"
  }
}

# configure_in FOLDER LOG ARGUMENT...: an earlier configure with the same arguments
# stands, and make refreshes it. With others the folder starts afresh, since make
# does not know which objects the old ones made. A small shell, where there is one, runs
# configure and then every recipe and libtool: a third of what a build takes is shells.
configure_in() {
  folder=$1
  log=$2
  shift 2
  if [ -f "$folder/config.status" ] && [ "$(cat "$folder/arguments" 2>/dev/null)" = "$*" ]; then
    return 0
  fi
  [ ! -d "$folder" ] || chmod -R u+w "$folder" # what a broken distcheck left
  rm -rf "$folder"
  mkdir -p "$folder"
  shell=$(command -v dash || command -v sh)
  (cd "$folder" && CONFIG_SHELL=$shell logged "$log" "$shell" "$top/configure" "$@") || return 1
  echo "$*" > "$folder/arguments"
}

processors() {
  nproc 2>/dev/null || echo 2
}
