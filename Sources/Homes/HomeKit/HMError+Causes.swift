internal import AccessoryModel
internal import HAPController
internal import HAPCore
internal import HomeModel
internal import HomeRuntime

extension HMError {
    /// The object was removed, or was never part of a home.
    static let removed = HMError(.objectNotAssociatedToAnyHome, "The object is not part of a home.")
    /// The object is one of another home.
    static let otherHome = HMError(.objectAssociatedToAnotherHome, "The object is part of another home.")

    static func unsupported(_ text: String) -> HMError { HMError(.operationNotSupported, text) }

    static func invalid(_ text: String) -> HMError { HMError(.invalidParameter, text) }

    /// Runs a change of the model, with its errors as those of the framework.
    static func wrapping<Result>(
        _ duplicateName: Code = .objectWithSimilarNameExistsInHome,
        _ change: () throws(HomeError) -> Result
    ) throws(HMError) -> Result {
        do throws(HomeError) {
            return try change()
        } catch {
            throw HMError(error, duplicateName: duplicateName)
        }
    }

    /// What happened, in sentences.
    var text: String { errorDescription ?? "" }

    /// Creates the error for a rule of homes.
    ///
    /// - Parameter duplicateName: The code for a name that is taken.
    init(_ error: HomeError, duplicateName: Code = .objectWithSimilarNameExistsInHome) {
        let code: Code =
            switch error.code {
            case .emptyName: .stringShorterThanMinimum
            case .nameTooLong: .stringLongerThanMaximum
            case .nameCharacters: .nameContainsProhibitedCharacters
            case .nameEnds: .nameDoesNotStartWithValidCharacters
            case .duplicateName: duplicateName
            case .unknownObject, .noSuchCharacteristic: .notFound
            case .wrongHome, .foreignService: .objectAssociatedToAnotherHome
            case .tooMany: .maximumObjectLimitReached
            case .entireHomeRoomInZone: .roomForHomeCannotBeInZone
            case .entireHomeRoomFixed: .roomForHomeCannotBeUpdated
            case .roomTwice, .serviceTwice, .sceneKindTaken, .duplicateAction: .alreadyExists
            case .accessoryTwice: .objectAlreadyAssociatedToHome
            case .bridgedAccessoryAlone: .cannotRemoveNonBridgeAccessory
            case .disallowedAssociatedType: .invalidAssociatedServiceType
            case .readOnlyCharacteristic: .readOnlyCharacteristic
            case .unobservable: .notificationNotSupported
            case .builtInSceneFixed: .cannotRemoveBuiltinActionSet
            case .notFound: .accessoryNotReachable
            case .nothingToDo: .noRegisteredActionSets
            default: .invalidParameter
            }
        self.init(code, "\(error.reason) \(error.remedy)")
    }

    /// Creates the error for a name that breaks a rule.
    init(_ error: HomeError, name: String) {
        let endsBadly = error.code == .nameEnds && name.first?.canBeAtNameEnd == true
        self =
            endsBadly ? HMError(.nameDoesNotEndWithValidCharacters, "\(error.reason) \(error.remedy)") : HMError(error)
    }

    init(_ error: HomeStoreError, duplicateName: Code = .objectWithSimilarNameExistsInHome) {
        switch error {
        case .refused(let error): self.init(error, duplicateName: duplicateName)
        case .conflict, .store: self.init(.unexpectedError, "\(error)")
        }
    }

    /// Creates the error for a failure of the controller.
    init(_ error: ControllerError) {
        let code: Code =
            switch error.code {
            case .unreachable, .notFound, .unknownAccessory: .accessoryNotReachable
            case .timedOut: .operationTimedOut
            case .connectionLost: .communicationFailure
            case .busy: .accessoryIsBusy
            case .wrongCode, .refused, .maxPeers, .tooManyTries: .accessoryPairingFailed
            case .alreadyPaired, .aliasTaken: .objectAlreadyAssociatedToHome
            case .malformed: .accessorySentInvalidResponse
            case .wrongAccessory, .unproven: .messageAuthenticationFailed
            case .cancelled, .closed: .operationCancelled
            case .requestFailed(_, let status?): HMError(status, isBridged: false).code
            case .requestFailed: .accessoryResponseError
            case .discovery, .store, .overflow, .unknownCharacteristic, .invalidValue: .unexpectedError
            }
        self.init(code, "\(error.reason) \(error.remedy)")
    }

    /// Creates the error for the status with which an accessory refused a request.
    ///
    /// HAP: §12
    init(_ status: HAPStatus?, isBridged: Bool) {
        let code: Code =
            switch status {
            case .insufficientPrivileges: .insufficientPrivileges
            case .unableToPerform: isBridged ? .bridgedAccessoryNotReachable : .communicationFailure
            case .busy: .accessoryIsBusy
            case .readOnly: .readOnlyCharacteristic
            case .writeOnly: .writeOnlyCharacteristic
            case .notificationNotSupported: .notificationNotSupported
            case .outOfResources: .accessoryOutOfResources
            case .timedOut: .operationTimedOut
            case .doesNotExist: .notFound
            case .invalidValue: .invalidParameter
            case .insufficientAuthorization: .invalidOrMissingAuthorizationData
            case .notAllowedInCurrentState, .success, nil: .accessoryResponseError
            }
        self.init(code, "The accessory answered with \(status.map { "\($0)" } ?? "an unknown status").")
    }
}
