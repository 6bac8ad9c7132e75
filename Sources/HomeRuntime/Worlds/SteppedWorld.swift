package import HomeModel

/// A world whose time passes when it is told to, so that a week of it takes seconds and is the same twice.
package protocol SteppedWorld: HomeWorld {
    /// What its clock shows.
    var now: WallInstant { get async }

    /// When something in it moves by itself next; `nil` while nothing does.
    var nextMotion: WallInstant? { get async }

    /// Lets time pass until an instant; what has happened until then is in the mailbox when it returns.
    func advance(to instant: WallInstant) async
}
