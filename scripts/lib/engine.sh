# The container engine: the one that answers, else Docker from the distribution's packages. Sourced by scripts/setup.

engine_answers() { command -v docker >/dev/null && timeout 10 docker version >/dev/null 2>&1; }

# running NAME: is a process of this name alive? (procps need not be installed)
running() { grep -qsx -- "$1" /proc/[0-9]*/comm; }

has_engine() { command -v docker >/dev/null && command -v dockerd >/dev/null; }

has_systemd() { [[ -d /run/systemd/system ]]; }

ensure_engine() {
  engine_answers && return
  [[ -z ${DOCKER_HOST:-} ]] || fail 3 "The container engine at DOCKER_HOST=$DOCKER_HOST does not answer." \
    "Start it, or unset DOCKER_HOST to use the engine of this machine."
  refuse_without_permission
  can_be_root || fail 3 "No container engine answers, and starting one needs root or sudo." \
    "Ask an administrator to install and start Docker (Debian, Ubuntu: apt-get install docker.io)," \
    "or run scripts/setup once as root. Then run this script again."
  has_engine || install_engine
  engine_answers || start_engine
}

# A socket that a living engine listens on and this user may not open.
refuse_without_permission() {
  [[ -S /var/run/docker.sock && ! -w /var/run/docker.sock ]] && running dockerd || return 0
  fail 3 "A container engine is running, but $(id -un) may not use it." \
    "sudo usermod -aG docker $(id -un)    then sign out and in again, and run this script again."
}

install_engine() {
  command -v apt-get >/dev/null || fail 3 "There is no container engine, and no apt-get to install one with." \
    "Install Docker Engine with this system's package manager, start it, and run this script again."
  step "Container engine: installing docker.io"
  local packages=(docker.io iptables ca-certificates)
  # Newer releases have the client in a package of its own.
  [[ -z $(apt-cache search --names-only '^docker-cli$') ]] || packages+=(docker-cli)
  apt_install "${packages[@]}" || fail 3 "docker.io could not be installed."
}

start_engine() {
  local stop='systemctl stop docker'
  if has_systemd; then
    logged dockerd as_root systemctl start docker || fail 3 "Docker did not start: see journalctl -u docker."
  elif ! running dockerd; then
    remove_leftovers
    # A session of its own: Ctrl-C in this terminal must not reach it.
    as_root setsid --fork dockerd >var/log/dockerd.log 2>&1 </dev/null
    stop='kill $(cat /var/run/docker.pid)'
  fi
  wait_for_engine || {
    refuse_without_permission
    [[ ! -f var/log/dockerd.log ]] || tail -n 15 var/log/dockerd.log | cut -c1-300 | sed 's/^/  /' >&2
    fail 3 "The container engine was started but does not answer (log: var/log/dockerd.log)." \
      "Inside a container it needs a privileged one. Start an engine yourself, then run this script again."
  }
  step "Container engine: started, and it stays on when this script ends; to stop it, as root: $stop"
}

# An engine that was killed leaves files that name processes and sockets which are no more, and the next one
# believes them: it exits because another process has the old number, or waits for a containerd that is gone.
remove_leftovers() {
  as_root rm -f /var/run/docker.pid /var/run/docker.sock
  running containerd || as_root rm -f /var/run/docker/containerd/containerd.pid /run/containerd/containerd.sock
}

# Ends early when dockerd gave up: it says why in its log.
wait_for_engine() {
  local deadline=$((SECONDS + 60))
  until engine_answers; do
    sleep 0.5
    ((SECONDS < deadline)) && running dockerd || return 1
  done
}
