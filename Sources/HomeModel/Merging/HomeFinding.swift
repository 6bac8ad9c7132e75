/// What a merge has to say of a place in a file.
package struct HomeFinding: Sendable, Hashable {
    /// Where; `nil` of what is in no file.
    package var place: DocumentPlace?
    /// What, and what to do about it.
    package var error: HomeError

    package init(at place: DocumentPlace?, _ error: HomeError) {
        self.place = place
        self.error = error
    }
}
