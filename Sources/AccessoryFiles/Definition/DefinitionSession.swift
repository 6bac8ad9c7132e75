internal import Documents

/// One reading of a definition with the files that it includes.
struct DefinitionSession {
    /// What reads texts, flags and numbers, and collects what is wrong.
    var reader = DocumentReader()
    /// Whether the file is a picture of a real device, in which nothing is added or corrected.
    var isVerbatim = false
    /// The files that are included, by the name as it is written; those that cannot be read are not there.
    var included: [String: DocumentField] = [:]
    /// How many values the included files may still have, those of a file counted each time that it is included.
    var remainingNodes = 2 * DocumentText.maximumNodes
}
