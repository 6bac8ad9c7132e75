/// An object of a home with an id and a name.
protocol NamedObject {
    var id: ObjectID<Self> { get }
    var name: ObjectName { get }
}

extension Home {
    /// Checks that no other object has a name.
    ///
    /// - Parameters:
    ///   - owner: The kind of the objects, for the error.
    ///   - id: The object that may have the name, or `nil` for a new object.
    func checkIsUnused<Object: NamedObject>(
        _ name: ObjectName,
        in objects: [Object],
        _ owner: String,
        except id: ObjectID<Object>?
    ) throws(HomeError) {
        if objects.contains(where: { $0.id != id && $0.name.key == name.key }) {
            throw .duplicateName(name, owner, at: path(name))
        }
    }

    /// Returns the index of an object in an array.
    ///
    /// - Throws: ``HomeError`` if there is no object with the id.
    func index<Object: NamedObject>(
        of id: ObjectID<Object>,
        in objects: [Object],
        _ kind: String
    ) throws(HomeError) -> Int {
        guard let index = objects.firstIndex(where: { $0.id == id }) else {
            throw .unknown(kind, "\(id)", at: name.text)
        }
        return index
    }

    /// Returns the index of an id in an array.
    ///
    /// - Throws: ``HomeError`` if the array does not contain the id.
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
