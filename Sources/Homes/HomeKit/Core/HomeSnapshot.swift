internal import HomeModel

/// A home at one moment, with its index.
///
/// A class, so that reading a property does not copy a whole home.
final class HomeSnapshot: Sendable {
    let home: Home
    let index: HomeIndex

    init(_ home: Home) {
        self.home = home
        index = HomeIndex(home)
    }
}
