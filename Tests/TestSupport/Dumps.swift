import Foundation

/// Responses to `GET /accessories`, as devices send them.
package enum Dumps {
    /// Three accessories with all known oddities of real devices.
    package static let odd = Array(
        #"""
        {"accessories": [
          {"aid": 6623462389072572, "services": [
            {"iid": 9, "type": "00000089-0000-1000-8000-0026BB765291", "linked": [5], "characteristics": [
              {"iid": 588410585204, "type": "00000073-0000-1000-8000-0026BB765291", "perms": ["pr", "ev"],
               "format": "uint8", "minValue": 0, "maxValue": 0, "minStep": 1, "value": null}]},
            {"iid": 5, "type": "cc", "characteristics": [
              {"iid": 6, "type": "000000cb-0000-1000-8000-0026bb765291", "perms": ["pr"], "format": "uint8", "value": 300}]},
            {"iid": 7, "type": "89", "characteristics": [
              {"iid": 8, "type": "73", "perms": ["ev", "pr"], "format": "uint8", "valid-values": [2, 0], "value": 1}]}]},
          {"aid": 2, "services": [
            {"iid": 3, "type": "3E", "primary": true, "hidden": 0, "characteristics": [
              {"iid": 4, "type": "23", "perms": ["pr"], "format": "string", "maxLen": 256, "value": "Attic"},
              {"iid": 5, "type": "14", "perms": ["pw"], "format": "bool", "ev": false, "value": true}]},
            {"iid": 10, "type": "43", "primary": true, "characteristics": [
              {"iid": 11, "type": "25", "perms": ["pr", "pw", "ev"], "format": "bool", "ev": true, "value": 2},
              {"iid": 12, "type": "8", "perms": ["pr", "pw", "ev", "nfc"], "format": "int", "unit": "percent",
               "minValue": 0, "maxValue": 100, "minStep": 1, "value": 101.5, "broadcast": {"a": [1]}},
              {"iid": 13, "type": "2F", "perms": ["pr", "pw"], "format": "uint8", "minValue": 0, "maxValue": 255,
               "value": "full"},
              {"iid": 14, "type": "CE", "perms": ["pr", "pw"], "format": "uint32", "valid-values-range": [[140, 500]],
               "description": null, "value": 140}]},
            {"iid": 20, "type": "151909d2-3802-11e4-916c-0800200c9a66", "hidden": true, "characteristics": [
              {"iid": 21, "type": "151909D3-3802-11E4-916C-0800200C9A66", "perms": ["pr", "pw"], "format": "tlv8",
               "value": "AAE"},
              {"iid": 22, "type": "151909D4-3802-11E4-916C-0800200C9A66", "perms": ["pr"], "format": "data",
               "maxLen": 8, "value": "AQID"},
              {"iid": 23, "type": "151909D5-3802-11E4-916C-0800200C9A66", "perms": ["pr"], "format": "double",
               "minValue": "low", "value": 21.600000381},
              {"iid": 24, "type": "151909D6-3802-11E4-916C-0800200C9A66", "perms": [], "format": "tlv8",
               "value": null}]}]},
          {"aid": 9007199254740991, "services": [
            {"iid": 9007199254740991, "type": "3E", "characteristics": []}]}
        ]}
        """#
        .utf8
    )

    /// A lamp that lacks required members of characteristics.
    package static let incomplete = Array(
        #"""
        [{"aid": 1, "services": [
          {"type": "3E", "iid": 1, "characteristics": [
            {"iid": 2, "type": "23", "value": "Lamp"}]},
          {"iid": 7, "type": "43", "characteristics": [
            {"type": "25", "value": true},
            {"iid": 9, "type": "151909D3-3802-11E4-916C-0800200C9A66", "value": 3},
            {"iid": 10, "type": "151909D4-3802-11E4-916C-0800200C9A66", "value": -1.5},
            {"iid": 11, "type": "public.hap.characteristic.on", "value": false},
            "no characteristic"]},
          {"iid": 20, "type": "41"}]},
         {"services": []},
         7]
        """#
        .utf8
    )

    /// The dumps of real devices by name, from the folder next to the repository.
    package static let real: [String: [UInt8]] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "../shared/dumps").standardized
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        var dumps: [String: [UInt8]] = [:]
        for file in files where file.pathExtension == "json" {
            dumps[file.lastPathComponent] = (try? Data(contentsOf: file)).map { Array($0) }
        }
        return dumps
    }()
}
