extension Outlet {
    /// How an outlet is used.
    package struct Configuration: Sendable, Hashable {
        /// Whether something is plugged in that draws current; so it is by default.
        package var load: Bool

        /// Creates a configuration; without arguments, an outlet with something plugged in.
        package init(load: Bool = true) {
            self.load = load
        }
    }
}
