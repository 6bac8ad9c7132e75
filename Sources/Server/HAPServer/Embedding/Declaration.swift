internal import AccessoryModel

/// Collects the elements in the braces of a declaration, including those of `if`, `switch` and `for`.
@resultBuilder
public enum DeclarationBuilder<Element> {
    /// Accepts one element.
    public static func buildExpression(_ element: Element) -> [Element] {
        [element]
    }

    /// Accepts several elements.
    public static func buildExpression(_ elements: [Element]) -> [Element] {
        elements
    }

    /// Joins consecutive statements into one list.
    public static func buildBlock(_ parts: [Element]...) -> [Element] {
        parts.flatMap(\.self)
    }

    /// Returns the elements of an `if` without `else`, or none.
    public static func buildOptional(_ part: [Element]?) -> [Element] {
        part ?? []
    }

    /// Returns the elements of the first branch.
    public static func buildEither(first part: [Element]) -> [Element] {
        part
    }

    /// Returns the elements of the second branch.
    public static func buildEither(second part: [Element]) -> [Element] {
        part
    }

    /// Joins the elements of all iterations of a `for`.
    public static func buildArray(_ parts: [[Element]]) -> [Element] {
        parts.flatMap(\.self)
    }
}

extension DeclarationBuilder where Element == AnyHAPCharacteristic {
    /// Accepts a characteristic with values of any type.
    public static func buildExpression(_ characteristic: HAPCharacteristic<some CharacteristicConvertible>) -> [Element]
    {
        [characteristic.declared]
    }
}

/// A program's declaration, split into the values that a server uses and the handlers for them.
struct Declaration: Sendable {
    var accessories: [Accessory] = []
    var handlers: [CharacteristicKey: CharacteristicHandler] = [:]
    var polledValues: [CharacteristicKey: PolledValue] = [:]
    /// The key of each declared characteristic.
    var references: [DeclarationIdentity: CharacteristicKey] = [:]
    var errors: [ModelError] = []

    mutating func add(_ characteristic: AnyHAPCharacteristic, of service: ServiceKey, in accessory: String) {
        let type = characteristic.characteristic.type
        let reference = CharacteristicKey(accessory: accessory, service: service, type: type)
        if references.updateValue(reference, forKey: characteristic.identity) != nil {
            report(
                .duplicate,
                at: "\(accessory)/\(service.type)/\(type)",
                "this declaration is used at another place, too; declare a new one for each place"
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

/// The identity of a declared characteristic, which its copies share.
package final class DeclarationIdentity: Sendable, Hashable {
    package init() {}

    package static func == (lhs: DeclarationIdentity, rhs: DeclarationIdentity) -> Bool {
        lhs === rhs
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
