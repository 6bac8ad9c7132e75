internal import HAPCore
internal import PropertyLists

/// Creates a keyed archive in the form of `NSKeyedArchiver`.
///
/// Objects are numbered in the order of their first reference. A class follows its first object, and equal texts and
/// numbers share one object.
struct KeyedArchiver {
    private var objects: [PropertyList] = ["$null"]
    private var scalars: [ScalarIdentity: UInt32] = [:]
    private var classes: [String: UInt32] = [:]

    /// The reference to the null object.
    static let null = PropertyList.uid(0)

    /// Reserves the number of an object whose content is not known yet.
    mutating func reserve() -> UInt32 {
        objects.append(.bool(false))
        return UInt32(objects.count - 1)
    }

    /// Sets the content of a reserved object.
    mutating func fill(_ uid: UInt32, _ fields: PropertyList) {
        objects[Int(uid)] = fields
    }

    /// Returns a reference to a list object with these elements.
    mutating func list(_ elements: (inout KeyedArchiver) -> [PropertyList]) -> PropertyList {
        let uid = reserve()
        let elements = elements(&self)
        fill(uid, ["NS.objects": .array(elements), "$class": reference(to: .mutableArray)])
        return .uid(uid)
    }

    /// Returns a reference to a text, a Boolean, an integer or bytes.
    mutating func reference(_ scalar: PropertyList) -> PropertyList {
        let identity = ScalarIdentity(scalar)
        if let uid = scalars[identity] { return .uid(uid) }
        let uid = reserve()
        fill(uid, scalar)
        scalars[identity] = uid
        return .uid(uid)
    }

    /// Returns a reference to a number.
    ///
    /// Integers are stored as integers. Other numbers are stored as decimal numbers, or as `Double` if they have no
    /// decimal form.
    mutating func reference(_ number: JSONNumber) -> PropertyList {
        switch number {
        case .unsigned(let value): reference(PropertyList.unsigned(value))
        case .negative(let value): reference(PropertyList.negative(value))
        case .real(let value): decimal(number) ?? reference(PropertyList.real(value))
        }
    }

    /// Returns a reference to a decimal number, or `nil` if the number has no decimal form.
    mutating func decimal(_ number: JSONNumber) -> PropertyList? {
        guard let decimal = ArchivedDecimal(number),
            let exponent = PropertyList(integer: decimal.exponent),
            let length = PropertyList(integer: decimal.length)
        else { return nil }
        let uid = reserve()
        fill(
            uid,
            [
                "$class": reference(to: .decimal),
                "NS.mantissa": .data(decimal.bytes),
                "NS.negative": .bool(decimal.isNegative),
                "NS.exponent": exponent,
                "NS.mantissa.bo": 1,
                "NS.length": length,
                "NS.compact": true,
            ]
        )
        return .uid(uid)
    }

    /// Returns a reference to a class.
    mutating func reference(to archivedClass: ArchivedClass) -> PropertyList {
        if let uid = classes[archivedClass.name] { return .uid(uid) }
        let uid = reserve()
        classes[archivedClass.name] = uid
        let chain = archivedClass.chain.map(PropertyList.text)
        fill(uid, ["$classname": .text(archivedClass.name), "$classes": .array(chain)])
        return .uid(uid)
    }

    /// Returns the archive.
    func finish(root: UInt32) -> PropertyList {
        [
            "$version": 100_000,
            "$archiver": "NSKeyedArchiver",
            "$top": ["root": .uid(root)],
            "$objects": .array(objects),
        ]
    }
}
