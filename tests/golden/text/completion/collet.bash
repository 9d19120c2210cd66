# bash completion of collet: source it, or put it where bash-completion looks.
_collet() {
  local verb='' word words
  COMPREPLY=()
  case "${COMP_WORDS[COMP_CWORD - 1]}" in
    --device) COMPREPLY=($(compgen -W 'auto gpu cpu vulkan opencl cuda hip level_zero metal webgpu opengl opengles webgl2 simulated' -- "${COMP_WORDS[COMP_CWORD]}")); return ;;
    --timeout) return ;;
  esac
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in backends|devices|default|summary|status|doctor|check|emit|run|ring-bench|version|completion) verb=$word; break ;; esac
  done
  case "$verb" in
    backends) words='--help --json --no-cache --no-isolation --timeout' ;;
    devices) words='--verbose --help --json --no-cache --no-isolation --timeout' ;;
    default) words='--device --help --json --no-cache --no-isolation --timeout' ;;
    summary) words='--help --json --no-cache --no-isolation --timeout' ;;
    status) words='cpu vulkan opencl cuda hip level_zero metal webgpu opengl opengles webgl2 simulated --help --json --no-cache --no-isolation --timeout' ;;
    doctor) words='--device --help --json --no-cache --no-isolation --timeout' ;;
    check) words='--help --json --no-cache --no-isolation --timeout' ;;
    emit) words='--to --output --lines --list --help --json --no-cache --no-isolation --timeout' ;;
    run) words='--grid --elements --set --check --device --help --json --no-cache --no-isolation --timeout' ;;
    ring-bench) words='--grid --elements --set --device --help --json --no-cache --no-isolation --timeout' ;;
    version) words='--help --json --no-cache --no-isolation --timeout' ;;
    completion) words='bash zsh fish --help --json --no-cache --no-isolation --timeout' ;;
    *) words='backends devices default summary status doctor check emit run ring-bench version completion --help --json --no-cache --no-isolation --timeout' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _collet collet
