/// A thing of a home that has an id and a name.
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
    /// The things by their ids; of two with one id, the first.
    var byID: [ObjectID<Element>: Element] { keyed(by: \.id, \.self) }

    /// The ids by the keys of the names; of two with one name, the first.
    var idsByName: [String: ObjectID<Element>] { keyed(by: \.name.key, \.id) }

    /// The names as texts, for suggestions.
    var nameTexts: some Sequence<String> { lazy.map(\.name.text) }
}

extension Sequence {
    /// Values of the elements by keys; of several elements with one key, the first, and none without a key.
    func keyed<Key: Hashable, Value>(by key: (Element) -> Key?, _ value: (Element) -> Value) -> [Key: Value] {
        var keyed: [Key: Value] = [:]
        for element in self {
            if let key = key(element), keyed[key] == nil { keyed[key] = value(element) }
        }
        return keyed
    }
}
