package import AccessoryModel
internal import HAPCore

extension Service {
    /// The commands that a user can give to the device, except for sensor input; they do not depend on its current state.
    package var commands: Set<BehaviorCommand> {
        guard var started = behavior else { return [] }
        let values = self.characteristics.compactMap { characteristic in
            characteristic.value.map { (characteristic.type, $0) }
        }
        let types = self.characteristics.map(\.type)
        _ = started.start(with: Dictionary(values) { first, _ in first }, of: types, at: .zero)
        let button = self.characteristics.first { $0.type == .programmableSwitchEvent }
        let all: [BehaviorCommand] =
            [.stop, .obstruct, .clearObstruction, .plug, .unplug] + ButtonPress.allCases.map { .press($0) }
        return Set(
            all.filter { command in
                var device = started
                guard device.perform(command, at: .zero) != nil else { return false }
                guard case .press(let press) = command, let button else { return true }
                return button.metadata.value(from: .integer(press.rawValue), isStrict: false) != nil
            }
        )
    }

    /// Whether a model changes its values.
    var isSimulated: Bool { behavior != nil }

    /// Returns the declared text of a characteristic; `nil` if it has no text or a blank one.
    func nonBlankText(_ type: CharacteristicType) -> String? {
        let text = self.characteristics.first { $0.type == type }?.value?.string
        return text.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
}
