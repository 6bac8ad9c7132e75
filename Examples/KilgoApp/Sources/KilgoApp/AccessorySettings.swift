import Foundation
import HomeKit

/// A row of the settings screen.
public struct Setting: Identifiable, Hashable, Sendable {
    /// How the user changes the value.
    public enum Control: Hashable, Sendable {
        /// The value is only shown.
        case none
        /// Off or on: 0 or 1.
        case toggle
        /// A choice of a few values.
        case segments([Segment])
        /// A value in a range.
        case slider(ClosedRange<Double>, step: Double)
    }

    /// A choice of a segmented control.
    public struct Segment: Hashable, Sendable {
        /// The value to set.
        public let value: Double
        /// The value in words.
        public let title: String
    }

    /// The identifier of the characteristic.
    public let id: UUID
    /// The label, such as "Brightness".
    public let label: String
    /// The value, or `nil` if it is not known.
    public let value: Double?
    /// The value in words.
    public let text: String
    /// The control.
    public let control: Control
}

/// The screen with the settings of a door or a light.
@MainActor
public final class AccessorySettings {
    /// The type of the time that a light takes to change, which only Kilgo's accessories have.
    static let fadeRate = "7E536242-341C-4862-BE90-272CE15BD633"

    /// The types that the screen shows, in this order.
    ///
    /// The order is our choice: first those of the door, then those of the light.
    static let types = [
        HMCharacteristicTypeTargetDoorState, HMCharacteristicTypeCurrentDoorState,
        HMCharacteristicTypeObstructionDetected, HMCharacteristicTypeTargetLockMechanismState,
        HMCharacteristicTypeCurrentLockMechanismState, HMCharacteristicTypePowerState, HMCharacteristicTypeBrightness,
        HMCharacteristicTypeHue, HMCharacteristicTypeSaturation, fadeRate,
    ]

    /// The error of the last change, or `nil` if it succeeded.
    public private(set) var failure: String?

    private let store: HomeStore
    private let service: HMService
    private var drags: [Setting.ID: Drag] = [:]

    /// A slider that the user moves.
    private struct Drag {
        var position: Double
        /// The last position, while it is not written yet.
        var next: Double?
        var writing: Task<Void, Never>?
    }

    /// Creates the screen of a door or a light.
    public init(_ service: HMService, in store: HomeStore) {
        self.store = store
        self.service = service
    }

    /// Whether the accessory was not removed.
    public var isPresent: Bool { service.accessory != nil }
    /// The name of the door or the light.
    public var name: String { service.name }

    private var characteristics: [HMCharacteristic] { Self.types.compactMap { service.characteristic($0) } }

    /// The settings that the accessory has.
    public var settings: [Setting] {
        characteristics.map { characteristic in
            let position = drags[characteristic.uniqueIdentifier]?.position
            return Setting(
                id: characteristic.uniqueIdentifier,
                label: AppText.label(characteristic),
                value: position ?? (characteristic.value as? NSNumber)?.doubleValue,
                text: position.map { AppText.value($0, of: characteristic) } ?? AppText.value(of: characteristic),
                control: characteristic.control
            )
        }
    }

    /// Sets a switch, a segmented control, or a slider that is not dragged.
    public func set(_ id: Setting.ID, to value: Double) async {
        guard let characteristic = characteristic(id) else { return }
        await write(value, to: characteristic)
        store.notifyObservers()
    }

    /// Moves a slider.
    ///
    /// One write at a time is sent while the slider moves, so positions can be omitted, but not the last one.
    public func slide(_ id: Setting.ID, to value: Double) {
        guard let characteristic = characteristic(id), case .slider(let range, let step) = characteristic.control
        else { return }
        let steps = ((value - range.lowerBound) / step).rounded()
        let position = min(max(range.lowerBound + steps * step, range.lowerBound), range.upperBound)
        drags[id] = Drag(position: position, next: position, writing: drags[id]?.writing)
        if drags[id]?.writing == nil {
            drags[id]?.writing = Task { await writePositions(of: id, to: characteristic) }
        }
        store.notifyObservers()
    }

    /// Waits for the last write of a slider that the user has released, and reads the value.
    public func endSliding(_ id: Setting.ID) async {
        while let writing = drags[id]?.writing { await writing.value }
        try? await characteristic(id)?.readValue()
        // The user may have grabbed the slider again.
        if drags[id]?.writing == nil { drags[id] = nil }
        store.notifyObservers()
    }

    private func writePositions(of id: Setting.ID, to characteristic: HMCharacteristic) async {
        while let position = drags[id]?.next {
            drags[id]?.next = nil
            await write(position, to: characteristic)
        }
        drags[id]?.writing = nil
        store.notifyObservers()
    }

    private func write(_ value: Double, to characteristic: HMCharacteristic) async {
        let isFloat = characteristic.metadata?.format == HMCharacteristicMetadataFormatFloat
        do {
            try await characteristic.writeValue(isFloat ? NSNumber(value: value) : NSNumber(value: Int(value)))
            failure = nil
        } catch {
            failure = AppText.updateError
        }
    }

    private func characteristic(_ id: Setting.ID) -> HMCharacteristic? {
        characteristics.first { $0.uniqueIdentifier == id }
    }
}

extension HMCharacteristic {
    /// The control that suits the format and the limits.
    @MainActor fileprivate var control: Setting.Control {
        guard properties.contains(HMCharacteristicPropertyWritable) else { return .none }
        if metadata?.format == HMCharacteristicMetadataFormatBool { return .toggle }
        let minimum = metadata?.minimumValue?.doubleValue ?? 0
        let maximum = metadata?.maximumValue?.doubleValue ?? 100
        let step = metadata?.stepValue?.doubleValue ?? 1
        guard minimum < maximum, step > 0 else { return .none }
        guard maximum - minimum < 6, step == 1 else { return .slider(minimum...maximum, step: step) }
        return .segments(
            stride(from: minimum, through: maximum, by: step)
                .map { Setting.Segment(value: $0, title: AppText.value($0, of: self)) }
        )
    }
}
