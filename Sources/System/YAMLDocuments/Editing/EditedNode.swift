package import Documents

/// A node of a document after an edit: parts of the original document, and new content.
package indirect enum EditedNode: Sendable {
    /// A node of the original document, without changes.
    case unchanged(DocumentNode)
    /// New content.
    case new(DocumentTree)
    /// A map or a list of the original document with other parts.
    case parts([Part], of: DocumentNode)

    /// A member of a map, or an element of a list, after an edit.
    package struct Part: Sendable {
        /// The key, which may differ from that of the original member; `nil` in a list.
        package var key: String?
        /// The value.
        package var value: EditedNode
        /// The index of the original part, or `nil` for a new one.
        ///
        /// The indices of a map or a list are in ascending order.
        package var index: Int?

        package init(_ key: String?, _ value: EditedNode, index: Int? = nil) {
            self.key = key
            self.value = value
            self.index = index
        }
    }

    /// Whether the node is the same as in the original document.
    package var isUnchanged: Bool {
        if case .unchanged = self { true } else { false }
    }
}

extension EditedNode {
    /// Returns the content of the node as a whole.
    ///
    /// - Parameter language: The language in which it will be written.
    package func tree(in language: DocumentLanguage) -> DocumentTree {
        switch self {
        case .unchanged(let node): return DocumentTree(node, in: language)
        case .new(let tree): return tree
        case .parts(let parts, let node):
            guard node.elements == nil else { return .list(parts.map { $0.value.tree(in: language) }) }
            let members = parts.map { DocumentTree.Member($0.key ?? "", $0.value.tree(in: language)) }
            return node.isOnOneLine ? .inlineMap(members) : .map(members)
        }
    }
}

extension DocumentTree {
    /// Creates the content of a node that was read.
    ///
    /// - Parameter language: The language in which it will be written.
    package init(_ node: DocumentNode, in language: DocumentLanguage) {
        switch node.content {
        case .scalar(let scalar): self.init(scalar, in: language)
        case .sequence(let elements): self = .list(elements.map { DocumentTree($0, in: language) })
        case .mapping(let members):
            let members = members.map { Member($0.key, DocumentTree($0.value, in: language)) }
            self = node.isOnOneLine ? .inlineMap(members) : .map(members)
        }
    }

    private init(_ scalar: DocumentScalar, in language: DocumentLanguage) {
        switch scalar.meaning {
        case .null: self = .null
        case .text: self = .text(scalar.text)
        case .bool(let flag): self = language == .json ? .bool(flag) : .word(scalar.text)
        case .number(let number): self = language == .json ? .number(number) : .word(scalar.text)
        }
    }

    /// Returns whether a node that was read has this content.
    func matches(_ node: DocumentNode) -> Bool {
        switch (self, node.content) {
        case (.list(let trees), .sequence(let nodes)):
            trees.count == nodes.count && zip(trees, nodes).allSatisfy { $0.matches($1) }
        case (.map(let trees), .mapping(let nodes)), (.inlineMap(let trees), .mapping(let nodes)):
            trees.count == nodes.count
                && zip(trees, nodes).allSatisfy { $0.key == $1.key && $0.value.matches($1.value) }
        case (.text(let text), .scalar(let scalar)): scalar.meaning == .text && scalar.text == text
        case (.word(let text), .scalar(let scalar)): DocumentScalar(plain: text) == scalar
        case (.number(let number), .scalar(let scalar)): scalar.meaning == .number(number)
        case (.bool(let flag), .scalar(let scalar)): scalar.meaning == .bool(flag)
        case (.null, .scalar(let scalar)): scalar.meaning == .null
        default: false
        }
    }
}

extension DocumentNode {
    /// Whether all parts of the node begin on its line.
    fileprivate var isOnOneLine: Bool {
        switch content {
        case .scalar: true
        case .sequence(let elements):
            elements.allSatisfy { $0.position.line == position.line && $0.isOnOneLine }
        case .mapping(let members):
            members.count > 1
                && members.allSatisfy {
                    $0.position.line == position.line && $0.value.position.line == position.line
                        && $0.value.isOnOneLine
                }
        }
    }
}
