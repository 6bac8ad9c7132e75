package import HomeModel

/// What has come of taking over what a server has into a home.
package struct ServerTakeover: Sendable, Hashable {
    /// The accessories that are new in the home, in the server's order.
    package var added: [ObjectID<HomeAccessory>] = []
    /// Those that were in it and are something else now: found, or with other services.
    package var changed: [ObjectID<HomeAccessory>] = []
    /// What else is different.
    package var consequences: [Consequence] = []

    /// Whether the home is as it was.
    package var isEmpty: Bool {
        added.isEmpty && changed.isEmpty
    }
}
