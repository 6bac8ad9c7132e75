public import AccessoryModel
public import HAPCore

/// One property of a service as a program declares it: its type, its first value, and what reading and writing it does.
///
/// ```swift
/// let on = HAPCharacteristic(.on, false)
///     .onWrite { isOn in try await relay.set(isOn) }
/// let temperature = HAPCharacteristic(.currentTemperature, 21.5, range: -40...60)
/// ```
///
/// The type of the values comes from the first one, here `Bool` and `Double`. The declaration is also the name by which
/// the program tells the server a new value: `try await server.set(temperature, to: 22.0)`. Copies name the same
/// characteristic; two calls of an initializer make two.
///
/// Nothing is checked before the server starts: ``AccessoryServer/start(_:state:setupCode:port:bindAddress:discovery:logger:metrics:observer:)``
/// throws all that is wrong with a declaration together.
public struct HAPCharacteristic<Value: CharacteristicConvertible>: Sendable {
    var declared: AnyHAPCharacteristic

    /// Declares a characteristic of Apple's catalog, with what the catalog says of it.
    ///
    /// The value is that of the very first start; later the server begins with the one that was kept.
    ///
    /// - Parameters:
    ///   - type: What it means, such as `.brightness`.
    ///   - value: The first value. Format `float` takes a `Double`: `0.0`, not `0`.
    ///   - range: The least and the greatest number, in place of the catalog's.
    ///   - step: The distance between numbers, counted from the least, in place of the catalog's.
    ///   - validValues: The only values allowed; empty means every value in range.
    ///   - permissions: What a controller may do, in place of the catalog's.
    public init(
        _ type: CharacteristicType,
        _ value: Value,
        range: ClosedRange<JSONNumber>? = nil,
        step: JSONNumber? = nil,
        validValues: [Value] = [],
        permissions: CharacteristicPermissions? = nil
    ) {
        self.init(catalogType: type)
        setInitialValue(value)
        constrain(range, step: step, validValues: validValues, permissions: permissions)
    }

    /// Declares a characteristic of Apple's catalog that has no value: a button, or what can only be written.
    ///
    /// ```swift
    /// let button = HAPCharacteristic(.programmableSwitchEvent, of: Int.self, validValues: [0])
    /// ```
    public init(
        _ type: CharacteristicType,
        of: Value.Type,
        range: ClosedRange<JSONNumber>? = nil,
        step: JSONNumber? = nil,
        validValues: [Value] = [],
        permissions: CharacteristicPermissions? = nil
    ) {
        self.init(catalogType: type)
        constrain(range, step: step, validValues: validValues, permissions: permissions)
    }

    /// Declares a characteristic of your own.
    ///
    /// ```swift
    /// let fadeRate = HAPCharacteristic(
    ///     custom: "7E536242-341C-4862-BE90-272CE15BD633", "Fade Rate", 1.0,
    ///     unit: .seconds, range: 0...10, step: 0.5
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - uuid: The type in full, as `uuidgen` draws it.
    ///   - description: What a controller's developer reads.
    ///   - value: The first value.
    ///   - format: How values travel; `nil` takes what fits `Value`: `bool`, `int`, `uint8` … `uint64`, `float`, `string`,
    ///     `data`.
    ///   - unit: The unit of a number.
    ///   - range: The least and the greatest number; `nil` means what the format holds.
    ///   - step: The distance between numbers, counted from the least.
    ///   - validValues: The only values allowed; empty means every value in range.
    ///   - maximumLength: The greatest length of a text in bytes; `nil` means 64, and 256 is the most.
    ///   - permissions: What a controller may do.
    public init(
        custom uuid: String,
        _ description: String,
        _ value: Value,
        format: CharacteristicFormat? = nil,
        unit: CharacteristicUnit? = nil,
        range: ClosedRange<JSONNumber>? = nil,
        step: JSONNumber? = nil,
        validValues: [Value] = [],
        maximumLength: Int? = nil,
        permissions: CharacteristicPermissions = [.read, .write, .events]
    ) {
        let known = HAPUUID(uuid)
        let characteristic = Characteristic(
            type: CharacteristicType(known ?? HAPUUID(high: 0, low: 0)),
            permissions: permissions,
            metadata: CharacteristicMetadata(
                format: format ?? Value.characteristicFormats.first ?? .data,
                unit: unit,
                maximumLength: maximumLength
            ),
            description: description
        )
        declared = AnyHAPCharacteristic(characteristic, of: Value.self)
        if known == nil {
            declared.name = description
            declared.report(.invalid, "\"\(uuid)\" is not a UUID; write 36 characters as uuidgen prints them")
        }
        setInitialValue(value)
        constrain(range, step: step, validValues: validValues, permissions: nil)
    }

