internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HomeModel

/// An action of a home in words.
struct HomeActionText: Sendable {
    /// The action as a whole.
    let text: String
    /// The service and the characteristic.
    let characteristic: String
    let value: CharacteristicValue
    private let accessory: AccessoryReference?
    private let iid: InstanceID?

    init(_ action: HomeAction, in home: any HomeLookup & Sendable) {
        text = EverydayWords(home).text(of: action)
        characteristic = home.text(of: action.characteristic)
        value = action.value
        let (service, type) = (action.characteristic.service, action.characteristic.type)
        accessory = home.accessory(of: service)?.reference
        iid = home.service(service)?.characteristics.first { $0.base.type == type }?.iid
    }

    private var deviceID: String? { accessory?.server.description }
    private var aid: UInt64? { accessory?.aid.rawValue }

    /// Returns the members of an object that has an action.
    static func properties<Owner>(_ action: @escaping @Sendable (Owner) -> HomeActionText) -> [Property<Owner>] {
        own.map { property in
            let copy = Property<Owner>
                .custom(
                    property.key.name,
                    property.key.documentation,
                    schema: property.key.schema,
                    write: { owner, _ in property.write(action(owner), action(owner)) }
                )
            return copy.markedRequired(property.key.isRequired)
        }
    }

    private static let own: [Property<HomeActionText>] = [
        .written("action", \.text, .string, "The action in words, such as \"turn on Garage Light\"."),
        .written("set", \.characteristic, .string, "The service and the characteristic."),
        .written("to", \.value, .value, "The value."),
        .written("deviceID", \.deviceID, .string, "The device ID of the server, if it is known."),
        .written("aid", \.aid, .id, "The accessory's id on the server, if it is known."),
        .written("iid", \.iid?.rawValue, .id, "The characteristic's id in the accessory, if it is known."),
    ]

    static let format = Format<HomeActionText>(response: "Action", properties: own)
}
