package import HomeModel

/// Is told what happens while a home is run, in order; must return quickly.
package protocol HomeRunObserver: Sendable {
    /// Takes one piece of news of a home as it is then.
    ///
    /// - Parameter instant: What the home's clock shows.
    func observe(_ news: HomeNews, in home: Home, at instant: WallInstant)
}
