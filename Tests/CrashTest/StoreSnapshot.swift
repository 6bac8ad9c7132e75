import Foundation
import GRDB
import HAPCore
import TestSupport

/// The contents of the database of a state folder, read while the server has it open.
struct StoreSnapshot {
    /// The ids by owner: accessories by key, and objects by accessory and path.
    var ids: [String: Int64] = [:]
    var deviceID: DeviceID
    var publicKey: Ed25519PublicKey
    var table: PairingTable
    var configurationNumber: Int64

    /// Reads the database and checks the integrity of the whole file.
    init(folder: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: folder + "/hap.sqlite", configuration: configuration)
        self = try queue.read { db in
            let report = try String.fetchAll(db, sql: "PRAGMA integrity_check")
            guard report == ["ok"] else { throw TestFailure("integrity_check found \(report.joined(separator: "; "))") }
            guard try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty else {
                throw TestFailure("a row refers to a server that does not exist")
            }
            return try StoreSnapshot(db)
        }
        try queue.close()
    }

    private init(_ db: Database) throws {
        guard let server = try Row.fetchOne(db, sql: "SELECT id, failed_proofs FROM server"),
            let identity = try Row.fetchOne(db, sql: "SELECT device_id, seed FROM identity"),
            let deviceID = DeviceID(identity["device_id"] as String)
        else { throw TestFailure("the store has no identity") }
        let seed: Data = identity["seed"]
        self.deviceID = deviceID
        publicKey = Ed25519SigningKey(seed: SecretBytes(copying: seed)).publicKey
        let rows = try Row.fetchAll(db, sql: "SELECT identifier, public_key, admin FROM pairing ORDER BY id")
        let pairings = try rows.map { row in
            guard let identifier = ControllerIdentifier(row["identifier"] as Data),
                let key = Ed25519PublicKey(Array(row["public_key"] as Data))
            else { throw TestFailure("a pairing in the store is not valid") }
            return Pairing(identifier: identifier, publicKey: key, isAdmin: row["admin"])
        }
        table = PairingTable(pairings: pairings, failedProofs: server["failed_proofs"])
        configurationNumber = try Int64.fetchOne(db, sql: "SELECT number FROM configuration") ?? 0
        for row in try Row.fetchAll(db, sql: "SELECT accessory_key, aid FROM accessory") {
            ids[row["accessory_key"]] = row["aid"]
        }
        for row in try Row.fetchAll(db, sql: "SELECT aid, path, iid FROM object") {
            ids["\(row["aid"] as Int64)/\(row["path"] as String)"] = row["iid"]
        }
        let objects = try Row.fetchAll(db, sql: "SELECT 1 FROM object GROUP BY server, aid, iid HAVING COUNT(*) > 1")
        let accessories = try Row.fetchAll(db, sql: "SELECT 1 FROM accessory GROUP BY server, aid HAVING COUNT(*) > 1")
        guard objects.isEmpty, accessories.isEmpty else { throw TestFailure("an id was assigned twice") }
    }
}
