import Foundation
import HomeKit

/// The texts that a user sees.
///
/// They use the terms of Apple's guidelines: accessory, room, home. A user sees a service as an accessory.
public enum AppText {
    /// The title while no home is shown.
    public static let appName = "Kilgo"
    /// The suggested name of the first home.
    public static let homeName = "My Home"

    // MARK: States

    static let unreachable = "Unreachable"
    static let updateError = "Update error!"
    static let unknown = "Unknown"

    // MARK: The first screen without tiles

    static let loading = "Loading your home…"
    static let notAuthorized = "The app cannot show your home: Home Data is off: allow it in Settings."
    static let noHome = "You have no home yet. Add an accessory to begin."
    static let noAccessories = "This home has no Kilgo accessories. Add one with the setup code that is printed on it."

    // MARK: The details

    static let name = "Name"
    static let room = "Room"
    static let model = "Model"
    static let firmware = "Firmware"

    // MARK: The settings

    private static let labels = [
        HMCharacteristicTypeTargetDoorState: "Door",
        HMCharacteristicTypeCurrentDoorState: "Door State",
        HMCharacteristicTypeObstructionDetected: "Obstructed",
        HMCharacteristicTypeTargetLockMechanismState: "Lock",
        HMCharacteristicTypeCurrentLockMechanismState: "Lock State",
        HMCharacteristicTypePowerState: "Power",
        HMCharacteristicTypeBrightness: "Brightness",
        HMCharacteristicTypeHue: "Hue",
        HMCharacteristicTypeSaturation: "Saturation",
    ]

    /// Returns the label of a setting; for a type that only the manufacturer defines, it comes from the accessory.
    static func label(_ characteristic: HMCharacteristic) -> String {
        labels[characteristic.characteristicType] ?? characteristic.metadata?.manufacturerDescription
            ?? characteristic.localizedDescription
    }

    static func value(of characteristic: HMCharacteristic) -> String {
        guard let number = characteristic.value as? NSNumber else { return unknown }
        return value(number.doubleValue, of: characteristic)
    }

    static func value(_ value: Double, of characteristic: HMCharacteristic) -> String {
        let number = Int(exactly: value).map(String.init) ?? String(value)
        let words: [Int: String] =
            switch characteristic.characteristicType {
            case HMCharacteristicTypeTargetDoorState, HMCharacteristicTypeCurrentDoorState:
                [0: "Open", 1: "Closed", 2: "Opening", 3: "Closing", 4: "Stopped"]
            case HMCharacteristicTypeTargetLockMechanismState, HMCharacteristicTypeCurrentLockMechanismState:
                [0: "Unlocked", 1: "Locked", 2: "Jammed", 3: unknown]
            case HMCharacteristicTypePowerState: [0: "Off", 1: "On"]
            case HMCharacteristicTypeObstructionDetected: [0: "No", 1: "Yes"]
            default: [:]
            }
        if let words = Int(exactly: value).flatMap({ words[$0] }) { return words }
        return switch characteristic.metadata?.units {
        case HMCharacteristicMetadataUnitsPercentage: number + "%"
        case HMCharacteristicMetadataUnitsArcDegree: number + "°"
        case HMCharacteristicMetadataUnitsSeconds: number + " s"
        default: number
        }
    }

    // MARK: Errors

    static let notAdded = "The accessory was not added"
    static let notAddedWithoutHome = "\(notAdded): you have no home yet: add one first."

    static func notAdded(_ name: String) -> String { "\(name) was not added" }
    static func notRenamed(_ name: String) -> String { "\(name) was not renamed" }
    static func notMoved(_ name: String) -> String { "\(name) was not moved" }
    static func notRemoved(_ name: String) -> String { "\(name) was not removed" }

    /// Returns what is wrong, and what to do.
    static func reason(_ error: any Error) -> String {
        switch (error as? HMError)?.code {
        case .objectWithSimilarNameExistsInHome, .homeWithSimilarNameExists, .alreadyExists:
            "the name is taken: choose another one."
        case .renameWithSimilarName: "this is its name already: choose another one."
        case .nameContainsProhibitedCharacters, .nameDoesNotStartWithValidCharacters,
            .nameDoesNotEndWithValidCharacters:
            "the name is not allowed: use letters, digits and spaces, and begin and end with a letter or a digit."
        case .stringLongerThanMaximum: "the name is too long: choose a shorter one."
        case .stringShorterThanMinimum: "the name is empty: enter one."
        case .accessoryNotReachable, .bridgedAccessoryNotReachable, .communicationFailure, .operationTimedOut:
            "it does not respond: check that it is turned on, then try again."
        case .accessoryIsBusy, .operationInProgress: "it is busy: try again in a moment."
        case .accessoryPairingFailed: "it refused the setup code: check the code, which is printed on it."
        case .objectAlreadyAssociatedToHome: "it is in a home already: remove it from that home first."
        case .notFound: "it was not found: check that it is turned on and not in a home, then try again."
        case .objectNotAssociatedToAnyHome: "another app has removed it: add it again."
        case .operationCancelled: "you canceled it."
        case .insufficientPrivileges, .homeAccessNotAuthorized: "you may not change this home: ask its owner."
        case let code?: "error \(code.rawValue) occurred: try again."
        case nil: "an unknown error occurred: try again."
        }
    }
}

/// An error with a message for the user.
public struct AppError: LocalizedError {
    /// What was not done, why, and what to do.
    public let errorDescription: String?

    /// Does something, and describes its error.
    @MainActor
    static func describing(
        _ failure: String,
        _ action: @MainActor () async throws -> Void
    ) async throws(AppError) {
        do {
            try await action()
        } catch {
            throw AppError(errorDescription: "\(failure): \(AppText.reason(error))")
        }
    }
}
