#compdef schemagen pt2
# Completes schemagen and pt2 in zsh: subcommands and options, as the command's own --help lists them, and files.
local help
local -a subcommands
if (( CURRENT > 2 )); then
  help=$($words[1] $words[2] --help 2>/dev/null)
else
  help=$($words[1] --help 2>/dev/null)
  subcommands=(${(f)"$(sed -nE '/^Subcommands:/,/^$/s/^  ([a-z]+) +/\1:/p' <<<$help)"})
  _describe subcommand subcommands
fi
compadd -- $(grep -oE -- '--[a-z][a-z-]*' <<<$help)
_files
