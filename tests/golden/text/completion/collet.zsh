#compdef collet
# zsh completion of collet: put it into a folder of $fpath as _collet, or source it.
_collet() {
  local verb='' word
  local -a own arguments verbs shared
  verbs=('backends:every backend, and how far it has come on this machine' 'devices:every device, and which one is the default' 'default:the device that open_best() opens, and why' 'summary:the machine on ten lines' 'status:library, versions and devices of one backend, or of each' 'doctor:what is in the way of each backend, and what to do about it' 'check:whether kernels are valid, what they need, and which languages take them' 'emit:a kernel in another language, without a device' 'run:a kernel on a device, compared with the CPU'\''s answer' 'ring-bench:whether a kernel would gain by a ring' 'version:the version, the compiler and the backends of this build' 'completion:the script that lets a shell complete collet')
  shared=('--help:this text, or that of a verb' '--json:the answer as JSON, see docs/schema' '--no-cache:probe now, whatever an earlier probe found' '--no-isolation:probe in this process: a bad driver may end it' '--timeout:for the probe of each backend; 10 unless given')
  case "${words[CURRENT - 1]}" in
    --device) compadd auto gpu cpu vulkan opencl cuda hip level_zero metal webgpu opengl opengles webgl2 simulated; return ;;
    --timeout) return 1 ;;
  esac
  for word in "${(@)words[2,CURRENT - 1]}"; do
    case "$word" in (backends|devices|default|summary|status|doctor|check|emit|run|ring-bench|version|completion) verb=$word; break ;; esac
  done
  case "$verb" in
    backends) own=() arguments=() ;;
    devices) own=('--verbose:every property of every device') arguments=() ;;
    default) own=('--device:auto, gpu, vulkan, vulkan:1, opencl:cpu:0 or an index; wins over COLLET_BACKEND and COLLET_DEVICE') arguments=() ;;
    summary) own=() arguments=() ;;
    status) own=() arguments=(cpu vulkan opencl cuda hip level_zero metal webgpu opengl opengles webgl2 simulated) ;;
    doctor) own=('--device:auto, gpu, vulkan, vulkan:1, opencl:cpu:0 or an index; wins over COLLET_BACKEND and COLLET_DEVICE') arguments=() ;;
    check) own=() arguments=() ;;
    emit) own=('--to:ir, opencl, cuda, hip, glsl-vulkan, glsl, gles, wgsl, msl, spirv or spirv-kernel; ir unless given' '--output:writes a file; SPIR-V as its words, not as text' '--lines:comments say which line of the kernel a statement comes from' '--list:the built-in kernels') arguments=() ;;
    run) own=('--grid:elements in up to three dimensions; 1024 unless given' '--elements:of each buffer; as many as the grid has unless given' '--set:a value of the kernel' '--check:an index out of range is an error that names it' '--device:auto, gpu, vulkan, vulkan:1, opencl:cpu:0 or an index; wins over COLLET_BACKEND and COLLET_DEVICE') arguments=() ;;
    ring-bench) own=('--grid:elements in up to three dimensions; 1024 unless given' '--elements:of each buffer; as many as the grid has unless given' '--set:a value of the kernel' '--device:auto, gpu, vulkan, vulkan:1, opencl:cpu:0 or an index; wins over COLLET_BACKEND and COLLET_DEVICE') arguments=() ;;
    version) own=() arguments=() ;;
    completion) own=() arguments=(bash zsh fish) ;;
    *) _describe 'verb' verbs ;;
  esac
  (($#arguments)) && compadd -a arguments
  (($#own)) && _describe 'option' own
  _describe 'option of every verb' shared
}
if [[ $funcstack[1] == _collet ]]; then _collet "$@"; else compdef _collet collet; fi
