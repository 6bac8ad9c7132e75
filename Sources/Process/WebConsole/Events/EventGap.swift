package import Documents
internal import Resources

/// The place of events in a stream that this reader was too slow to receive.
package struct EventGap: Sendable {
    var missed: UInt64

    package static let format = Format<EventGap>(
        response: "EventGap",
        .written("kind", \.kind, .word(["gap"]), "Always gap."),
        .written("missed", \.missed, .id, "The number of events that are missing.")
    )

    private var kind: String { "gap" }

    /// The gap as an event of a stream.
    var streamText: String { "event: gap\ndata: \(Self.format.json(self))\n\n" }
}
