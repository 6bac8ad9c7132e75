internal import AccessoryModel
internal import HAPCore

/// The effect of a change on one service.
struct PhraseEffect {
    let service: HomeService
    /// Returns the current value of a characteristic.
    let value: (CharacteristicType) -> CharacteristicValue?
    /// Whether the phrase names more than a place.
    let isSpecific: Bool
    /// Whether the phrase names this service.
    let isNamed: Bool
    /// Heating and cooling, if the phrase says so.
    let conditioning: Set<PhraseMode>
    /// The mode that the phrase sets, which the other changes are for.
    let newMode: PhraseMode?

    typealias Setting = (type: CharacteristicType, value: CharacteristicValue)

    /// The reason why a change has no effect.
    enum Refusal: Error {
        /// The change has no meaning for the service.
        case noMeaning
        /// The current value of this characteristic is needed and unknown.
        case unknownValue(CharacteristicType)
        /// A step is not for a lamp or a fan that is off, unless the phrase names it.
        case isOff
        /// The device heats and cools, and the phrase does not say which of the two temperatures it means.
        case hasTwoTemperatures
        /// The device cools and the phrase is about heating, or the reverse.
        case isInMode(PhraseMode)
        /// The device is in this mode, so that off would end more than the heating or the cooling of the phrase.
        case offEndsOtherMode(PhraseMode)

        /// Whether the phrase is refused, and not only the service left out.
        var isFatal: Bool {
            switch self {
            case .hasTwoTemperatures, .offEndsOtherMode: true
            default: false
            }
        }
    }

    /// Returns what a change sets.
    func settings(_ change: PhraseChange) throws(Refusal) -> [Setting] {
        if change.isStep, !isNamed, isLampOrFan, isPowered == false { throw .isOff }
        return switch change {
        case .state(let state): try settings(for: state)
        case .toggle: try toggle()
        case .stop: try stop()
        case .number(let number, let unit, let properties):
            withPower([try set(number, unit, properties)], unless: properties)
        case .level(let level, let properties): withPower([try set(level, properties)], unless: properties)
        case .step(let properties, let isUp, let size):
            // "Brighter" switches a named lamp on, but not all the lamps of a room.
            withPower([try step(properties, isUp, size)], unless: isUp && isNamed ? [] : properties)
        case .move(let isUp, let size, let isAboutValue):
            withPower(try move(isUp, size, isAboutValue), unless: isUp && isNamed ? [] : [.brightness])
        case .color(let hue, let saturation): withPower(try color(hue, saturation), unless: [])
        case .white(let kelvins): withPower(try white(kelvins), unless: [])
        case .mode(let mode): try settings(for: mode)
        case .arm(let mode): [try securityState(mode)]
        case .disarm: [try setting(.securitySystemTargetState, 3)]
        case .value(let text, let properties): [try set(text, properties)]
        }
    }

    // MARK: States

    private func settings(for state: PhraseState) throws(Refusal) -> [Setting] {
        // A garage door may have a lock, too.
        if [.locked, .unlocked].contains(state) {
            return [try setting(.lockTargetState, state == .locked ? 1 : 0)]
        }
        if state == .off { try checkOff() }
        if state == .off, isSpecific, isWritable(.targetHeatingCoolingState) {
            return [(.targetHeatingCoolingState, 0)]
        }
        guard let primary = service.primaryCharacteristic else { throw .noMeaning }
        let isSwitch = primary.type == .on || primary.type == .active
        switch state {
        case .on where isSwitch: return [(primary.type, primary.on)]
        case .off where isSwitch: return [(primary.type, primary.off)]
        case .open where [.targetDoorState, .targetPosition].contains(primary.type): return [(primary.type, primary.on)]
        case .closed where [.targetDoorState, .targetPosition].contains(primary.type):
            return [(primary.type, primary.off)]
        case .on, .off, .open, .closed, .locked, .unlocked: throw .noMeaning
        }
    }

    private func toggle() throws(Refusal) -> [Setting] {
        guard let primary = service.primaryCharacteristic else { throw .noMeaning }
        let isSwitch = primary.type == .on || primary.type == .active
        // What opens or unlocks is said in a word of its own.
        guard isSwitch || service.effectiveType == .windowCovering else { throw .noMeaning }
        guard let current = value(primary.type) else { throw .unknownValue(primary.type) }
        return [(primary.type, primary.toggled(from: current))]
    }

    private func stop() throws(Refusal) -> [Setting] {
        if isWritable(.holdPosition) { return [(.holdPosition, true)] }
        if isWritable(.targetPosition) {
            guard let current = value(.currentPosition) else { throw .unknownValue(.currentPosition) }
            return [(.targetPosition, current)]
        }
        guard [.fan, .fanv2, .airPurifier].contains(service.effectiveType) else { throw .noMeaning }
        return try settings(for: .off)
    }

