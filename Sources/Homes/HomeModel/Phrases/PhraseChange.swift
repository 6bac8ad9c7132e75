internal import AccessoryModel
internal import HAPCore

/// A change in words, before it is known which characteristics of a service it concerns.
enum PhraseChange: Sendable, Hashable {
    case state(PhraseState)
    case toggle
    case stop
    /// A number with its unit, for these properties or for the most likely one.
    case number(Double, PhraseUnit?, of: [CharacteristicType])
    case level(PhraseLevel, of: [CharacteristicType])
    /// A step of the properties in a direction.
    case step([CharacteristicType], isUp: Bool, Size)
    /// Up or down: doors and coverings move unless it is about a value, everything else takes a step.
    case move(isUp: Bool, Size, isAboutValue: Bool)
    case color(hue: Int, saturation: Int)
    /// A white with a color temperature in kelvins.
    case white(Int)
    case mode(PhraseMode)
    case arm(PhraseMode)
    case disarm
    /// A value by its name, for these properties.
    case value(String, of: [CharacteristicType])

    /// The size of a step.
    enum Size: Sendable, Hashable {
        case normal, little, much
        /// To the end of the range.
        case complete
        /// Half of the present value.
        case half
        case by(Double, PhraseUnit?)
    }
}

extension PhraseStep {
    /// The properties that the step can mean, the most likely one first, and its direction.
    var meaning: (properties: [CharacteristicType], isUp: Bool) {
        switch self {
        case .brighter: ([.brightness], true)
        case .dimmer: ([.brightness], false)
        case .warmer: (CharacteristicType.climate + [.colorTemperature], true)
        case .cooler: (CharacteristicType.climate + [.colorTemperature], false)
        case .faster: ([.rotationSpeed], true)
        case .slower: ([.rotationSpeed], false)
        case .louder: ([.volume], true)
        case .quieter: ([.volume], false)
        }
    }
}

extension PhraseChange {
    /// Whether the change depends on the present value of a property.
    var isStep: Bool {
        switch self {
        case .step, .move: true
        default: false
        }
    }

    /// The characteristics of a service whose current values the change may need.
    var neededTypes: [CharacteristicType] {
        switch self {
        case .toggle: [.on, .active, .targetPosition]
        case .state(.off): Self.climateModes
        case .stop: [.currentPosition]
        case .step(let properties, _, _): properties + Self.power + Self.climateModes
        case .move:
            [.brightness, .rotationSpeed, .volume, .targetPosition] + CharacteristicType.climate + Self.power
                + Self.climateModes
        case .number(_, _, let properties), .level(_, let properties):
            properties.count == 1 ? [] : Self.climateModes
        case .state, .color, .white, .mode, .arm, .disarm, .value: []
        }
    }

    private static let power: [CharacteristicType] = [.on, .active]
    private static let climateModes: [CharacteristicType] = [.targetHeatingCoolingState, .targetHeaterCoolerState]
}

extension CharacteristicType {
    /// The temperatures of which a word such as "temperature" means the one that is in effect.
    static let climate: [CharacteristicType] = [
        .targetTemperature, .heatingThresholdTemperature, .coolingThresholdTemperature,
    ]
}
