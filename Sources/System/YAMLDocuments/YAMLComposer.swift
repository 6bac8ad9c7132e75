internal import Documents
internal import HAPCore
internal import Yams

/// Parses YAML into nodes with Yams, within the limits of ``DocumentText``.
///
/// Yams replaces an alias by the node itself, and hashes whole keys, so aliases in keys could occupy it for hours. Yams
/// therefore sees no alias: each `*` is replaced by a private character, and the content of an alias is inserted and
/// counted here. Yams also stops at the first repeated key. Such a key gets another private character as a prefix, and
/// the text is parsed again.
struct YAMLComposer {
    private let file: String
    private let text: YAMLText
    private var anchors: [String: ComposedNode] = [:]
    /// The names of the anchors in the order of the text.
    private var anchorNames: [String] = []
    /// The anchors of the nodes that are being composed.
    private var openAnchors: Set<String> = []
    private var remainingNodes = DocumentText.maximumNodes

    /// Returns the root of a text that has passed ``DocumentText``; `nil` after an error, which is reported.
    ///
    /// - Parameter firstKey: The first key of such a text.
    static func compose(
        _ bytes: [UInt8],
        in file: String,
        firstKey: String = "accessory",
        _ diagnostics: inout DiagnosticCollector
    ) -> DocumentNode? {
        guard var text = YAMLText(bytes) else {
            diagnostics.report(in: file, at: nil, "the text uses too many private characters; remove them")
            return nil
        }
        while true {
            do {
                let parser = try Parser(yaml: text.yaml, resolver: .basic, encoding: .utf8)
                let root = try parser.singleRoot()
                // The nodes do not retain the parser, but an anchor is valid only as long as the parser.
                return withExtendedLifetime(parser) {
                    guard let root else {
                        diagnostics.report(
                            in: file,
                            at: TextPosition(line: 1, column: 1),
                            "the file is empty; begin with \"\(firstKey): NAME\""
                        )
                        return nil
                    }
                    var composer = YAMLComposer(file: file, text: text)
                    return try? composer.compose(root, at: .root, depth: 0, &diagnostics)?.node
                }
            } catch {
                if case .duplicatedKeysInMapping(_, let context) = error as? YamlError,
                    text.disambiguate(keyAt: context.mark)
                {
                    continue
                }
                let fault = YAMLErrorText(error, in: text)
                diagnostics.report(in: file, at: fault.position, fault.reason)
                return nil
            }
        }
    }

    /// A node with its size.
    private struct ComposedNode {
        var node: DocumentNode
        /// The number of its values, including itself.
        var nodes: Int
        /// The depth of nested lists and maps.
        var height: Int

        mutating func add(_ part: ComposedNode) {
            nodes += part.nodes
            height = max(height, part.height + 1)
        }
    }

    /// Ends composing after an error that was reported.
    private struct CompositionError: Error {}

    /// Returns a node, or `nil` for an unknown alias, which is reported.
    private mutating func compose(
        _ node: Node,
        at path: DocumentPath,
        depth: Int,
        _ diagnostics: inout DiagnosticCollector
    ) throws(CompositionError) -> ComposedNode? {
        let position = text.position(node.mark)
        let composed: ComposedNode
        let anchor = node.anchor.map { text.restored($0.rawValue) }
        let isOpened = anchor.map { openAnchors.insert($0).inserted } ?? false
        switch node {
        case .scalar(let scalar):
            if scalar.style == .plain, let name = text.alias(scalar.string) {
                return try alias(name, at: position, path, depth: depth, &diagnostics)
            }
            try countNodes(1, at: position, &diagnostics)
            let value = self.scalar(scalar, at: position, path, &diagnostics)
            composed = ComposedNode(
                node: DocumentNode(position: position, content: .scalar(value)),
                nodes: 1,
                height: 0
            )
        case .sequence(let sequence):
            try checkDepth(depth + 1, at: position, &diagnostics)
            try countNodes(1, at: position, &diagnostics)
            check(sequence.tag, at: position, path, &diagnostics)
            var whole = ComposedNode(
                node: DocumentNode(position: position, content: .sequence([])),
                nodes: 1,
                height: 0
            )
            var elements: [DocumentNode] = []
            for (index, element) in sequence.enumerated() {
                let element = try compose(element, at: .index(index, in: path), depth: depth + 1, &diagnostics)
                guard let element else { continue }
                whole.add(element)
                elements.append(element.node)
            }
            whole.node.content = .sequence(elements)
            composed = whole
        case .mapping(let mapping):
            try checkDepth(depth + 1, at: position, &diagnostics)
            try countNodes(1, at: position, &diagnostics)
            check(mapping.tag, at: position, path, &diagnostics)
            composed = try compose(mapping, at: position, path, depth: depth + 1, &diagnostics)
        case .alias:
            // Yams never creates aliases when it parses.
            throw CompositionError()
        }
        if let anchor {
            if anchors.updateValue(composed, forKey: anchor) == nil { anchorNames.append(anchor) }
            if isOpened { openAnchors.remove(anchor) }
        }
        return composed
    }

