internal import AccessoryModel

/// Collects what stands in the braces of a declaration, with `if`, `switch` and `for` as everywhere.
@resultBuilder
public enum DeclarationBuilder<Element> {
    /// Takes one element.
    public static func buildExpression(_ element: Element) -> [Element] {
        [element]
    }

    /// Takes several elements.
    public static func buildExpression(_ elements: [Element]) -> [Element] {
        elements
    }

    /// Puts what stands one after the other into one list.
    public static func buildBlock(_ parts: [Element]...) -> [Element] {
        parts.flatMap(\.self)
    }

    /// Takes what an `if` without `else` holds, or nothing.
    public static func buildOptional(_ part: [Element]?) -> [Element] {
        part ?? []
    }

    /// Takes the first branch.
    public static func buildEither(first part: [Element]) -> [Element] {
        part
    }

    /// Takes the other branch.
    public static func buildEither(second part: [Element]) -> [Element] {
        part
    }

    /// Takes what every turn of a `for` holds.
    public static func buildArray(_ parts: [[Element]]) -> [Element] {
        parts.flatMap(\.self)
    }
}

extension DeclarationBuilder where Element == AnyHAPCharacteristic {
    /// Takes a characteristic with values of any type.
    public static func buildExpression(_ characteristic: HAPCharacteristic<some CharacteristicConvertible>) -> [Element]
    {
        [characteristic.declared]
    }
}

/// What a program has declared, taken apart: the values that a server works with, and what hangs on them.
struct Declaration: Sendable {
    var accessories: [Accessory] = []
    var handlers: [CharacteristicKey: CharacteristicHandler] = [:]
    var polledValues: [CharacteristicKey: PolledValue] = [:]
    /// Where each declared characteristic stands.
    var references: [DeclarationIdentity: CharacteristicKey] = [:]
    var errors: [ModelError] = []

    mutating func add(_ characteristic: AnyHAPCharacteristic, of service: ServiceKey, in accessory: String) {
        let type = characteristic.characteristic.type
        let reference = CharacteristicKey(accessory: accessory, service: service, type: type)
        if references.updateValue(reference, forKey: characteristic.identity) != nil {
            report(
                .duplicate,
                at: "\(accessory)/\(service.type)/\(type)",
                "this declaration stands in another place, too; declare one for each"
            )
        }
        if characteristic.handler.onRead != nil || characteristic.handler.onWrite != nil {
            handlers[reference] = characteristic.handler
        }
        polledValues[reference] = characteristic.polledValue
    }

    mutating func report(_ code: ModelError.Code, at path: String, _ reason: String) {
        errors.append(ModelError(code, at: path, reason))
    }
}

/// Tells one declared characteristic from every other, so that its copies name the same one.
package final class DeclarationIdentity: Sendable, Hashable {
    package init() {}

    package static func == (lhs: DeclarationIdentity, rhs: DeclarationIdentity) -> Bool {
        lhs === rhs
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
