import ArgumentParser

/// The completion script for bash: ArgumentParser's, and what the way in which bash divides words needs besides.
enum BashCompletion {
    /// Whether a command line asks for it.
    static func isRequested(by arguments: [String]) -> Bool {
        Array(arguments.dropFirst()) == ["--generate-completion-script", "bash"]
    }

    /// The whole script.
    static var script: String {
        Hap.completionScript(for: .bash) + words
    }

    private static let words = #"""

        # For bash a "=" ends a word, so that 'hap put' would see neither the name before it nor the value behind it.
        __hap_assignments() {
            local -a COMP_WORDS
            read -ra COMP_WORDS <<< "${COMP_LINE:0:COMP_POINT}"
            [[ "${COMP_LINE:COMP_POINT-1:1}" == [[:space:]] ]] && COMP_WORDS+=("")
            local -i COMP_CWORD="$((${#COMP_WORDS[@]} - 1))"
            local -r assignment="${COMP_WORDS[COMP_CWORD]}"
            _hap "${1}" "${assignment}" "${COMP_WORDS[COMP_CWORD - 1]}"
            # What stands up to the "=" is there already.
            [[ "${assignment}" == *=* ]] && COMPREPLY=("${COMPREPLY[@]#"${assignment%%=*}="}")
            [[ "${COMPREPLY[*]}" == *= ]] && compopt -o nospace
        }

        __hap_words() {
            case "${COMP_WORDS[1]}" in
            put | set) __hap_assignments "$@" ;;
            *) _hap "$@" ;;
            esac
            # Names with a "/" in them are no files, and are shown and taken as they are.
            [[ "${COMP_WORDS[1]}" == @(get|put|set|watch) && "${3}" != --state ]] && compopt +o filenames
            return 0
        }

        complete -o filenames -F __hap_words hap

        """#
}
