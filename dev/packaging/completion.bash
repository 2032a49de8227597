# Completes schemagen and pt2 in bash: subcommands and options, as the command's own --help lists them, and files.
_pt2_complete() {
  local command=$1 word=$2 help words
  if [ "$COMP_CWORD" -gt 1 ]; then
    help=$("$command" "${COMP_WORDS[1]}" --help 2>/dev/null)
    words=$(grep -oE -- '--[a-z][a-z-]*' <<<"$help")
  else
    help=$("$command" --help 2>/dev/null)
    words=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help"; grep -oE -- '--[a-z][a-z-]*' <<<"$help")
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -o bashdefault -F _pt2_complete schemagen pt2
