internal import HAPCore

extension ServiceKey {
    /// What names the service in the map of ids.
    package var path: String {
        // The slash divides a service from its characteristics: one in a subtype is doubled.
        subtype.isEmpty ? type.uuid.shortened : "\(type.uuid.shortened)#\(subtype.replacing("/", with: "//"))"
    }
}

extension Service {
    /// What names its characteristics in the map of ids, and whether the service has one of the same type before.
    var paths: [(text: String, isRepeated: Bool)] {
        let path = key.path
        var counts: [CharacteristicType: Int] = [:]
        return characteristics.map { characteristic in
            counts[characteristic.type, default: 0] += 1
            let count = counts[characteristic.type] ?? 1
            let text = "\(path)/\(characteristic.type.uuid.shortened)"
            return (count == 1 ? text : "\(text)#\(count)", count > 1)
        }
    }
}
