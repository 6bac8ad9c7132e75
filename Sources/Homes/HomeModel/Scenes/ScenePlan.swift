internal import AccessoryModel
internal import HAPCore

/// A plan for running actions with one request for each server, or more if it has very many values.
///
/// Requests to different servers do not wait for each other. Actions that cannot be sent are listed in ``failures``;
/// the others run.
public struct ScenePlan: Sendable, Hashable {
    /// An action that cannot be sent.
    public struct Failure: Sendable, Hashable {
        /// The action that cannot be sent.
        public var action: HomeAction
        /// The reason.
        public var error: HomeError
    }

    /// The maximum number of values in a request.
    ///
    /// HAP defines no limit, but an accessory without enough memory refuses the whole body. A request with 256 values
    /// has about 16 KiB, enough for nearly all writable characteristics of one accessory. Further values go into
    /// another request.
    public static let maximumItems = 256

    /// The requests: one for each server, and more if it has more than ``maximumItems`` values, in the order of the
    /// actions.
    public private(set) var requests: [ServerWriteRequest] = []
    /// The actions that cannot be sent, because their accessory was not found or because they now break a rule.
    public private(set) var failures: [Failure] = []

    /// Plans the actions of a scene or an automation.
    ///
    /// If several actions set the same characteristic, the last one counts. Takes linear time.
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
        // The latest request to each server.
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
            let name = accessory?.name ?? .accessory
            throw HomeError(.notFound, at: home.name.text, "\(name) is not found on the network.")
        }
        let id = CharacteristicID(aid: reference.aid, iid: iid)
        let isTimed = characteristic.permissions.contains(.timedWrite)
        return (reference.server, CharacteristicWrite(id, value), isTimed)
    }
}