    /// Fetches the present value whenever a controller asks for it.
    ///
    /// Without it a controller reads the value that was set or written last, which costs nothing: prefer
    /// ``AccessoryServer/set(_:to:)`` where the hardware tells of changes by itself.
    ///
    /// The closure may take its time, and delays its own item of the request alone: after 3 seconds the observer is told,
    /// after 9 the controller gets −70408, and who asks before the closure has returned gets −70403. It throws a
    /// ``HandlerFailure`` to choose the status, and every other error gives −70402.
    public func onRead(_ body: @escaping @Sendable () async throws -> Value) -> HAPCharacteristic {
        var copy = self
        copy.declared.handler.onRead = {
            guard let value = try await body().characteristicValue else { throw HandlerFailure(.unableToPerform) }
            return value
        }
        return copy
    }

    /// Asks the hardware for the present value again and again, and tells controllers when it is another one.
    ///
    /// For hardware that is changed by hand and does not tell. A closure that returns `nil` says nothing; an error leaves
    /// the value, and the observer is told of the first in a row. An answer that a controller's write has overtaken is not
    /// taken.
    ///
    /// - Parameters:
    ///   - period: The time from an answer to the next question, at least a millisecond.
    ///   - body: Fetches the value.
    public func polled(
        every period: Duration,
        _ body: @escaping @Sendable () async throws -> Value?
    ) -> HAPCharacteristic {
        var copy = self
        copy.declared.polledValue = PolledValue(period: max(period, .milliseconds(1))) {
            guard let value = try await body() else { return nil }
            guard let converted = value.characteristicValue else { throw HandlerFailure(.unableToPerform) }
            return converted
        }
        return copy
    }

    /// Puts a value that a controller has written into effect.
    ///
    /// The value is valid: of the right type, in range and on its step. It becomes the characteristic's value, and other
    /// controllers are told, when the closure returns. Time and errors are as with ``onRead(_:)``; after an error the
    /// characteristic keeps the value it had.
    ///
    /// Values that the program itself sets do not come here.
    public func onWrite(_ body: @escaping @Sendable (Value) async throws -> Void) -> HAPCharacteristic {
        handled { value, _ in
            try await body(value)
            return nil
        }
    }

    /// Puts a value into effect as ``onWrite(_:)`` does, and says which one came of it.
    ///
    /// - Parameter body: Takes the value that was written, and the authorization data when the characteristic takes any.
    ///   It returns the value that the characteristic has now, or `nil` when that is the written one.
    public func handled(
        _ body: @escaping @Sendable (_ value: Value, _ authorization: [UInt8]?) async throws -> Value?
    ) -> HAPCharacteristic {
        var copy = self
        copy.declared.handler.onWrite = { value, authorization in
            guard let written = Value(characteristicValue: value) else { throw HandlerFailure(.invalidValue) }
            guard let result = try await body(written, authorization) else { return nil }
            guard let settled = result.characteristicValue else { throw HandlerFailure(.unableToPerform) }
            return settled
        }
        return copy
    }

    private init(catalogType type: CharacteristicType) {
        if let definition = Catalog.characteristic(type) {
            declared = AnyHAPCharacteristic(Characteristic(definition), of: Value.self)
        } else {
            let format = Value.characteristicFormats.first ?? .data
            let metadata = CharacteristicMetadata(format: format)
            let characteristic = Characteristic(type: type, permissions: [.read], metadata: metadata)
            declared = AnyHAPCharacteristic(characteristic, of: Value.self)
            declared.report(.invalid, "Apple's catalog does not have this type; declare it with custom: and its UUID")
        }
    }

    private mutating func setInitialValue(_ value: Value) {
        declared.characteristic.value = value.characteristicValue
        if declared.characteristic.value == nil {
            declared.report(.invalid, "\(value) is not a value of a characteristic; write a finite number")
        }
    }

    private mutating func constrain(
        _ range: ClosedRange<JSONNumber>?,
        step: JSONNumber?,
        validValues: [Value],
        permissions: CharacteristicPermissions?
    ) {
        if let range {
            declared.characteristic.metadata.minimum = range.lowerBound
            declared.characteristic.metadata.maximum = range.upperBound
        }
        declared.characteristic.metadata.step = step ?? declared.characteristic.metadata.step
        declared.characteristic.permissions = permissions ?? declared.characteristic.permissions
        if !validValues.isEmpty {
            let numbers = validValues.compactMap { $0.characteristicValue?.number }
            if numbers.count < validValues.count {
                declared.report(.invalid, "only numbers can be listed as valid values; leave validValues away")
            }
            declared.characteristic.metadata.validValues = Set(numbers).sorted()
        }
    }
}

/// Hardware that does not speak up by itself: how often it is asked, and how.
struct PolledValue: Sendable {
    /// The time from an answer to the next question.
    let period: Duration
    /// Fetches the present value; `nil` says nothing.
    let read: @Sendable () async throws -> CharacteristicValue?
}
