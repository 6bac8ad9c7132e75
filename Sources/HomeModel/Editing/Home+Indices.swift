/// A thing of a home that has an id and a name.
protocol NamedObject {
    var id: ObjectID<Self> { get }
    var name: ObjectName { get }
}

extension Home {
    /// Throws when a thing has a name that another one is to have.
    ///
    /// - Parameters:
    ///   - owner: What has the name, for the error.
    ///   - id: The one that may have the name; `nil` for a new one.
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

    /// The place of a thing among its like.
    ///
    /// - Throws: ``HomeError``: there is none with this id.
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
