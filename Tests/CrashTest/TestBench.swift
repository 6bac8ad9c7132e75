import Foundation
import HAPCore
import TestSupport

/// A garage that is killed again and again, and what must be true of it.
final class TestBench {
    static let setupCode = Fixture.setupCode("031-45-154")

    let folder: String
    let address: String
    var server: ServerUnderTest
    var port: UInt16
    var random: SeededGenerator
    var responseTimes: ResponseTimes
    /// The controllers whose keys we have.
    var controllers: [ControllerIdentifier: ControllerIdentity] = [:]
    /// What the store must hold.
    private(set) var table = PairingTable()
    /// What it may hold as well: one of the changes that were asked for and not acknowledged.
    ///
    /// A proof is counted before it is checked, and a right one clears the count: then there are two.
    private(set) var pending: [PairingChange] = []
    var colors = WriteHistory()
    private(set) var pairing: AccessoryPairing
    private let command: [String]
    private let environment: [String: String]
    private let deviceID: String
    private var controllerCount = 0
    /// What has become of what was asked for since the last start.
    private(set) var tally = Tally()
    private var ids: [String: CharacteristicID] = [:]

    /// Starts a new garage in a new folder.
    ///
    /// - Parameter address: the address that it listens on, which is no other program's.
    init(
        hap: String,
        folder: String,
        address: String,
        random: SeededGenerator,
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
            throw TestFailure("the identity in the store is none")
        }
        return pairing
    }

    /// Starts the server again, without looking.
    func restart() throws {
        unlink(ReadyServer.file(in: folder))
        server = try ServerUnderTest(command, environment: environment, folder: folder)
    }

    /// Starts the server that was killed, and holds it against what was acknowledged; returns how long it took to listen.
    func restartAndCheck(killedAt moment: ContinuousClock.Instant) throws -> Duration {
        let begin = ContinuousClock.now
        try restart()
        let ready = try ReadyServer.wait(for: server, in: folder)
        let took = ContinuousClock.now - begin
        guard ready.deviceID == deviceID else { throw TestFailure("the device ID is another one: \(ready.deviceID)") }
        guard ready.port == port else { throw TestFailure("the port is another one: \(ready.port) and not \(port)") }
        let view = try StoreSnapshot(folder: folder + "/state")
        guard try Self.pairing(view) == pairing else { throw TestFailure("the long-term key is another one") }
        let gone = table
        try resolvePending(view.table)
        guard ready.isPaired == table.isPaired else { throw TestFailure("the server takes itself for paired, or not") }
        guard let admin = admin else { return took }
        let session = try self.session(as: admin)
        let list = try PairingMessages.pairings(in: session.exchange(PairingMessages.list, at: .pairings))
        guard list == table.pairings else { throw TestFailure("the list of pairings is not that of the store") }
        for pairing in table.pairings.suffix(2) where pairing.identifier != admin.identifier {
            if let controller = controllers[pairing.identifier] {
                _ = try self.session(as: controller)
            }
        }
        for pairing in gone.pairings where table[pairing.identifier] == nil {
            guard let controller = controllers[pairing.identifier] else { continue }
            do {
                _ = try self.session(as: controller)
                throw TestFailure("a controller verifies whose pairing was removed")
            } catch is PairingFailure {}
        }
        try checkIDs(session)
        try colors.check(try readColor(session), killedAt: moment)
        return took
    }

    /// Holds what the store has now against what the server believes.
    func checkStore() throws {
        let found = try StoreSnapshot(folder: folder + "/state").table
        guard found == table else {
            throw TestFailure("the store holds \(found.summary); the server answers by \(table.summary)")
        }
    }

    /// What the server has said so far.
    var log: String {
        String(decoding: FileManager.default.contents(atPath: folder + "/log") ?? Data(), as: UTF8.self)
    }

    /// Decides which of the two states that are allowed the store has.
    private func resolvePending(_ found: PairingTable) throws {
        let changed = pending.map { change in
            var changed = table
            changed.apply(change)
            return changed
        }
        guard found == table || changed.contains(found) else {
            let others = changed.map(\.summary).joined(separator: " or ")
            throw TestFailure(
                "the store holds \(found.summary); acknowledged was \(table.summary), and pending \(others)"
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
        guard found == ids else { throw TestFailure("ids are others than before") }
    }

    /// What has become of everything since the last call.
    func consumeTally() -> Tally {
        defer { tally = Tally() }
        return tally
    }

    // MARK: What is asked of it

    /// An admin among the controllers.
    var admin: ControllerIdentity? {
        table.pairings.first(where: \.isAdmin).flatMap { controllers[$0.identifier] }
    }

    func connect(_ strike: KillPoint? = nil) throws -> BlockingClient {
        try BlockingClient(to: ServerEndpoint(address: address, port: port), killPoint: strike)
    }

    /// A session of a controller.
    func session(as controller: ControllerIdentity, _ strike: KillPoint? = nil) throws -> BlockingClient {
        let connection = try connect(strike)
        try connection.verify(as: controller, of: pairing)
        return connection
    }

    /// A controller that the accessory does not know yet.
    func newController() -> ControllerIdentity {
        controllerCount += 1
        let controller = ControllerIdentity.random(identifier: Fixture.identifier("controller \(controllerCount)"))
        controllers[controller.identifier] = controller
        return controller
    }

    /// Says that this change has been asked for.
    func recordRequest(_ change: PairingChange) {
        var result = table
        result.apply(change)
        pending = [result.isPaired || !table.isPaired ? change : .removeAll]
    }

    /// Says that what was asked for has been acknowledged.
    func recordAcknowledgement() {
        guard let change = pending.last else { return }
        table.apply(change)
        pending = []
        tally.acknowledged += 1
    }

    /// Says that what was asked for has been refused, and cannot come into effect any more, but for a proof's count.
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
            case .removeAll, .countFailedProof, .clearFailedProofs: preconditionFailure("no controller can ask for it")
            }
        recordRequest(change)
        if let error = try session.managePairings(message) { throw PairingFailure.refused(error) }
        recordAcknowledgement()
    }

    /// Tries a wrong code.
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

    /// Writes a new color: two characteristics of one request.
    func writeColor(_ session: BlockingClient) throws {
        let (hue, saturation) = try colorIDs(session)
        let color = colors.nextColor()
        let status = try session.write([
            hue: .number(.unsigned(color.hue)), saturation: .number(.unsigned(color.saturation)),
        ])
        guard status == 204 else { throw TestFailure("a write was answered with \(status)") }
        colors.acknowledge()
        tally.acknowledged += 1
    }

    /// The color that the server has.
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
    /// Who is paired, and the count.
    fileprivate var summary: String {
        let names = pairings.map { "\($0.identifier)\($0.isAdmin ? " (admin)" : "")" }
        return "[\(names.joined(separator: ", "))] and \(failedProofs) failed proofs"
    }
}
