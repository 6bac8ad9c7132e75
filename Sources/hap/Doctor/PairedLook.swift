import AccessoryModel
import Foundation
import HAPController
import HAPCore
import Storage

/// What an accessory shows to us, when this machine's controller is paired with it: who else is, and how fast it is.
struct PairedLook: Sendable, Hashable {
    /// What a session told.
    struct Session: Sendable, Hashable {
        /// From nothing to a verified session.
        var opening: Duration
        /// What one read takes, at the median; `nil` when nothing can be read.
        var reading: Duration?
        /// Who is paired; `nil` when it is not told, as to whoever is not an admin.
        var pairings: [Pairing]?
    }

    var alias: String
    var controller: ControllerIdentifier
    var session: Result<Session, ControllerError>

    /// How often it is read.
    private static let reads = 10

    /// Looks, when the controller that is kept in this folder is paired with who has told this identifier.
    ///
    /// Makes nothing when nothing is kept there.
    static func look(at identifier: String, state folder: String) async -> Result<PairedLook, ControllerError>? {
        guard (try? ControllerStateStore.exists(in: folder)) == true else { return nil }
        do throws(ControllerError) {
            var configuration = ControllerConfiguration()
            configuration.connectionTime = .seconds(3)
            configuration.pairVerifyTime = .seconds(3)
            configuration.requestTime = .seconds(3)
            let controller = try await Controller.open(state: folder, configuration: configuration)
            let look: PairedLook?
            do throws(ControllerError) {
                look = try await self.look(at: identifier, with: controller)
            } catch {
                await controller.close()
                throw error
            }
            await controller.close()
            return look.map { .success($0) }
        } catch {
            return .failure(error)
        }
    }

    private static func look(
        at identifier: String,
        with controller: Controller
    ) async throws(ControllerError) -> PairedLook? {
        let kept = try await controller.pairings()
            .first { $0.deviceID?.text == identifier.uppercased() || $0.alias == identifier }
        guard let kept else { return nil }
        let accessory = try await controller.accessory(kept.alias)
        let session: Result<Session, ControllerError>
        do throws(ControllerError) {
            session = .success(try await measure(accessory))
        } catch {
            session = .failure(error)
        }
        return PairedLook(alias: kept.alias, controller: controller.identity.identifier, session: session)
    }

    private static func measure(_ accessory: PairedAccessory) async throws(ControllerError) -> Session {
        let database = try await accessory.accessories()
        var session = Session(opening: .zero)
        if let id = readable(in: database) {
            // The first one opens the session when the database is known already.
            let first = try await duration(of: id, in: accessory)
            var times: [Duration] = []
            for _ in 0..<reads {
                times.append(try await duration(of: id, in: accessory))
            }
            let median = times.sorted()[times.count / 2]
            session.reading = median
            session.opening = max(first - median, .zero)
        }
        do throws(ControllerError) {
            session.pairings = try await accessory.pairings()
        } catch {
            guard case .refused = error.code else { throw error }
        }
        return session
    }

    private static func duration(
        of id: CharacteristicID,
        in accessory: PairedAccessory
    ) async throws(ControllerError) -> Duration {
        let began = ContinuousClock.now
        _ = try await accessory.read([id])
        return began.duration(to: .now)
    }

    private static func readable(in database: [RemoteAccessory]) -> CharacteristicID? {
        for accessory in database {
            for service in accessory.services {
                for characteristic in service.characteristics where characteristic.permissions.contains(.read) {
                    return CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                }
            }
        }
        return nil
    }
}
