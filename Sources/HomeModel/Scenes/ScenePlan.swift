internal import AccessoryModel
internal import HAPCore

/// How actions are run with as few requests as there are servers, but for those with very many values.
///
/// The requests to different servers do not wait for each other. What cannot be sent is told, and the rest runs.
public struct ScenePlan: Sendable, Hashable {
    /// An action that cannot be sent.
    public struct Failure: Sendable, Hashable {
        /// The action.
        public var action: HomeAction
        /// Why.
        public var error: HomeError
    }

    /// How many values one request writes at most.
    ///
    /// HAP names no bound, and an accessory that has no room for a body refuses all of it: with 256 values it has some
    /// 16 KiB, which is little more than what one accessory can have of characteristics to write. What is more goes
    /// behind, in another request.
    public static let maximumItems = 256

    /// One request for each server, more for one with more than ``maximumItems`` values, in the order in which the actions
    /// name them.
    public private(set) var requests: [ServerWriteRequest] = []
    /// What cannot be sent: its accessory is not found, or a rule is broken since.
    public private(set) var failures: [Failure] = []

    /// Plans the actions of a scene or an automation.
    ///
    /// Of two actions of one characteristic the last one counts. Takes linear time.
    public init(_ actions: [HomeAction], in home: Home) {
        var latest: [CharacteristicSelector: Int] = [:]
        for (index, action) in actions.enumerated() {
            latest[action.characteristic] = index
        }
        let wanted = Set(latest.keys.lazy.map(\.service))
        var places: [ObjectID<HomeService>: (accessory: HomeAccessory, service: HomeService)] = [:]
        for accessory in home.accessories {
            for service in accessory.services where wanted.contains(service.id) {
                places[service.id] = (accessory, service)
            }
        }
        // Where there is room for more.
        var positions: [DeviceID: Int] = [:]
        for (index, action) in actions.enumerated() where latest[action.characteristic] == index {
            let place = places[action.characteristic.service]
            do throws(HomeError) {
                let (server, write, isTimed) = try Self.write(for: action, place?.accessory, place?.service, in: home)
                if let position = positions[server], requests[position].writes.count < Self.maximumItems {
                    requests[position].append(write, for: action, isTimed: isTimed)
                } else {
                    positions[server] = requests.count
                    var request = ServerWriteRequest(server: server)
                    request.append(write, for: action, isTimed: isTimed)
                    requests.append(request)
                }
            } catch {
                failures.append(Failure(action: action, error: error))
            }
        }
    }

    private static func write(
        for action: HomeAction,
        _ accessory: HomeAccessory?,
        _ service: HomeService?,
        in home: Home
    ) throws(HomeError) -> (DeviceID, CharacteristicWrite, isTimed: Bool) {
        if let error = Home.violation(of: action, on: service, at: home.name.text) { throw error }
        guard let characteristic = service?.characteristic(action.characteristic.type),
            let value = characteristic.metadata.value(from: action.value, isStrict: false),
            let reference = accessory?.reference, let iid = characteristic.iid
        else {
            throw .notFound(accessory?.name ?? .accessory, at: home.name.text)
        }
        let id = CharacteristicID(aid: reference.aid, iid: iid)
        let isTimed = characteristic.permissions.contains(.timedWrite)
        return (reference.server, CharacteristicWrite(id, value), isTimed)
    }
}
