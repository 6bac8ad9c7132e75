extension Home {
    /// The place of a thing among its like.
    ///
    /// - Throws: ``HomeError``: there is none with this id.
    func index<Thing>(
        of id: ObjectID<Thing>,
        in things: [Thing],
        _ kind: String,
        _ idOfThing: (Thing) -> ObjectID<Thing>
    ) throws(HomeError) -> Int {
        guard let index = things.firstIndex(where: { idOfThing($0) == id }) else {
            throw .unknown(kind, "\(id)", at: name.text)
        }
        return index
    }

    /// The place of an id among those that something holds.
    ///
    /// - Throws: ``HomeError``: it holds no such thing.
    func position<Thing>(
        of id: ObjectID<Thing>,
        in ids: [ObjectID<Thing>],
        _ kind: String,
        _ place: String
    ) throws(HomeError) -> Int {
        guard let position = ids.firstIndex(of: id) else { throw .unknown(kind, "\(id)", at: place) }
        return position
    }
}
