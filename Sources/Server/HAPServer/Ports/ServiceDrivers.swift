package import AccessoryModel
package import HAPCore

/// What performs the writes to the driven services of a server.
package protocol ServiceDrivers: Sendable {
    /// Writes the values that one request has for one accessory, and returns a result for each.
    ///
    /// A value without a result has failed with −70402. After the deadline, the task is canceled, the values have
    /// failed with −70408, and the results are ignored.
    func write(_ request: DriverWriteRequest) async -> [DriverWriteResult]

    /// Takes messages and reports of the simulated device of an accessory, in their order.
    ///
    /// Called on the server's event loop, so it must return quickly.
    ///
    /// - Parameter now: The time of the device.
    func perform(_ effects: [DeviceEffect], ofAccessory key: String, at now: MonotonicInstant)
}

/// The values of one request for one accessory.
package struct DriverWriteRequest: Sendable {
    /// The number of the request, which no other request of the server has.
    package let number: UInt64
    /// The key of the accessory.
    package let accessory: String
    /// The values, each valid for its characteristic; a characteristic occurs once.
    package let writes: [DriverWrite]
    /// The time by which the results must be there.
    package let deadline: MonotonicInstant

    package init(number: UInt64, accessory: String, writes: [DriverWrite], deadline: MonotonicInstant) {
        (self.number, self.accessory, self.writes, self.deadline) = (number, accessory, writes, deadline)
    }
}

/// A value that a controller or the program writes to a driven service.
package struct DriverWrite: Sendable, Hashable {
    package let key: CharacteristicKey
    package let value: CharacteristicValue
    /// The authorization data, if the characteristic accepts any.
    package let authorization: [UInt8]?

    package init(_ key: CharacteristicKey, _ value: CharacteristicValue, authorization: [UInt8]? = nil) {
        (self.key, self.value, self.authorization) = (key, value, authorization)
    }
}

/// What a driver answers to one value.
package struct DriverWriteResult: Sendable, Hashable {
    package let key: CharacteristicKey
    package let status: HAPStatus
    /// The value that the device has taken instead of the written one, or the value of a write-response.
    package let value: CharacteristicValue?

    package init(_ key: CharacteristicKey, _ status: HAPStatus = .success, value: CharacteristicValue? = nil) {
        (self.key, self.status, self.value) = (key, status, value)
    }
}

/// A value that a driver has received from its device, or the press of a button.
package struct DriverReport: Sendable, Hashable {
    package let key: CharacteristicKey
    package let value: CharacteristicValue?

    package init(_ key: CharacteristicKey, _ value: CharacteristicValue?) {
        (self.key, self.value) = (key, value)
    }
}
