internal import Documents

/// Finds the line and the column of a diagnostic's path in the text of a dump.
struct DumpLocator {
    private let device: DocumentNode

    /// Creates a locator for one device of a dump.
    ///
    /// Returns `nil` if the text is not JSON, or is deeper or longer than a definition may be.
    ///
    /// - Parameter id: The device ID, for a file with several devices.
    init?(_ bytes: [UInt8], device id: String?) {
        var ignored = DiagnosticCollector()
        guard let text = DocumentText.validated(bytes, in: "", &ignored),
            let root = JSONDocumentParser.compose(text, in: "", &ignored)
        else { return nil }
        let data = root.member("data")
        let pairings = data?.member("pairings") ?? root
        device = id.flatMap(pairings.member) ?? data?.member("entity-map") ?? root
    }

    /// Returns whether a diagnostic has a path and no position.
    static func canLocate(_ diagnostic: Diagnostic) -> Bool {
        diagnostic.position == nil && !diagnostic.path.isEmpty
    }

    /// Returns the diagnostic with the position of its path.
    func locating(_ diagnostic: Diagnostic) -> Diagnostic {
        guard Self.canLocate(diagnostic) else { return diagnostic }
        var located = diagnostic
        located.position = position(of: diagnostic.path)
        return located
    }

    /// Returns the position of a path such as `accessories[0].services[1].format`.
    ///
    /// If a part of the path is missing, this is the position of its nearest parent.
    private func position(of path: String) -> TextPosition {
        var node = device
        for (depth, part) in path.split(separator: ".").enumerated() {
            let pieces = part.split(separator: "[")
            let key = pieces.first.map(String.init) ?? ""
            if depth == 0, key == "accessories" {
                node = node.accessoryList
            } else if let next = node.member(key) {
                node = next
            } else {
                break
            }
            for index in pieces.dropFirst().compactMap({ Int($0.dropLast()) }) {
                // A dump of a single accessory may have no list around it.
                guard let elements = node.elements, elements.indices.contains(index) else { break }
                node = elements[index]
            }
        }
        return node.position
    }
}

extension DocumentNode {
    fileprivate func member(_ key: String) -> DocumentNode? {
        mapping?.first { $0.key == key }?.value
    }

    /// The list of accessories in any of the shapes of a dump; the node itself if it is a single accessory.
    fileprivate var accessoryList: DocumentNode {
        if elements != nil { return self }
        return member("accessories") ?? member("data")?.accessoryList ?? self
    }
}
