import Foundation
import HAPCore
import TestSupport

/// A garage that is killed repeatedly, and the state that it must have.
final class TestBench {
    static let setupCode = Fixture.setupCode("031-45-154")

    let folder: String
    let address: String
    var server: ServerUnderTest
    var port: UInt16
    var random: SeededRandom
    var responseTimes: ResponseTimes
    /// The controllers whose keys the test has.
    var controllers: [ControllerIdentifier: ControllerIdentity] = [:]
    /// The pairings that the store must contain.
    private(set) var table = PairingTable()
    /// The changes that were requested and not acknowledged; the store may contain one of them.
    ///
    /// A proof causes two changes: it is counted before it is checked, and a correct one then clears the count.
    private(set) var pending: [PairingChange] = []
    var colors = WriteHistory()
    private(set) var pairing: AccessoryPairing
    private let command: [String]
    private let environment: [String: String]
    private let deviceID: String
    private var controllerCount = 0
    /// The results of the requests since the last start.
    private(set) var tally = Tally()
    private var ids: [String: CharacteristicID] = [:]

    /// Starts a new garage in a new folder.
    ///
    /// - Parameter address: The address on which it listens; no other program may use it.
    init(
        hap: String,
        folder: String,
        address: String,
        random: SeededRandom,
        responseTimes: ResponseTimes = ResponseTimes(),
        environment: [String: String] = [:]
    ) throws {
        self.environment = environment
        self.folder = folder
        self.address = address
        self.random = random
        self.responseTimes = responseTimes
        command = Self.command(hap: hap, folder: folder, address: address)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        server = try ServerUnderTest(command, environment: environment, folder: folder)
        let ready = try ReadyServer.wait(for: server, in: folder)
        (deviceID, port) = (ready.deviceID, ready.port)
        pairing = try Self.pairing(StoreSnapshot(folder: folder + "/state"))
    }

    static func command(hap: String, folder: String, address: String) -> [String] {
        [
            hap, "serve", "--state", folder + "/state", "--bind", address, "--setup-code", setupCode.text,
            "--advertise", "off", "--ready-file", ReadyServer.file(in: folder), "--config", "/dev/null",
        ]
    }

    private static func pairing(_ view: StoreSnapshot) throws -> AccessoryPairing {
        guard let pairing = AccessoryPairing(identifier: view.deviceID.text.utf8, publicKey: view.publicKey) else {
            throw TestFailure("the identity in the store is not valid")
        }
        return pairing
    }

    /// Restarts the server without any checks.
    func restart() throws {
        unlink(ReadyServer.file(in: folder))
        server = try ServerUnderTest(command, environment: environment, folder: folder)
    }

    /// Restarts a killed server, compares its state with what was acknowledged, and returns the time until it listened.
    func restartAndCheck(killedAt moment: ContinuousClock.Instant) throws -> Duration {
        let begin = ContinuousClock.now
        try restart()
        let ready = try ReadyServer.wait(for: server, in: folder)
        let took = ContinuousClock.now - begin
        guard ready.deviceID == deviceID else { throw TestFailure("the device ID has changed: \(ready.deviceID)") }
        guard ready.port == port else { throw TestFailure("the port has changed from \(port) to \(ready.port)") }
        let view = try StoreSnapshot(folder: folder + "/state")
        guard try Self.pairing(view) == pairing else { throw TestFailure("the long-term key has changed") }
        let gone = table
        try resolvePending(view.table)
        guard ready.isPaired == table.isPaired else { throw TestFailure("the ready file has the wrong isPaired") }
        guard let admin = admin else { return took }
        let session = try self.session(as: admin)
        let list = try PairingMessages.pairings(in: session.exchange(PairingMessages.list, at: .pairings))
        guard list == table.pairings else { throw TestFailure("the server and the store have different pairings") }
        for pairing in table.pairings.suffix(2) where pairing.identifier != admin.identifier {
            if let controller = controllers[pairing.identifier] {
                _ = try self.session(as: controller)
            }
        }
        for pairing in gone.pairings where table[pairing.identifier] == nil {
            guard let controller = controllers[pairing.identifier] else { continue }
            do {
                _ = try self.session(as: controller)
                throw TestFailure("a removed controller can still verify")
            } catch is PairingFailure {}
        }
        try checkIDs(session)
        try colors.check(try readColor(session), killedAt: moment)
        return took
    }

    /// Compares the pairings in the store with those that the server uses.
    func checkStore() throws {
        let found = try StoreSnapshot(folder: folder + "/state").table
        guard found == table else {
            throw TestFailure("the store has \(found.summary); the server has \(table.summary)")
        }
    }

    /// The output of the server so far.
    var log: String {
        String(decoding: FileManager.default.contents(atPath: folder + "/log") ?? Data(), as: UTF8.self)
    }

    /// Determines which of the allowed states the store has.
    private func resolvePending(_ found: PairingTable) throws {
        let changed = pending.map { change in
            var changed = table
            changed.apply(change)
            return changed
        }
        guard found == table || changed.contains(found) else {
            let others = changed.map(\.summary).joined(separator: " or ")
            throw TestFailure(
                "the store has \(found.summary); acknowledged: \(table.summary); pending: \(others)"
            )
        }
        if changed.contains(where: { $0 != table }) {
            if found == table { tally.absent += 1 } else { tally.stored += 1 }
        }
        table = found
        pending = []
    }

