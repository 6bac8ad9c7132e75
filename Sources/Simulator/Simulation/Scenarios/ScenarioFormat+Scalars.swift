internal import AccessoryModel
internal import Documents
internal import HAPCore

// The file format of single values in scenarios. See `docs/scenarios.md`.

extension Format<SimulationTarget> {
    static let target = Format<String>.text(bytes: 1...1_000)
        .map({ (text: String) in SimulationTarget(text) }, \.text)
        .defined(as: "target")
}

extension Format<ButtonPress> {
    static let press = word(ButtonPress.allCases.map { (ScenarioText.word($0), $0) })
}

extension Format<ControllerAction> {
    static let controllerAction = word(ControllerAction.allCases.map { ($0.rawValue, $0) })
}

extension Format<String> {
    /// A value of a characteristic, as users write it.
    static let value = Format(
        schema: Schema(.init("type", .list(["string", "number", "boolean"]))),
        read: { field, reader in
            if let scalar = field.node.scalar, scalar.meaning != .null { return scalar.text }
            reader.report(field, "\(field.node.kind) is not a value; write one, such as true, 50 or Closed")
            return nil
        },
        write: { DocumentTree(scalar: $0) }
    )
    .defined(as: "value")
}

extension Format<Bool> {
    /// The value of a key that needs no value: it is empty, or `true`.
    static let optionalTrue = Format(
        schema: Schema(.init("enum", .list([.null, .bool(true)]))),
        read: { field, reader in
            switch field.node.scalar?.meaning {
            case .null, .bool(true): return true
            case .bool, .number, .text, nil:
                reader.report(field, "this key takes no value; write true, or only the key")
                return nil
            }
        },
        write: DocumentTree.bool
    )
}

extension Format<Double> {
    static let scale = number(
        in: BehaviorClock.scaleRange,
        "speed",
        remedy: "write a number from 0.001 to 1000000"
    )

    /// A number that values are compared with, with or without a unit.
    static let limit = Format(
        schema: Schema(
            .init("type", .list(["string", "number"])),
            .init("pattern", .text(#"^ *[-+]?(0|[1-9]|\.[0-9])[0-9.eE+-]*[^0-9]*$"#))
        ),
        read: { field, reader in
            if let number = field.node.scalar.flatMap({ JSONNumber(textWithUnit: $0.text) }) { return number.double }
            reader.report(field, "\(field.node.kind) is not a number; write one, such as 21.5")
            return nil
        },
        write: { .number(JSONNumber($0) ?? 0) }
    )
    .defined(as: "limit")
}

extension Format<Duration> {
    /// A duration in one or several units, such as `12s` or `2d 7h 30min`.
    static let compoundDuration: Format = {
        var format = parsed(
            "duration",
            "write it as 12s, 5min or 2d 7h 30min",
            pattern: "^ *[0-9.]+(d|h|min|m|s|ms)( +[0-9.]+(d|h|min|m|s|ms))* *$",
            isWord: true,
            read: DurationText.readSum,
            write: DurationText.writeRounded
        )
        format.read = { [read = format.read] field, reader in
            guard let duration = read(field, &reader) else { return nil }
            guard duration <= Scenario.maximumDuration else {
                reader.report(field, "a scenario lasts ten years at most; write up to 3650d")
                return nil
            }
            return duration
        }
        return format.defined(as: "span")
    }()
}
