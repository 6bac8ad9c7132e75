import AccessoryFiles
import Documents
import HAPCore
import PropertyLists

/// The objects of an archive, which a test can inspect and change.
struct ArchiveGraph {
    private(set) var objects: [PropertyList]
    private var top: PropertyListDictionary

    init(_ bytes: [UInt8]) throws {
        let list = try PropertyListReader.read(bytes, name: "f")
        top = list.dictionary ?? PropertyListDictionary()
        objects = top["$objects"]?.array ?? []
    }

    /// The changed archive as a binary property list.
    var bytes: [UInt8] {
        var dictionary = top
        dictionary["$objects"] = .array(objects)
        return BinaryPropertyListWriter.write(.dictionary(dictionary))
    }

    /// The changed archive as an XML property list.
    var markup: [UInt8] {
        var dictionary = top
        dictionary["$objects"] = .array(objects)
        return Array("<plist>\(PropertyList.dictionary(dictionary).markup)</plist>".utf8)
    }

    func objects(ofClass name: String) -> [PropertyListDictionary] {
        objects.compactMap(\.dictionary).filter { isOfClass(name, $0) }
    }

    func keys(ofClass name: String) -> [String] {
        objects(ofClass: name).first?.entries.map(\.key).sorted() ?? []
    }

    func classHierarchy(ofClass name: String) -> [String] {
        let description = objects.compactMap(\.dictionary).first { $0["$classname"] == .text(name) }
        return description?["$classes"]?.array?.compactMap(\.text) ?? []
    }

    func number(of place: PropertyList?) -> UInt64? {
        guard case .unsigned(let number)? = place.flatMap(resolve) else { return nil }
        return number
    }

    /// Sets a key of the object at `position` among the objects of a class; `nil` removes the key.
    mutating func set(_ key: String, of name: String, at position: Int = 0, to value: PropertyList?) {
        let indices = objects.indices.filter { objects[$0].dictionary.map { isOfClass(name, $0) } ?? false }
        guard var fields = objects[indices[position]].dictionary else { return }
        fields[key] = value
        objects[indices[position]] = .dictionary(fields)
    }

    /// Replaces the object at a position.
    mutating func set(_ position: Int, to value: PropertyList) {
        objects[position] = value
    }

    /// Adds an object, and returns a reference to it.
    mutating func add(_ value: PropertyList) -> PropertyList {
        objects.append(value)
        return .uid(UInt32(objects.count - 1))
    }

    /// Returns a reference to the object at `position` among the objects of a class.
    func reference(toClass name: String, at position: Int = 0) -> PropertyList {
        let indices = objects.indices.filter { objects[$0].dictionary.map { isOfClass(name, $0) } ?? false }
        return .uid(UInt32(indices[position]))
    }

    /// Returns a reference to the description of a class.
    func classReference(_ name: String) -> PropertyList {
        let position = objects.firstIndex { $0.dictionary?["$classname"] == .text(name) }
        return .uid(UInt32(position ?? 0))
    }

    /// Sets a key of the top-level dictionary.
    mutating func setTop(_ key: String, to value: PropertyList?) {
        top[key] = value
    }

    /// Replaces references by the values they refer to, except references to class descriptions and to objects with an
    /// id.
    mutating func inlineValues() {
        let old = objects
        for position in objects.indices {
            objects[position] = objects[position].inlined(from: old)
        }
    }

    private func isOfClass(_ name: String, _ fields: PropertyListDictionary) -> Bool {
        fields["$class"].flatMap(resolve)?.dictionary?["$classname"]?.text?.hasSameBytes(as: name) ?? false
    }

    private func resolve(_ place: PropertyList) -> PropertyList? {
        guard case .uid(let uid) = place else { return place }
        return Int(uid) < objects.count ? objects[Int(uid)] : nil
    }
}

extension PropertyList {
    fileprivate func inlined(from objects: [PropertyList]) -> PropertyList {
        switch self {
        case .uid(let uid):
            switch objects[Int(uid)] {
            case .dictionary(let fields) where fields["HAK.instanceid"] != nil || fields["$classname"] != nil: self
            case .dictionary, .array: objects[Int(uid)].inlined(from: objects)
            case let scalar: uid == 0 ? self : scalar
            }
        case .array(let elements): .array(elements.map { $0.inlined(from: objects) })
        case .dictionary(let fields):
            .dictionary(
                fields.entries.reduce(into: PropertyListDictionary()) {
                    $0.append($1.value.inlined(from: objects), forKey: $1.key)
                }
            )
        case .bool, .unsigned, .negative, .real, .date, .text, .data: self
        }
    }

    /// The value as an element of an XML property list.
    fileprivate var markup: String {
        switch self {
        case .bool(let value): "<\(value)/>"
        case .unsigned(let value): "<integer>\(value)</integer>"
        case .negative(let value): "<integer>\(value)</integer>"
        case .real(let value): "<real>\(value)</real>"
        case .date: "<date>2001-01-01T00:00:00Z</date>"
        case .text(let text): "<string>\(text.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</string>"
        case .data(let bytes): "<data>\(Base64.encode(bytes))</data>"
        case .uid(let uid): "<dict><key>CF$UID</key><integer>\(uid)</integer></dict>"
        case .array(let elements): "<array>\(elements.map(\.markup).joined(separator: "\n"))</array>"
        case .dictionary(let fields):
            "<dict>\(fields.entries.map { "<key>\($0.key)</key>\($0.value.markup)" }.joined(separator: "\n"))</dict>"
        }
    }
}
