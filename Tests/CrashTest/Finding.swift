/// Something that a server which keeps its promises does not do.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The other side has ended the connection: it was killed, or it does not want to talk.
struct ConnectionEnded: Error {}
