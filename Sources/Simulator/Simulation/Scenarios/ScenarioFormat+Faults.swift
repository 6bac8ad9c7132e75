internal import AccessoryModel
internal import Documents

// The file format of the steps that cause faults and obstructions, and end them. See `docs/scenarios.md`.

extension ObjectFormat<FaultRequest<WrittenReferences>> {
    /// A fault with its arguments.
    static let fault = selected(
        by: "fault",
        "The fault to inject.",
        FaultCatalog.definitions.map { definition in
            let name = definition.name
            return Kind(
                name,
                definition.summary,
                ObjectFormat(
                    definition.parameters.isEmpty
                        ? .refused("with", "\(name) has no parameters; omit this key", [:])
                        : .optional("with", .arguments(of: definition.parameters), "The parameters.", default: [:]),
                    .optional("on", .target, "The object that the fault affects. Default: every server."),
                    definition.occurrence.allowsCount
                        ? .optional("count", .integer(in: 1...1_000_000), "The number of times that the fault acts.")
                        : .refused("count", "\(name) cannot have a count; omit this key", nil),
                    definition.occurrence.allowsDuration
                        ? .optional("lasting", .compoundDuration, "The duration of the fault.")
                        : .refused("lasting", "\(name) cannot have a duration; omit this key", nil),
                    make: { arguments, target, count, duration in
                        FaultRequest(name, arguments: arguments, on: target, count: count, duration: duration)
                    },
                    take: { ($0.arguments, $0.target, $0.count, $0.duration) }
                )
            )
        },
        word: \.name
    )
}

extension ObjectFormat<WrittenAction> {
    private static let obstruction = "obstruction"
    private static let faults = "faults"

    /// The action that ends faults or an obstruction.
    static let clear: ObjectFormat = {
        let names = [obstruction, faults] + FaultCatalog.definitions.map(\.name)
        return ObjectFormat(
            .required("clear", .word(names.map { ($0, $0) }), "What to end: a fault, all faults, or an obstruction."),
            .optional("on", .target, "The object with the fault or the obstruction."),
            make: { name, target throws(ObjectError) in
                guard name == obstruction else { return .clear(fault: name == faults ? nil : name, on: target) }
                guard let target else {
                    throw ObjectError(at: "clear", "the obstructed service is missing; add \"on: SERVICE\"")
                }
                return .command(.clearObstruction, on: target)
            },
            take: { action in
                switch action {
                case .command(.clearObstruction, let target): (obstruction, target)
                case .clear(let name, let target): (name ?? faults, target)
                default: nil
                }
            }
        )
        .requiring(
            JSONSchema.conditional(
                JSONSchema.object(with: "on"),
                when: JSONSchema.object(with: obstruction, under: "clear")
            )
        )
    }()
}