    /// Returns settings together with the one that switches the lamp or the fan on, so that they can be seen.
    ///
    /// - Parameter properties: The properties that the phrase names. "Brightness 40 %" sets only the brightness.
    private func withPower(_ settings: [Setting], unless properties: [CharacteristicType]) -> [Setting] {
        let visible: Set<CharacteristicType> = [.brightness, .hue, .saturation, .colorTemperature, .rotationSpeed]
        guard properties.isEmpty, let power = service.primaryCharacteristic, [.on, .active].contains(power.type),
            isLampOrFan,
            settings.allSatisfy({ visible.contains($0.type) }),
            settings.contains(where: { ($0.value.number?.double ?? 0) > 0 || $0.type == .saturation })
        else { return settings }
        return [(power.type, power.on)] + settings
    }

    /// Whether the service is a lamp, a fan, or something that can be one.
    private var isLampOrFan: Bool {
        [.lightbulb, .fan, .fanv2, .outlet, .switch].contains(service.effectiveType)
    }

    /// Whether the service is on, or `nil` if this is not known.
    private var isPowered: Bool? {
        guard let power = service.primaryCharacteristic, let value = value(power.type) else { return nil }
        return value.number?.double != 0 && value.bool != false
    }

    // MARK: Numbers

    private static let percentages: [CharacteristicType] = [
        .brightness, .rotationSpeed, .targetPosition, .targetRelativeHumidity,
        .relativeHumidityHumidifierThreshold, .volume,
    ]

    private func set(_ number: Double, _ unit: PhraseUnit?, _ properties: [CharacteristicType]) throws(Refusal)
        -> Setting
    {
        switch unit {
        case .kelvin:
            guard number > 0 else { throw .noMeaning }
            return try setting(.colorTemperature, JSONNumber((1_000_000 / number).rounded()))
        case .fahrenheit:
            let celsius = (number - 32) / 1.8
            return try setting(
                first(properties, or: CharacteristicType.climate),
                JSONNumber((celsius * 2).rounded() / 2)
            )
        case .degrees:
            return try setting(first(properties, or: CharacteristicType.climate), JSONNumber(number))
        case .percent: return try setting(first(properties, or: Self.percentages), JSONNumber(number))
        case nil:
            let isClimate = [.thermostat, .heaterCooler].contains(service.effectiveType)
            let likely =
                isClimate
                ? CharacteristicType.climate + Self.percentages : Self.percentages + CharacteristicType.climate
            return try setting(first(properties, or: likely), JSONNumber(number))
        }
    }

    private func set(_ level: PhraseLevel, _ properties: [CharacteristicType]) throws(Refusal) -> Setting {
        let type = try first(properties, or: Self.percentages)
        let range = range(of: type)
        // A lamp at the minimum is still on, and a fan still turns.
        let least = [.brightness, .rotationSpeed].contains(type) ? max(range.lowerBound, 1) : range.lowerBound
        let value: Double =
            switch level {
            case .minimum: least
            case .low: range.lowerBound + (range.upperBound - range.lowerBound) * 0.25
            case .half: range.lowerBound + (range.upperBound - range.lowerBound) * 0.5
            case .threeQuarters: range.lowerBound + (range.upperBound - range.lowerBound) * 0.75
            case .maximum, .complete: range.upperBound
            }
        return try setting(type, JSONNumber(value))
    }

    private func set(_ text: String, _ properties: [CharacteristicType]) throws(Refusal) -> Setting {
        for type in properties {
            // Bytes are for controllers: they contain commands of locks and keys.
            guard let found = service.characteristic(type)?.base, ![.tlv8, .data].contains(found.metadata.format) else {
                continue
            }
            if let value = found.value(of: text) { return (type, value) }
        }
        throw .noMeaning
    }

    // MARK: Steps

    private func step(_ properties: [CharacteristicType], _ isUp: Bool, _ size: PhraseChange.Size) throws(Refusal)
        -> Setting
    {
        // "Make it warmer in the bedroom" is about the air, "make the lamps warmer" about their light.
        let meant = isSpecific ? properties : properties.filter { $0 != .colorTemperature }
        let type = try first(meant, or: [])
        if size == .complete { return try set(isUp ? .maximum : .minimum, [type]) }
        guard let current = value(type)?.number?.double else { throw .unknownValue(type) }
        let amount: Double =
            switch (type, size) {
            case (_, .by(let number, let unit)): try Self.amount(number, unit, of: type)
            case (_, .half): current - (current / 2).rounded()
            case (.colorTemperature, .normal): 50.0
            case (.colorTemperature, .little): 20
            case (.colorTemperature, .much): 100
            case (_, .normal) where Self.temperatures.contains(type): 1
            case (_, .little) where Self.temperatures.contains(type): 0.5
            case (_, .much) where Self.temperatures.contains(type): 2
            case (_, .normal): 25
            case (_, .little): 10
            case (_, .much): 50
            case (_, .complete): 100
            }
        let range = range(of: type)
        let least = type == .brightness ? max(range.lowerBound, 1) : range.lowerBound
        let next = min(max(current + (isUp ? amount : -amount), least), range.upperBound)
        return try setting(type, JSONNumber(next))
    }

