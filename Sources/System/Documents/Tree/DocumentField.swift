/// A node of a document with its location.
package struct DocumentField: Sendable {
    /// The file's name, as the caller gave it.
    package let file: String
    /// The path in the document's structure.
    package let path: DocumentPath
    /// The node.
    package let node: DocumentNode

    package init(file: String, path: DocumentPath = .root, node: DocumentNode) {
        self.file = file
        self.path = path
        self.node = node
    }

    /// The location of the node.
    package var location: SourceLocation {
        SourceLocation(file: file, position: node.position, path: path.description)
    }

    /// Returns the location of one of the field's keys.
    package func location(of member: DocumentMember) -> SourceLocation {
        SourceLocation(
            file: file,
            position: member.position,
            path: DocumentPath.key(member.key, in: path).description
        )
    }

    /// Returns the value of one of the field's keys.
    package func member(_ member: DocumentMember) -> DocumentField {
        DocumentField(file: file, path: .key(member.key, in: path), node: member.value)
    }

    /// Returns an element of the field's list; indices begin at 0.
    package func element(_ node: DocumentNode, at index: Int) -> DocumentField {
        DocumentField(file: file, path: .index(index, in: path), node: node)
    }
}
