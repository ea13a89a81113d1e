#compdef bleuprint
_bleuprint_completion() {
    local -a lines plain open described
    local type value description
    lines=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) \
        _BLEUPRINT_COMPLETE=zsh_complete bleuprint)}")
    for type value description in $lines; do
        if [[ $type == file ]]; then
            compset -P '*='
            _files
        elif [[ $description != _ ]]; then
            described+=("$value:$description")
        elif [[ $value == *= ]]; then
            open+=("$value")
        else
            plain+=("$value")
        fi
    done
    (( $#described )) && _describe -V option described
    (( $#plain )) && compadd -a plain
    (( $#open )) && compadd -S '' -a open
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _bleuprint_completion "$@"
else
    compdef _bleuprint_completion bleuprint
fi
