package import AccessoryModel
internal import HAPCore

/// A value in the form in which people say it.
struct ValuePhrase {
    /// A word for the state of a switch.
    private enum Word {
        case on, off, open, close, lock, unlock
    }

    private let text: String
    private let word: Word?

    init(_ text: String) {
        self.text = text
        word =
            switch text.utf8.count <= Self.maximumByteCount ? Catalog.key(text) : "" {
            case "on", "true", "yes": .on
            case "off", "false", "no": .off
            case "open", "opened", "up": .open
            case "close", "closed", "shut", "down": .close
            case "lock", "locked", "secure", "secured": .lock
            case "unlock", "unlocked", "unsecure", "unsecured": .unlock
            default: nil
            }
    }

    /// The maximum number of bytes in a value.
    private static let maximumByteCount = 256

    /// Whether the value means "on".
    var isOn: Bool { word == .on }

    /// Returns the characteristic and the value to set for a service, or `nil` if the phrase has no meaning for it.
    func effect(
        for service: HomeService,
        property: CharacteristicType?,
        isAlone: Bool
    ) -> (CharacteristicType, CharacteristicValue)? {
        if let property {
            return service.characteristic(property).flatMap(value(of:)).map { (property, $0) }
        }
        if let word {
            return effectOfWord(service, word, isAlone: isAlone)
        }
        let types =
            JSONNumber(textWithUnit: text) == nil
            ? service.primaryCharacteristic.map { [$0.type] } ?? [] : Self.numericProperties
        return types.lazy.compactMap(service.characteristic)
            .compactMap { found in value(of: found).map { (found.type, $0) } }.first
    }

    /// The properties that a number can refer to, the most likely one first.
    private static let numericProperties: [CharacteristicType] = [
        .brightness, .rotationSpeed, .targetPosition, .targetTemperature, .targetRelativeHumidity, .volume,
    ]

    /// Returns an error that explains why the value has no meaning for a service.
    func error(for service: HomeService, property: CharacteristicType?, at place: String) -> HomeError {
        if let property {
            guard let characteristic = service.characteristic(property) else {
                return .noSuchCharacteristic(property, of: service.name.text, at: place)
            }
            return .invalidValue(text, of: characteristic, at: place)
        }
        return HomeError(
            .invalidValue,
            at: place,
            "\(service.name) cannot be set to \(ObjectName.quoted(text)).",
            remedy: "Write one of its properties and a value, such as Brightness 50 for a light."
        )
    }

    private func effectOfWord(
        _ service: HomeService,
        _ word: Word,
        isAlone: Bool
    ) -> (CharacteristicType, CharacteristicValue)? {
        guard let primary = service.primaryCharacteristic else { return nil }
        let isOn: Bool
        switch (word, primary.type) {
        case (.on, _): isOn = true
        case (.off, _): isOn = false
        case (.open, .targetDoorState), (.open, .targetPosition), (.unlock, .lockTargetState): isOn = true
        case (.close, .targetDoorState), (.close, .targetPosition), (.lock, .lockTargetState): isOn = false
        case (.open, _), (.close, _), (.lock, _), (.unlock, _): return nil
        }
        // Switching on a whole house must not open its doors.
        let isPlainSwitch = primary.type == .on || primary.type == .active
        guard isPlainSwitch || isAlone || word != .on && word != .off else { return nil }
        return (primary.type, isOn ? primary.on : primary.off)
    }

    private func value(of characteristic: HomeCharacteristic) -> CharacteristicValue? {
        text.utf8.count <= Self.maximumByteCount ? characteristic.base.value(of: text) : nil
    }
}
