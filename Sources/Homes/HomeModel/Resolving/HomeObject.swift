/// An object of a home with an id and a mutable name.
protocol HomeObject {
    /// The kind of the objects, for messages.
    static var kindName: String { get }
    var id: ObjectID<Self> { get }
    var name: ObjectName { get set }
}

extension Room: HomeObject { static let kindName = "room" }
extension Zone: HomeObject { static let kindName = "zone" }
extension HomeAccessory: HomeObject { static let kindName = "accessory" }
extension HomeService: HomeObject { static let kindName = "service" }
extension ServiceGroup: HomeObject { static let kindName = "service group" }
extension HomeScene: HomeObject { static let kindName = "scene" }
extension Automation: HomeObject { static let kindName = "automation" }
extension HomeUser: HomeObject { static let kindName = "user" }

/// The objects of one kind by their names; if a name occurs twice, the first object counts.
struct ObjectNames<Object: HomeObject> {
    /// The names, for suggestions.
    let names: [String]
    private let ids: [ObjectID<Object>]
    private let indices: [String: Int]

    init(_ objects: [Object]) {
        names = objects.map(\.name.text)
        ids = objects.map(\.id)
        indices = objects.indices.keyed(by: { objects[$0].name.key }, \.self)
    }

    /// Returns the index of the object with a name.
    func index(of name: ObjectName) -> Int? { indices[name.key] }

    /// Returns the id of the object whose name has a key.
    func id(key: String) -> ObjectID<Object>? { indices[key].map { ids[$0] } }

    /// Returns the id of the object with the name that a file uses for it.
    subscript(text: String) -> ObjectID<Object>? { id(key: ServiceNameIndex.key(of: text)) }
}

extension Sequence where Element: HomeObject {
    /// The objects by their ids; if an id occurs twice, the first object counts.
    var byID: [ObjectID<Element>: Element] { keyed(by: \.id, \.self) }
}

extension Array where Element: HomeObject {
    /// The indices by the ids; if an id occurs twice, the first object counts.
    var indicesByID: [ObjectID<Element>: Int] { indices.keyed(by: { self[$0].id }, \.self) }
}

extension Sequence {
    /// Returns values of the elements by keys.
    ///
    /// If several elements have the same key, the first one counts. Elements without a key are left out.
    func keyed<Key: Hashable, Value>(by key: (Element) -> Key?, _ value: (Element) -> Value) -> [Key: Value] {
        var keyed: [Key: Value] = [:]
        for element in self {
            if let key = key(element), keyed[key] == nil { keyed[key] = value(element) }
        }
        return keyed
    }
}
