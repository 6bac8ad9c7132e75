package import Documents
internal import HAPCore

// The file format of what scenarios do with drivers, and expect of them. See `docs/scenarios.md`.

extension Format<[String: String]> {
    /// A map from any names to texts, numbers or Booleans.
    package static let details = Format(
        schema: Schema(
            .init("type", "object"),
            .init("additionalProperties", .inlineMap([.init("type", .list(["string", "number", "boolean"]))]))
        ),
        read: { field, reader in
            guard let members = field.node.mapping else {
                reader.report(field, "\(field.node.kind) is not a map; write names with their values")
                return nil
            }
            var details: [String: String] = [:]
            for member in members {
                details[member.key] = Format<String>.value.read(field.member(member), &reader)
            }
            return details
        },
        write: { details in
            .inlineMap(details.sorted { $0.key < $1.key }.map { .init($0.key, DocumentTree(scalar: $0.value)) })
        }
    )
}

/// An event of a driver that a scenario expects.
private struct DriverExpectation: Sendable, Equatable {
    var device = SimulationTarget("")
    var event = ""
    var details: [String: String] = [:]
    var limit: Duration

    var expectation: ScenarioExpectation.Event { .driver(device, event, details) }
}

extension Format<ScenarioExpectation> {
    /// Returns the same format, with another form for the event of a driver, which begins with its device.
    ///
    /// The names of details that the drivers of this program declare are keys of their own.
    func orDriverEvent(within limit: Duration, isForbidden: Bool) -> Format {
        let features = DriverCatalog.definitions.flatMap(\.eventFields)
        let names = Set(features).subtracting(["device", "event", "with", "within"]).sorted()
        let fields: [Property<DriverExpectation>] =
            [
                .required("device", \.device, .target, "The accessory with the driver."),
                .required("event", \.event, .text(bytes: 1...256), "The event that its driver reports."),
            ] + names.map { .optional($0, \.details[$0], Format<String>.value, "A detail of the event.") }
            + [
                .custom(
                    "with",
                    "The details that the event has, by their names.",
                    schema: Format<[String: String]>.details.schema,
                    read: { field, event, reader in
                        guard let details = Format<[String: String]>.details.read(field, &reader) else { return }
                        event.details.merge(details) { $1 }
                    },
                    write: { event, _ in
                        let others = event.details.filter { !names.contains($0.key) }
                        return others.isEmpty ? nil : Format<[String: String]>.details.write(others)
                    }
                ),
                .defaulted("within", \.limit, .compoundDuration, "The time limit."),
            ]
        let event = ObjectFormat(DriverExpectation(limit: limit), fields).format(isInline: true)
        return orShorthand(
            event,
            when: { node in node.mapping?.contains { $0.key == "device" } ?? false },
            make: { ScenarioExpectation($0.expectation, within: $0.limit, isForbidden: isForbidden) },
            take: { expectation in
                guard case .driver(let device, let event, let details) = expectation.event else { return nil }
                return DriverExpectation(device: device, event: event, details: details, limit: expectation.limit)
            }
        )
    }
}
