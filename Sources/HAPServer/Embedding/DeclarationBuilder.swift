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
