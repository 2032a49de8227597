#!/usr/bin/env bash
# dev/bare.sh [--all] [NAME...]: runs commands of README.md, or with --all of all documents, or those called NAME, each in a fresh clone of
# the last commit on an empty Debian 12 (root; Debian's debootstrap). In a document, `<!-- bare NAME: PREPARATION -->` comes before a block of
# commands. Prints a line per block; the output is in build/bare/NAME.log. The blocks share a compiler cache. Takes
# about ten minutes per block.
# Exit codes: 0 nothing failed, 1 a block failed, 2 usage.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"
cd "$root"
all=(README.md CONTRIBUTING.md docs/*.md tests/bench/README.md)
documents=(README.md)
names=()
for argument in "$@"; do
  case $argument in
    --all) documents=("${all[@]}") ;;
    -*) usage ;;
    *)
      grep -q "^<!-- bare $argument: " "${all[@]}" || { echo "bare.sh: no block '$argument'" >&2 && exit 2; }
      documents=("${all[@]}")
      names+=("$argument")
      ;;
  esac
done

bare=build/bare
mkdir -p $bare
command -v debootstrap >/dev/null || { apt-get update -qq && apt-get install -y -qq debootstrap >/dev/null; }
[ -f $bare/base/etc/debian_version ] || debootstrap --variant=minbase --include=ca-certificates,git bookworm $bare/base >$bare/base.log || exit 1

# The commands of the block NAME, after its preparation.
commands() {
  awk -v name="$1" '
    index($0, "<!-- bare " name ": ") == 1 { sub(/^[^:]*: /, ""); sub(/ -->$/, ""); print; wanted = 1; next }
    wanted && /^```/ { if (inside) exit; inside = 1; next }
    inside' "${documents[@]}"
}

run() {
  local place=$bare/$1
  rm -rf --one-file-system "$place" && cp -a $bare/base "$place" && git clone --quiet --depth 1 "file://$root" "$place/root/libpt2" || return
  cp /etc/resolv.conf "$place/etc" && cp -L /etc/ssl/certs/ca-certificates.crt "$place/etc/ssl/certs" && mkdir -p "$place/root/.cache/ccache" $bare/ccache || return
  mount --bind /proc "$place/proc" && mount --bind /dev "$place/dev" && mount --bind /dev/pts "$place/dev/pts" && mount --bind $bare/ccache "$place/root/.cache/ccache" || return
  commands "$1" | chroot "$place" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    bash -c 'cd /root/libpt2 && apt-get update -qq && . /dev/stdin'
  local code=$?
  umount --lazy "$place/proc" "$place/dev/pts" "$place/dev" "$place/root/.cache/ccache"
  return $code
}

failed=0
for name in ${names[*]:-$(sed -n 's/^<!-- bare \([a-z-]*\): .*/\1/p' "${documents[@]}")}; do
  started=$SECONDS
  result=passed
  run "$name" >"$bare/$name.log" 2>&1 </dev/null || result=failed failed=1
  rm -rf --one-file-system "${bare:?}/$name"
  printf '%-12s %s in %d s\n' "$name" $result $((SECONDS - started))
done
exit $failed