    /// Returns the size of a step that is said as a number: percent for a percentage, degrees for a temperature.
    private static func amount(_ number: Double, _ unit: PhraseUnit?, of type: CharacteristicType) throws(Refusal)
        -> Double
    {
        let isTemperature = temperatures.contains(type)
        switch unit {
        case _ where number <= 0: throw .noMeaning
        case nil: return number
        case .percent where percentages.contains(type): return number
        case .degrees where isTemperature: return number
        case .fahrenheit where isTemperature: return number / 1.8
        case .percent, .degrees, .fahrenheit, .kelvin: throw .noMeaning
        }
    }

    private static let temperatures = Set(CharacteristicType.climate)

    private func move(_ isUp: Bool, _ size: PhraseChange.Size, _ isAboutValue: Bool) throws(Refusal) -> [Setting] {
        guard isWritable(.targetPosition) || isWritable(.targetDoorState) else {
            return [try step([.brightness, .rotationSpeed] + CharacteristicType.climate + [.volume], isUp, size)]
        }
        // Neither "increase" nor "turn up" says that a door or a window opens.
        if isAboutValue, service.isEntrance { throw .noMeaning }
        if size == .normal || size == .complete { return try settings(for: isUp ? .open : .closed) }
        // A garage door has no position, so "raise the garage door a bit" would open it as a whole.
        return [try step([.targetPosition], isUp, size)]
    }

    // MARK: Colors

    private func color(_ hue: Int, _ saturation: Int) throws(Refusal) -> [Setting] {
        guard isWritable(.hue), isWritable(.saturation) else { throw .noMeaning }
        return [(.hue, .integer(hue)), (.saturation, .integer(saturation))]
    }

    private func white(_ kelvins: Int) throws(Refusal) -> [Setting] {
        if isWritable(.colorTemperature) {
            let range = range(of: .colorTemperature)
            let mireds = min(max((1_000_000 / Double(kelvins)).rounded(), range.lowerBound), range.upperBound)
            return [try setting(.colorTemperature, JSONNumber(mireds))]
        }
        guard isWritable(.saturation) else { throw .noMeaning }
        // A lamp with colors only approximates a warm white by a pale orange.
        guard kelvins < 3_500, isWritable(.hue) else { return [(.saturation, 0)] }
        return [(.hue, 30), (.saturation, 35)]
    }

    // MARK: Modes

    private func settings(for mode: PhraseMode) throws(Refusal) -> [Setting] {
        switch mode {
        case .home, .away, .night: return [try securityState(mode)]
        case .heat, .cool, .automatic:
            guard let state = modeState, let number = state.numbers[mode] else { throw .noMeaning }
            return [(state.type, .integer(number))]
        }
    }

    private func securityState(_ mode: PhraseMode) throws(Refusal) -> Setting {
        switch mode {
        case .home: try setting(.securitySystemTargetState, 0)
        case .away: try setting(.securitySystemTargetState, 1)
        case .night: try setting(.securitySystemTargetState, 2)
        case .heat, .cool, .automatic: throw .noMeaning
        }
    }

    // MARK: Characteristics

    func isWritable(_ type: CharacteristicType) -> Bool {
        service.characteristic(type)?.permissions.contains(.write) ?? false
    }

    private func first(_ properties: [CharacteristicType], or likely: [CharacteristicType]) throws(Refusal)
        -> CharacteristicType
    {
        let types = properties.isEmpty ? likely : properties
        guard let type = types.first(where: isWritable) else { throw .noMeaning }
        // Several temperatures mean the one that is in effect; Apple's name of one of them means this one.
        let isOneName = types.allSatisfy { $0 == type }
        return !isOneName && CharacteristicType.climate.contains(type) ? try temperature() : type
    }

    private func setting(_ type: CharacteristicType, _ number: JSONNumber?) throws(Refusal) -> Setting {
        guard isWritable(type), let number else { throw .noMeaning }
        return (type, .number(number))
    }

    private func range(of type: CharacteristicType) -> ClosedRange<Double> {
        let metadata = service.characteristic(type)?.metadata
        let least = metadata?.minimum?.double ?? 0
        return least...max(metadata?.maximum?.double ?? 100, least)
    }
}
