import AccessoryModel
import ArgumentParser
import HAPController
import Hosting

/// Characteristics of an accessory, each with a value, from arguments such as `On=off`.
struct CharacteristicAssignments: Sendable {
    private(set) var found: [FoundCharacteristic] = []
    private(set) var values: [CharacteristicValue] = []

    /// Checks the form of the arguments, before anything is known of the accessory.
    ///
    /// - Throws: `ValidationError` with the remedy.
    static func validate(_ arguments: [String]) throws {
        for argument in arguments where !argument.contains("=") {
            throw ValidationError("\"\(argument.escapingControlCharacters)\" has no value; write NAME=VALUE.")
        }
    }

    /// Finds the characteristics in a database, and parses their values.
    ///
    /// - Throws: ``CommandFailure`` or `ControllerError` for an unknown name, a name that is given twice, or a value
    ///   that the characteristic cannot have.
    init(_ arguments: [String], in database: [RemoteAccessory]) throws {
        for argument in arguments {
            // The value may contain the equals sign, for example in Base64. Names do not.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let characteristic = try CharacteristicPath.resolve(String(parts[0]), in: database)
            guard !found.contains(where: { $0.id == characteristic.id }) else {
                throw CommandFailure.usage("\(characteristic.title(onBridge: false)) is given twice; give it once.")
            }
            values.append(try characteristic.characteristic.value(parsing: String(parts.count > 1 ? parts[1] : "")))
            found.append(characteristic)
        }
    }
}
