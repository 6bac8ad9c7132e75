import ArgumentParser

/// The completion script for bash: the script of ArgumentParser, adapted to how bash splits words.
enum BashCompletion {
    /// Returns whether a command line asks for the script.
    static func isRequested(by arguments: [String]) -> Bool {
        arguments == ["--generate-completion-script", "bash"]
    }

    /// The complete script.
    static var script: String {
        Hap.completionScript(for: .bash) + words
    }

    private static let words = #"""

        # Bash splits words at a "=", so 'hap put' and 'hap wait' would see neither the name before it nor the value after it.
        __hap_assignments() {
            local -a COMP_WORDS
            read -ra COMP_WORDS <<< "${COMP_LINE:0:COMP_POINT}"
            [[ "${COMP_LINE:COMP_POINT-1:1}" == [[:space:]] ]] && COMP_WORDS+=("")
            local -i COMP_CWORD="$((${#COMP_WORDS[@]} - 1))"
            local -r assignment="${COMP_WORDS[COMP_CWORD]}"
            _hap "${1}" "${assignment}" "${COMP_WORDS[COMP_CWORD - 1]}"
            # The command line already contains the text up to the "=".
            [[ "${assignment}" == *=* ]] && COMPREPLY=("${COMPREPLY[@]#"${assignment%%=*}="}")
            [[ "${COMPREPLY[*]}" == *= ]] && compopt -o nospace
        }

        __hap_words() {
            case "${COMP_WORDS[1]}" in
            put | set | wait) __hap_assignments "$@" ;;
            *) _hap "$@" ;;
            esac
            # Names with a "/" are not files here, so bash must show and insert them unchanged.
            [[ "${COMP_WORDS[1]}" == @(get|put|set|wait|watch) && "${3}" != --state ]] && compopt +o filenames
            return 0
        }

        complete -o filenames -F __hap_words hap

        """#
}
