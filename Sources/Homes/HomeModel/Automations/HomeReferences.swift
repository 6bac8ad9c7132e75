public import AccessoryModel
package import Documents
internal import HAPCore

/// The kinds of references that parts of scenes and automations use for objects of a home.
///
/// A home uses ids and typed values: ``HomeIDs``. A file uses names, and values in the form in which people write them:
/// ``HomeNames``. A ``HomeResolver`` converts one kind to the other.
public protocol HomeReferences: Sendable {
    /// A characteristic of a service.
    associatedtype Characteristic: Sendable & Hashable
    /// A value of a characteristic.
    associatedtype Value: Sendable & Hashable
    /// A scene.
    associatedtype Scene: Sendable & Hashable
    /// A user.
    associatedtype User: Sendable & Hashable
}

/// References by ids, in one home.
public enum HomeIDs: HomeReferences {
    /// A service and the type of the characteristic in it.
    public typealias Characteristic = CharacteristicSelector
    /// A typed value.
    public typealias Value = CharacteristicValue
    /// The id of a scene.
    public typealias Scene = ObjectID<HomeScene>
    /// The id of a user.
    public typealias User = ObjectID<HomeUser>
}

/// References by names, as in a home file or on a command line.
package enum HomeNames: HomeReferences {
    /// `Service/Characteristic`, or `Accessory/Service type/Characteristic`.
    package typealias Characteristic = Located<String>
    /// The text of a value, such as `on`, `50%` or `Closed`.
    package typealias Value = Located<String>
    package typealias Scene = Located<String>
    package typealias User = Located<String>
}

/// A conversion of the references in parts of scenes and automations from one kind to another.
///
/// If a method cannot resolve a reference, it records the reason where needed and returns `nil`. A part with several
/// references resolves all of them, so that all errors are recorded at once.
package protocol HomeResolver {
    /// The kind of references to convert.
    associatedtype From: HomeReferences
    /// The kind of the converted references.
    associatedtype To: HomeReferences

    mutating func characteristic(_ reference: From.Characteristic) -> To.Characteristic?
    mutating func value(
        _ value: From.Value,
        of characteristic: From.Characteristic,
        as resolved: To.Characteristic
    ) -> To.Value?
    mutating func scene(_ reference: From.Scene) -> To.Scene?
    mutating func user(_ reference: From.User) -> To.User?
    /// Resolves the actions of one scene, of one automation, or of one end.
    mutating func actions(_ actions: [Action<From>]) -> [Action<To>]?
}

extension HomeResolver {
    package mutating func actions(_ actions: [Action<From>]) -> [Action<To>]? {
        resolveAll(actions) { $0.resolved(by: &$1) }
    }

    /// Resolves all parts, and returns `nil` if any of them fails.
    mutating func resolveAll<Part, Resolved>(
        _ parts: [Part],
        _ resolve: (Part, inout Self) -> Resolved?
    ) -> [Resolved]? {
        let resolved = parts.map { resolve($0, &self) }
        let found = resolved.compactMap(\.self)
        return found.count == resolved.count ? found : nil
    }
}

extension HomeResolver where From == To {
    func value(
        _ value: From.Value,
        of characteristic: From.Characteristic,
        as resolved: To.Characteristic
    ) -> To.Value? {
        value
    }

    func scene(_ reference: From.Scene) -> To.Scene? { reference }
    func user(_ reference: From.User) -> To.User? { reference }
}

/// Resolves an optional part.
///
/// - Returns: `nil` if the resolution fails, and `.some(nil)` if there is no part.
func resolvedIfPresent<Part, Resolved>(_ part: Part?, _ resolve: (Part) -> Resolved?) -> Resolved?? {
    guard let part else { return .some(nil) }
    return resolve(part).map(Optional.some)
}
