/// The body of `GET /accessories` as far as it has been composed.
struct RenderedBody: Sendable {
    /// The JSON of each service with its values, by where it is in the database; empty before the first is composed.
    var services: [[UInt8]?] = []
    /// The whole, once it was put together.
    var body: [UInt8]?

    /// Drops what shows the values of a service, one of which has changed.
    mutating func forget(_ service: Int) {
        guard !services.isEmpty else { return }
        services[service] = nil
        body = nil
    }
}
