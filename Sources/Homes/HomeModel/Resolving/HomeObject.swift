/// An object of a home with an id and a mutable name.
protocol HomeObject {
    var id: ObjectID<Self> { get }
    var name: ObjectName { get set }
}

extension Room: HomeObject {}
extension Zone: HomeObject {}
extension HomeAccessory: HomeObject {}
extension HomeService: HomeObject {}
extension ServiceGroup: HomeObject {}
extension HomeScene: HomeObject {}
extension Automation: HomeObject {}
extension HomeUser: HomeObject {}

extension Sequence where Element: HomeObject {
    /// The objects by their ids; if an id occurs twice, the first object counts.
    var byID: [ObjectID<Element>: Element] { keyed(by: \.id, \.self) }

    /// The ids by the keys of the names; if a name occurs twice, the first object counts.
    var idsByName: [String: ObjectID<Element>] { keyed(by: \.name.key, \.id) }

    /// The names, for suggestions.
    var nameTexts: some Sequence<String> { lazy.map(\.name.text) }
}

extension Array where Element: HomeObject {
    /// The indices by the ids; if an id occurs twice, the first object counts.
    var indicesByID: [ObjectID<Element>: Int] { indices.keyed(by: { self[$0].id }, \.self) }

    /// The indices by the keys of the names; if a name occurs twice, the first object counts.
    var indicesByName: [String: Int] { indices.keyed(by: { self[$0].name.key }, \.self) }
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
