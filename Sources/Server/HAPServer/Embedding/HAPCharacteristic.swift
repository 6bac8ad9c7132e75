public import AccessoryModel
public import HAPCore

/// A characteristic as a program declares it: its type, its initial value, and how it handles reads and writes.
///
/// ```swift
/// let on = HAPCharacteristic(.on, false)
///     .onWrite { isOn in try await relay.set(isOn) }
/// let temperature = HAPCharacteristic(.currentTemperature, 21.5, range: -40...60)
/// ```
///
/// The type of the values is that of the initial one, here `Bool` and `Double`. The declaration also identifies the
/// characteristic when the program sets a value: `try await server.set(temperature, to: 22.0)`. Copies identify the
/// same characteristic; two calls of an initializer declare two characteristics.
///
/// Nothing is checked before the server starts:
/// ``AccessoryServer/start(_:state:setupCode:port:bindAddress:discovery:logger:metrics:observer:)`` throws all errors
/// of a declaration together.
public struct HAPCharacteristic<Value: CharacteristicConvertible>: Sendable {
    var declared: AnyHAPCharacteristic

    /// Declares a characteristic of Apple's catalog, with the catalog's metadata.
    ///
    /// The value applies to the very first start; later the server starts with the saved one.
    ///
    /// - Parameters:
    ///   - type: The type, such as `.brightness`.
    ///   - value: The initial value. Format `float` requires a `Double`: `0.0`, not `0`.
    ///   - range: The minimum and the maximum, which replace those of the catalog.
    ///   - step: The distance between numbers, counted from the minimum, which replaces that of the catalog.
    ///   - validValues: The only values allowed; empty allows every value in range.
    ///   - permissions: The permissions of controllers, which replace those of the catalog.
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

    /// Declares a characteristic of Apple's catalog that has no value, such as a button or a write-only characteristic.
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
    ///   - uuid: The full type, as `uuidgen` prints it.
    ///   - description: A description for developers of controllers.
    ///   - value: The initial value.
    ///   - format: The format on the wire; `nil` uses the one that fits `Value`: `bool`, `int`, `uint8` … `uint64`,
    ///     `float`, `string`, `data`.
    ///   - unit: The unit of a number.
    ///   - range: The minimum and the maximum; `nil` allows what the format can hold.
    ///   - step: The distance between numbers, counted from the minimum.
    ///   - validValues: The only values allowed; empty allows every value in range.
    ///   - maximumLength: The maximum length of a text in bytes, up to 256; `nil` means 64.
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

    /// Reads the current value whenever a controller requests it.
    ///
    /// Without this closure, a controller reads the value that was last set or written, which costs nothing. Prefer
    /// ``AccessoryServer/set(_:to:)`` if the hardware reports changes.
    ///
    /// The closure may wait; it only delays its own item of the request. After 3 seconds the observer is notified.
    /// After 9 seconds the controller gets −70408, and further reads get −70403 until the closure has returned. Throw a
    /// ``HandlerFailure`` to choose the status; every other error gives −70402.
    public func onRead(_ body: @escaping @Sendable () async throws -> Value) -> HAPCharacteristic {
        var copy = self
        copy.declared.handler.onRead = {
            guard let value = try await body().characteristicValue else { throw HandlerFailure(.unableToPerform) }
            return value
        }
        return copy
    }

    /// Reads the value from the hardware at an interval, and notifies controllers of changes.
    ///
    /// Use it for hardware that is operated by hand and does not report changes. If the closure returns `nil`, the
    /// value does not change. After an error the characteristic keeps its value, and the observer is notified of the
    /// first of consecutive errors. A value that was read before a controller's write has ended is discarded.
    ///
    /// - Parameters:
    ///   - period: The time from a result to the next call, at least a millisecond.
    ///   - body: Reads the value.
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

    /// Applies a value that a controller has written.
    ///
    /// The value is valid: of the right type, in range and on its step. When the closure returns, it becomes the
    /// characteristic's value, and other controllers are notified. Timeouts and errors are as in ``onRead(_:)``; after
    /// an error the characteristic keeps its value.
    ///
    /// The closure is not called for values that the program sets.
    public func onWrite(_ body: @escaping @Sendable (Value) async throws -> Void) -> HAPCharacteristic {
        handled { value, _ in
            try await body(value)
            return nil
        }
    }

    /// Applies a value like ``onWrite(_:)``, and returns the resulting value.
    ///
    /// - Parameter body: Receives the written value, and the authorization data if the characteristic accepts any. It
    ///   returns the new value of the characteristic, or `nil` if that is the written one.
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
                declared.report(.invalid, "only numbers can be listed as valid values; remove validValues")
            }
            declared.characteristic.metadata.validValues = Set(numbers).sorted()
        }
    }
}

/// The interval and the closure for reading hardware that does not report changes.
struct PolledValue: Sendable {
    /// The time from a result to the next call.
    let period: Duration
    /// Reads the current value; `nil` changes nothing.
    let read: @Sendable () async throws -> CharacteristicValue?
}
