internal import HAPCore

/// Makes a keyed archive as `NSKeyedArchiver` does: objects get their numbers in the order in which they are first
/// mentioned, classes after the objects that are the first of them, and equal texts and numbers are one object.
struct KeyedArchiver {
    private var objects: [PropertyList] = ["$null"]
    /// The numbers of scalars by their bytes: texts that Swift takes for equal can have different ones.
    private var scalars: [[UInt8]: UInt32] = [:]
    private var classes: [String: UInt32] = [:]

    init() {}

    /// The reference to nothing.
    static let null = PropertyList.uid(0)

    /// Gives an object its number before what it holds is known.
    mutating func reserve() -> UInt32 {
        objects.append(.bool(false))
        return UInt32(objects.count - 1)
    }

    /// Says what an object holds.
    mutating func fill(_ uid: UInt32, _ fields: PropertyList) {
        objects[Int(uid)] = fields
    }

    /// A reference to an object that is a list of these.
    mutating func list(_ elements: (inout KeyedArchiver) -> [PropertyList]) -> PropertyList {
        let uid = reserve()
        let elements = elements(&self)
        fill(uid, ["NS.objects": .array(elements), "$class": reference(to: .mutableArray)])
        return .uid(uid)
    }

    /// A reference to a text, a truth value, an integer or bytes.
    mutating func reference(_ scalar: PropertyList) -> PropertyList {
        let encoded = BinaryPropertyListWriter.encode(scalar: scalar)
        if let uid = scalars[encoded] { return .uid(uid) }
        let uid = reserve()
        fill(uid, scalar)
        scalars[encoded] = uid
        return .uid(uid)
    }

    /// A reference to a number: an integer as it is, any other as a decimal number.
    mutating func reference(_ number: JSONNumber) -> PropertyList {
        switch number {
        case .unsigned(let value): reference(PropertyList.unsigned(value))
        case .negative(let value): reference(PropertyList.negative(value))
        case .real(let value): decimal(number) ?? reference(PropertyList.real(value))
        }
    }

    /// A reference to a number as a decimal one, `nil` when it has no such form.
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

    /// A reference to a class.
    mutating func reference(to archivedClass: ArchivedClass) -> PropertyList {
        if let uid = classes[archivedClass.name] { return .uid(uid) }
        let uid = reserve()
        classes[archivedClass.name] = uid
        let chain = archivedClass.chain.map(PropertyList.text)
        fill(uid, ["$classname": .text(archivedClass.name), "$classes": .array(chain)])
        return .uid(uid)
    }

    /// The archive.
    func finish(root: UInt32) -> PropertyList {
        [
            "$version": 100_000,
            "$archiver": "NSKeyedArchiver",
            "$top": ["root": .uid(root)],
            "$objects": .array(objects),
        ]
    }
}