    private mutating func compose(
        _ mapping: Node.Mapping,
        at position: TextPosition,
        _ path: DocumentPath,
        depth: Int,
        _ diagnostics: inout DiagnosticCollector
    ) throws(CompositionError) -> ComposedNode {
        var whole = ComposedNode(node: DocumentNode(position: position, content: .mapping([])), nodes: 1, height: 0)
        var members: [DocumentMember] = []
        members.reserveCapacity(mapping.count)
        var seen: Set<String> = []
        for (key, value) in mapping {
            let keyPosition = text.position(key.mark)
            try countNodes(1, at: keyPosition, &diagnostics)
            whole.nodes += 1
            guard let scalar = key.scalar, !(scalar.style == .plain && text.alias(scalar.string) != nil) else {
                diagnostics.report(
                    in: file,
                    at: keyPosition,
                    path: path,
                    "this key is not text; write a name before the colon"
                )
                continue
            }
            let name = text.restored(scalar.string)
            let value = try compose(value, at: .key(name, in: path), depth: depth, &diagnostics)
            guard let value else { continue }
            whole.add(value)
            if text.hasDisambiguatedKeys, !seen.insert(name).inserted {
                diagnostics.report(
                    in: file,
                    at: keyPosition,
                    path: .key(name, in: path),
                    "this key occurs twice; remove one of them"
                )
                continue
            }
            members.append(DocumentMember(key: name, position: keyPosition, value: value.node))
        }
        whole.node.content = .mapping(members)
        return whole
    }

    private mutating func alias(
        _ name: String,
        at position: TextPosition,
        _ path: DocumentPath,
        depth: Int,
        _ diagnostics: inout DiagnosticCollector
    ) throws(CompositionError) -> ComposedNode? {
        guard let target = anchors[name] else {
            guard !openAnchors.contains(name) else {
                diagnostics.report(
                    in: file,
                    at: position,
                    path: path,
                    "*\(name.shortenedForDisplay) is within its own anchor &\(name.shortenedForDisplay); write the "
                        + "value instead"
                )
                try countNodes(1, at: position, &diagnostics)
                return nil
            }
            let nearest = diagnostics.nearest(to: name, among: anchorNames)
            diagnostics.report(
                in: file,
                at: position,
                path: path,
                "there is no anchor &\(name.shortenedForDisplay) before this alias; "
                    + (nearest.map { "write *\($0)" } ?? "quote a text with an asterisk")
            )
            try countNodes(1, at: position, &diagnostics)
            return nil
        }
        try countNodes(target.nodes, at: position, &diagnostics)
        try checkDepth(depth + target.height, at: position, &diagnostics)
        // The content may be too deep here although it is not at its anchor.
        var moved = target
        moved.node = target.node.moved(to: position)
        return moved
    }

    private func scalar(
        _ scalar: Node.Scalar,
        at position: TextPosition,
        _ path: DocumentPath,
        _ diagnostics: inout DiagnosticCollector
    ) -> DocumentScalar {
        let value = text.restored(scalar.string)
        guard scalar.style == .plain else { return DocumentScalar(quoted: value) }
        switch scalar.tag.rawValue {
        case "": return DocumentScalar(plain: value)
        case Tag.Name.str.rawValue: return DocumentScalar(quoted: value)
        default:
            check(scalar.tag, at: position, path, &diagnostics)
            return DocumentScalar(plain: value)
        }
    }

    private func check(
        _ tag: Tag,
        at position: TextPosition,
        _ path: DocumentPath,
        _ diagnostics: inout DiagnosticCollector
    ) {
        switch tag.rawValue {
        case "", Tag.Name.map.rawValue, Tag.Name.seq.rawValue: break
        default:
            diagnostics.report(
                in: file,
                at: position,
                path: path,
                "the tag \(text.restored(tag.rawValue).shortenedForDisplay) is not allowed; remove it"
            )
        }
    }

    private mutating func countNodes(
        _ nodes: Int,
        at position: TextPosition,
        _ diagnostics: inout DiagnosticCollector
    ) throws(CompositionError) {
        remainingNodes -= nodes
        guard remainingNodes >= 0 else {
            diagnostics.report(
                in: file,
                at: position,
                "the file has more than \(DocumentText.maximumNodes) values, counting the content of aliases; "
                    + "divide it into several files"
            )
            throw CompositionError()
        }
    }

    private func checkDepth(
        _ depth: Int,
        at position: TextPosition,
        _ diagnostics: inout DiagnosticCollector
    ) throws(CompositionError) {
        guard depth <= DocumentText.maximumDepth else {
            diagnostics.report(
                in: file,
                at: position,
                "lists and maps are nested more than \(DocumentText.maximumDepth) deep; use fewer levels"
            )
            throw CompositionError()
        }
    }
}
