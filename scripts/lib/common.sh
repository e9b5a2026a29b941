# Shared by the scripts: sourced, never run. They all work from the project's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p var/log

step() { printf '• %s\n' "$*"; }

# fail CODE TEXT…: one line a text, then the end.
fail() {
  local code=$1
  shift
  printf '✗ %s\n' "$1" >&2
  shift
  (($# == 0)) || printf '  %s\n' "$@" >&2
  exit "$code"
}

# logged NAME COMMAND…: the output goes to var/log/NAME.log; when the command fails its last lines are shown.
logged() {
  local log=var/log/$1.log
  shift
  "$@" >"$log" 2>&1 </dev/null && return
  printf '✗ %s (the last lines of %s)\n' "$*" "$log" >&2
  tail -n 15 "$log" | sed 's/^/  /' >&2
  return 1
}

# as_root COMMAND…: sudo may ask for a password only where somebody can type one.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif [[ -t 0 ]]; then
    sudo "$@"
  else
    sudo --non-interactive "$@"
  fi
}

can_be_root() {
  ((EUID == 0)) || { command -v sudo >/dev/null && { [[ -t 0 ]] || sudo --non-interactive true 2>/dev/null; }; }
}

can_install() { command -v apt-get >/dev/null && can_be_root; }

# apt_install PACKAGE…: a machine's package lists may be missing or too old to fetch from.
apt_install() {
  local get=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
  as_root "${get[@]}" install "$@" >var/log/apt.log 2>&1 </dev/null && return
  logged apt as_root "${get[@]}" update && logged apt as_root "${get[@]}" install "$@"
}

# stamp FILE…: what a finished step depended on, to see whether it must be done again.
stamp() { cat "$@" | sha256sum | cut -c1-64; }

is_stamped() { [[ -f $1 && $(<"$1") == "$2" ]]; }
