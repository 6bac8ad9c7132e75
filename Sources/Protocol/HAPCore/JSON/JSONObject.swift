/// The members of a JSON object in their written order, each key once.
///
/// Objects in this protocol are small, so a key is found by a linear search. Keys are equal if their bytes are. Two
/// objects are equal if their members are, in the same order.
package struct JSONObject: Sendable, Hashable {
    /// A key with its value.
    package struct Member: Sendable, Hashable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        package static func == (left: Member, right: Member) -> Bool {
            left.key.hasSameBytes(as: right.key) && left.value == right.value
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(BytewiseText(key))
            hasher.combine(value)
        }
    }

    /// The members in their order.
    package private(set) var members: [Member]

    /// Creates an object without members.
    package init() {
        members = []
    }

    /// Creates an object from members, whose keys the caller guarantees to be different.
    package init(uniqueMembers members: [Member]) {
        self.members = members
    }

    /// The value of a key.
    ///
    /// Setting replaces the value in its place or appends a member; `nil` removes it.
    package subscript(key: String) -> JSONValue? {
        get {
            for member in members where member.key.hasSameBytes(as: key) {
                return member.value
            }
            return nil
        }
        set {
            let position = members.firstIndex { $0.key.hasSameBytes(as: key) }
            switch (position, newValue) {
            case (let position?, let value?): members[position] = Member(key: key, value: value)
            case (let position?, nil): members.remove(at: position)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from members in their order; a repeated key has its last value.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        for (key, value) in elements {
            self[key] = value
        }
    }
}
