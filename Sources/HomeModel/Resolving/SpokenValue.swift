package import AccessoryModel
internal import HAPCore

/// A value as people say it.
struct SpokenValue {
    /// A word for a switch.
    private enum Word {
        case on, off, open, close, lock, unlock
    }

    /// What was said; `nil` when it is longer than any value that people say.
    private let text: String?
    /// Its beginning, for a message.
    private let quoted: String
    private let word: Word?
    private let number: JSONNumber?

    init(_ text: String) {
        let said = text.utf8.count <= Self.maximumByteCount ? text : nil
        self.text = said
        quoted = ObjectName.quoted(text)
        word =
            switch said.map(Catalogue.key) {
            case "on", "true", "yes": .on
            case "off", "false", "no": .off
            case "open", "opened", "up": .open
            case "close", "closed", "shut", "down": .close
            case "lock", "locked", "secure", "secured": .lock
            case "unlock", "unlocked", "unsecure", "unsecured": .unlock
            default: nil
            }
        number = said.flatMap(Self.number)
    }

    /// The most bytes of a value that people say.
    private static let maximumByteCount = 256

    /// Whether it switches on.
    var isOn: Bool { word == .on }

    /// What it sets of a service, `nil` when it means nothing there.
    func meaning(
        for service: HomeService,
        property: CharacteristicType?,
        isAlone: Bool
    ) -> (CharacteristicType, CharacteristicValue)? {
        if let property {
            return service.characteristic(property).flatMap(value(of:)).map { (property, $0) }
        }
        if let word {
            return switched(service, word, isAlone: isAlone)
        }
        let types: [CharacteristicType] =
            number == nil
            ? service.primaryCharacteristic.map { [$0.type] } ?? []
            : [.brightness, .rotationSpeed, .targetPosition, .targetTemperature, .targetRelativeHumidity, .volume]
        guard let found = types.lazy.compactMap(service.characteristic).first else { return nil }
        return value(of: found).map { (found.type, $0) }
    }

    /// Why it means nothing for a service.
    func refusal(for service: HomeService, property: CharacteristicType?, at place: String) -> HomeError {
        if let property {
            guard let characteristic = service.characteristic(property) else {
                return .noSuchCharacteristic(property, of: service.name.text, at: place)
            }
            let words = CharacteristicWords(characteristic.type, characteristic.metadata)
            return HomeError(
                .invalidValue,
                at: place,
                "\(quoted) is no value of \(characteristic.shownName).",
                remedy: "It takes \(words.allowedValues)."
            )
        }
        return HomeError(
            .invalidValue,
            at: place,
            "\(quoted) is nothing that \(service.name) can be set to.",
            remedy: "Name one of its properties with a value of it, such as Brightness 50."
        )
    }

    private func switched(
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
        // A whole house that is switched on must not open its doors.
        let isPlainSwitch = primary.type == .on || primary.type == .active
        guard isPlainSwitch || isAlone || word != .on && word != .off else { return nil }
        return (primary.type, isOn ? primary.on : primary.off)
    }

    /// The value of a characteristic that it is, `nil` for none.
    fileprivate func value(of characteristic: HomeCharacteristic) -> CharacteristicValue? {
        guard let text else { return nil }
        let names = Catalogue.characteristic(characteristic.type)?.valueNames ?? []
        if let named = names.first(where: { Catalogue.key($0.name) == Catalogue.key(text) }) {
            return .number(named.value)
        }
        switch characteristic.metadata.format {
        case .string: return .string(text)
        case .bool, .uint8, .uint16, .uint32, .uint64, .int, .float:
            if let number { return .number(number) }
            guard characteristic.metadata.isSwitch else { return nil }
            return word == .on ? .bool(true) : word == .off ? .bool(false) : nil
        case .tlv8, .data: return nil
        }
    }

    /// The number at the beginning, with nothing but a unit behind it.
    private static func number(in text: String) -> JSONNumber? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-" || $0 == "+" || $0 == ".") }
        let unit = Catalogue.key(String(text.dropFirst(digits.count)))
        guard ["", "%", "percent", "°", "°c", "degrees", "celsius", "s", "seconds", "lx", "lux"].contains(unit) else {
            return nil
        }
        if let integer = Int64(digits) { return JSONNumber(integer) }
        return Double(digits).flatMap { JSONNumber($0) }
    }
}

extension CharacteristicMetadata {
    /// Whether its values are on and off and nothing between: of a brightness, on is not 1 %.
    fileprivate var isSwitch: Bool {
        format == .bool || minimum == 0 && maximum == 1
    }
}

extension HomeCharacteristic {
    /// The value that people mean with a text: the name of one of Apple's values, `on`, `off`, a number with or without its
    /// unit, or the text itself; `nil` when it is none of this characteristic's.
    package func value(spokenAs text: String) -> CharacteristicValue? {
        SpokenValue(text).value(of: self)
    }
}
