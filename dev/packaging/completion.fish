# Completes schemagen and pt2 in fish: subcommands and options, as the command's own --help lists them, and files.
function __pt2_complete
    set -l words (commandline -opc)
    if test (count $words) -gt 1
        $words[1] $words[2] --help 2>/dev/null | string match -ra -- '--[a-z][a-z-]*'
    else
        set -l help ($words[1] --help 2>/dev/null)
        printf '%s\n' $help | sed -nE '/^Subcommands:/,/^$/s/^  ([a-z]+) +/\1\t/p'
        string match -ra -- '--[a-z][a-z-]*' $help
    end
end
complete -c schemagen -a '(__pt2_complete)'
complete -c pt2 -a '(__pt2_complete)'
