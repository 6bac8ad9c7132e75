extension Home {
    /// Returns the index of an object in an array.
    ///
    /// - Throws: ``HomeError`` if there is no object with the id.
    func index<Object: HomeObject>(of id: ObjectID<Object>, in objects: [Object]) throws(HomeError) -> Int {
        guard let index = objects.firstIndex(where: { $0.id == id }) else {
            throw .unknown(Object.kindName, "\(id)", at: name.text)
        }
        return index
    }

    /// Returns the index of an id in an array.
    ///
    /// - Throws: ``HomeError`` if the array does not contain the id.
    func position<Object: HomeObject>(
        of id: ObjectID<Object>,
        in ids: [ObjectID<Object>],
        at place: String
    ) throws(HomeError) -> Int {
        guard let position = ids.firstIndex(of: id) else { throw .unknown(Object.kindName, "\(id)", at: place) }
        return position
    }

    /// Renames an object.
    ///
    /// - Throws: ``HomeError`` if there is no object with the id.
    mutating func rename<Object: HomeObject>(
        _ id: ObjectID<Object>,
        in objects: WritableKeyPath<Home, [Object]>,
        to name: ObjectName
    ) throws(HomeError) {
        let index = try index(of: id, in: self[keyPath: objects])
        self[keyPath: objects][index].name = name
    }

    /// Removes an object, but no reference to it.
    ///
    /// - Throws: ``HomeError`` if there is no object with the id.
    mutating func remove<Object: HomeObject>(
        _ id: ObjectID<Object>,
        from objects: WritableKeyPath<Home, [Object]>
    ) throws(HomeError) {
        let index = try index(of: id, in: self[keyPath: objects])
        self[keyPath: objects].remove(at: index)
    }
}