    private func checkIDs(_ session: BlockingClient) throws {
        let found = try session.characteristicIDs()
        if ids.isEmpty { ids = found }
        guard found == ids else { throw TestFailure("the ids have changed") }
    }

    /// Returns the results since the last call.
    func consumeTally() -> Tally {
        defer { tally = Tally() }
        return tally
    }

    // MARK: Requests

    /// A controller with admin permission, if there is one.
    var admin: ControllerIdentity? {
        table.pairings.first(where: \.isAdmin).flatMap { controllers[$0.identifier] }
    }

    func connect(_ strike: KillPoint? = nil) throws -> BlockingClient {
        try BlockingClient(to: ServerEndpoint(address: address, port: port), killPoint: strike)
    }

    /// Opens a session of a controller.
    func session(as controller: ControllerIdentity, _ strike: KillPoint? = nil) throws -> BlockingClient {
        let connection = try connect(strike)
        try connection.verify(as: controller, of: pairing)
        return connection
    }

    /// Creates a controller that the accessory does not know yet.
    func newController() -> ControllerIdentity {
        controllerCount += 1
        let controller = ControllerIdentity.random(identifier: Fixture.identifier("controller \(controllerCount)"))
        controllers[controller.identifier] = controller
        return controller
    }

    /// Records that a change was requested.
    func recordRequest(_ change: PairingChange) {
        var result = table
        result.apply(change)
        pending = [result.isPaired || !table.isPaired ? change : .removeAll]
    }

    /// Records that the requested change was acknowledged.
    func recordAcknowledgement() {
        guard let change = pending.last else { return }
        table.apply(change)
        pending = []
        tally.acknowledged += 1
    }

    /// Records that the requested change was refused, and can no longer take effect, except for the count of a proof.
    func recordRefusal() throws {
        guard pending.contains(.countFailedProof) else {
            pending = []
            return
        }
        try resolvePending(StoreSnapshot(folder: folder + "/state").table)
    }

    func pair(_ strike: KillPoint? = nil) throws {
        let controller = newController()
        let connection = try connect(strike)
        _ = try connection.pair(as: controller, code: Self.setupCode) { message in
            switch message {
            case 3: pending = [.countFailedProof, .clearFailedProofs]
            case 5:
                recordRequest(
                    .put(Pairing(identifier: controller.identifier, publicKey: controller.publicKey, isAdmin: true))
                )
            case 4, 6: recordAcknowledgement()
            default: break
            }
        }
    }

    /// Adds, changes or removes a pairing.
    func manage(_ change: PairingChange, in session: BlockingClient) throws {
        let message =
            switch change {
            case .put(let pairing): PairingMessages.add(pairing)
            case .remove(let identifier): PairingMessages.remove(identifier)
            case .removeAll, .countFailedProof, .clearFailedProofs: preconditionFailure("not a controller's request")
            }
        recordRequest(change)
        if let error = try session.managePairings(message) { throw PairingFailure.refused(error) }
        recordAcknowledgement()
    }

    /// Tries a wrong setup code.
    func tryWrongCode(_ connection: BlockingClient) throws {
        do {
            _ = try connection.pair(as: newController(), code: Fixture.setupCode("111-22-333")) { message in
                if message == 3 { recordRequest(.countFailedProof) }
            }
            throw TestFailure("a wrong setup code was accepted")
        } catch PairingFailure.refused(.authentication) {
            recordAcknowledgement()
        }
    }

    /// Writes a new color: two characteristics in one request.
    func writeColor(_ session: BlockingClient) throws {
        let (hue, saturation) = try colorIDs(session)
        let color = colors.nextColor()
        let status = try session.write([
            hue: .number(.unsigned(color.hue)), saturation: .number(.unsigned(color.saturation)),
        ])
        guard status == 204 else { throw TestFailure("a write returned status \(status)") }
        colors.acknowledge()
        tally.acknowledged += 1
    }

    /// Returns the color that the server has.
    func readColor(_ session: BlockingClient) throws -> WriteHistory.Color {
        let (hue, saturation) = try colorIDs(session)
        let values = try session.read([hue, saturation])
        guard let hue = values[hue]?.unsigned, let saturation = values[saturation]?.unsigned else {
            throw TestFailure("the light has no color")
        }
        return WriteHistory.Color(hue: hue, saturation: saturation)
    }

    private func colorIDs(_ session: BlockingClient) throws -> (hue: CharacteristicID, saturation: CharacteristicID) {
        if ids.isEmpty { try checkIDs(session) }
        guard let hue = ids["1/43/13"], let saturation = ids["1/43/2F"] else {
            throw TestFailure("the light has no color")
        }
        return (hue, saturation)
    }
}

extension PairingTable {
    /// The paired controllers and the number of failed proofs.
    fileprivate var summary: String {
        let names = pairings.map { "\($0.identifier)\($0.isAdmin ? " (admin)" : "")" }
        return "[\(names.joined(separator: ", "))] and \(failedProofs) failed proofs"
    }
}
