extension Dumps {
    /// A plug whose services have the iids of their first characteristics, as an Eve Energy has.
    package static let sharedIDs = Array(
        #"""
        [{"aid": 1, "services": [
          {"iid": 1, "type": "00001801-0000-1000-8000-00805F9B34FB", "characteristics": []},
          {"iid": 2, "type": "0000003E-0000-1000-8000-0026BB765291", "characteristics": [
            {"iid": 2, "type": "00000023-0000-1000-8000-0026BB765291", "perms": ["pr"], "format": "string",
             "value": "Plug 77C1", "description": "Name", "maxLen": 64},
            {"iid": 3, "type": "00000014-0000-1000-8000-0026BB765291", "perms": ["pw"], "format": "bool"}]},
          {"iid": 29, "type": "00000047-0000-1000-8000-0026BB765291", "linked": [2], "characteristics": [
            {"iid": 29, "type": "00000023-0000-1000-8000-0026BB765291", "perms": ["pr"], "format": "string",
             "value": "Plug"},
            {"iid": 30, "type": "00000025-0000-1000-8000-0026BB765291", "perms": ["pr", "pw", "ev"],
             "format": "bool", "value": true},
            {"iid": 34, "type": "E863F10D-079E-48FF-8F27-9C2605A29F52", "perms": ["pr", "ev"], "format": "float",
             "value": 4.0}]}]}]
        """#
        .utf8
    )

    /// A bulb with types of 32 digits without hyphens, as a Nanoleaf bulb has.
    package static let unhyphenatedTypes = Array(
        #"""
        [{"aid": 1, "services": [
          {"type": "0000003E-0000-1000-8000-0026BB765291", "iid": 1, "characteristics": [
            {"type": "00000023-0000-1000-8000-0026BB765291", "iid": 5, "perms": ["pr"], "format": "string",
             "value": "Bulb 0US9"},
            {"type": "34AB8811AC7F4340BAC3FD6A85F9943B", "iid": 9, "perms": ["pr", "hd"], "format": "string",
             "value": "5.3;fa51b06d"}]},
          {"type": "00000043-0000-1000-8000-0026BB765291", "iid": 48, "characteristics": [
            {"type": "00000025-0000-1000-8000-0026BB765291", "iid": 51, "perms": ["pr", "pw", "ev"],
             "format": "bool", "value": true},
            {"type": "a28e1902cfa14d37a10f0071ceeeeebd", "iid": 60, "perms": ["pr", "pw", "hd"], "format": "data",
             "value": ""}]},
          {"type": "A28E1902CFA14D37A10F0071CEEEEEBE", "iid": 70, "characteristics": []}]}]
        """#
        .utf8
    )

    /// A lamp whose members have other JSON types than HAP requires.
    package static let wrongJSONTypes = Array(
        #"""
        {"aid": "1", "services": {
          "1": {"type": "0000003e", "characteristics":
            {"type": "00000023", "iid": "2", "perms": "pr", "format": "STRING", "value": "Misshapen"}},
          "8": {"type": "43", "linked": ["1", 99], "characteristics": [
            {"iid": 9.0, "type": "25", "perms": null, "format": null, "value": "true"},
            {"iid": 9, "type": "8", "perms": ["pr"], "format": "int", "value": 1},
            {"iid": 18446744073709551615, "type": "8", "perms": ["pr", "pw"], "format": "int", "value": "50",
             "minValue": "100", "maxValue": "0", "valid-values": ["1", "2"]},
            {"iid": -3, "type": "13", "perms": ["pr"], "format": "angle", "value": null},
            {"iid": 36893488147419103232, "type": "CE", "perms": ["pr"], "format": "uint32", "unit": "Mired",
             "value": [1]}]}}}
        """#
        .utf8
    )

    /// Home Assistant's file with three devices, two of which have the same name, and one that it has never reached.
    package static let entityMap: [UInt8] = {
        let (plug, bulb) = (
            String(decoding: sharedIDs, as: UTF8.self), String(decoding: unhyphenatedTypes, as: UTF8.self)
        )
        let text = """
            {"version": 1, "minor_version": 1, "key": "homekit_controller-entity-map", "data": {"pairings": {
            "AA:BB:CC:00:00:01": {"config_num": 3, "broadcast_key": null, "state_num": null, "accessories": \(plug)},
            "AA:BB:CC:00:00:02": {"config_num": 1, "broadcast_key": null, "state_num": 4, "accessories": \(bulb)},
            "AA:BB:CC:00:00:03": {"config_num": 1, "accessories": \(plug)},
            "AA:BB:CC:00:00:04": {"config_num": 0, "accessories": []}}}}
            """
        return Array(text.utf8)
    }()

    /// The file in which homebridge stores its plugins' accessories.
    package static let cachedAccessories = Array(
        #"""
        [{"plugin": "homebridge-lamps", "platform": "Lamps", "displayName": "Desk", "category": 5, "context": {},
          "UUID": "5A2C2B0E-0000-4000-8000-000000000001", "services": [
          {"displayName": "Desk", "UUID": "0000003E-0000-1000-8000-0026BB765291", "hiddenService": false,
           "primaryService": false, "constructorName": "AccessoryInformation", "optionalCharacteristics": [],
           "characteristics": [{"displayName": "Name", "UUID": "00000023-0000-1000-8000-0026BB765291",
            "constructorName": "Name", "eventOnlyCharacteristic": false, "value": "Desk",
            "props": {"format": "string", "perms": ["pr"]}}]}]}]
        """#
        .utf8
    )
}
