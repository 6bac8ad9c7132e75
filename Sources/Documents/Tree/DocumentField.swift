/// A part of a definition with where it is.
package struct DocumentField: Sendable {
    /// The file, as it was named.
    package let file: String
    /// The path in the structure.
    package let path: DocumentPath
    /// The node.
    package let node: DocumentNode

    package init(file: String, path: DocumentPath = .root, node: DocumentNode) {
        self.file = file
        self.path = path
        self.node = node
    }

    /// The location.
    package var location: SourceLocation {
        SourceLocation(file: file, position: node.position, path: path.description)
    }

    /// Returns the location of one of its names.
    package func location(of member: DocumentMember) -> SourceLocation {
        SourceLocation(
            file: file,
            position: member.position,
            path: DocumentPath.key(member.key, in: path).description
        )
    }

    /// The value of one of its names.
    package func member(_ member: DocumentMember) -> DocumentField {
        DocumentField(file: file, path: .key(member.key, in: path), node: member.value)
    }

    /// The value at a place in it, from 0.
    package func element(_ node: DocumentNode, at index: Int) -> DocumentField {
        DocumentField(file: file, path: .index(index, in: path), node: node)
    }
}
