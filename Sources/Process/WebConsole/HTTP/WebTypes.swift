internal import HTTPTypes

/// A request to the API, as opposed to a request of HAP.
typealias WebRequest = HTTPTypes.HTTPRequest
/// A response of the API, as opposed to a response of HAP.
typealias WebResponse = HTTPTypes.HTTPResponse

extension HTTPField.Name {
    static let lastEventID = constant("Last-Event-ID")
    static let referrerPolicy = constant("Referrer-Policy")
    static let secFetchSite = constant("Sec-Fetch-Site")

    /// Returns the name of a field that HTTPTypes does not define.
    private static func constant(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not the name of a field") }
        return name
    }
}
