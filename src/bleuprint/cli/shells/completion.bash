_bleuprint_completion() {
    local IFS=$'\n' line
    COMPREPLY=()
    for line in $(env COMP_WORDS="${COMP_LINE:0:$COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \
        _BLEUPRINT_COMPLETE=bash_complete "$1"); do
        case $line in
            file,*) compopt -o default ;;
            *)
                COMPREPLY+=("${line#*,}")
                [[ $line == *= ]] && compopt -o nospace
                ;;
        esac
    done
}
complete -o nosort -F _bleuprint_completion bleuprint
