/// What a home file says: names, and no ids.
///
/// A merge makes homes of it: see ``HomeMerge``.
package struct HomeDocument: Sendable, Hashable {
    /// The homes of the file, in its order.
    package var homes: [DocumentedHome]

    /// Creates a document.
    package init(homes: [DocumentedHome] = []) {
        self.homes = homes
    }
}
