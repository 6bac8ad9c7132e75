internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import HomeModel
internal import Hosting
internal import Resources
internal import Simulation

/// An error of the API, as a document with a sentence for people and a code for programs.
///
/// [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
struct Problem: Error, Sendable {
    /// The status of the response.
    var status: WebResponse.Status
    /// The kind of problem, in one word for programs.
    var code: String
    /// A sentence that says what is wrong and what to do.
    var detail: String
    /// The errors in the body of the request, if it has several.
    var diagnostics: [Diagnostic] = []
    /// The file with the errors, unless they are in one that it includes.
    var file: String?
    /// The revision of the file on disk, for an edit of another revision, and for a file that was saved but is not
    /// served.
    var revision: String?
    /// The status of HAP with which an accessory refused a value.
    var hapStatus: HAPStatus?
    /// The methods of the path, for a method that it does not have.
    var allowedMethods: String?

    init(_ status: WebResponse.Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    static let mediaType = "application/problem+json"

    /// The document.
    var body: [UInt8] { JSONWriter.bytes(of: Self.format.write(self)) }

    static let format = Format<Problem>(
        response: "Problem",
        .written("type", \.type, .string, "The URI of the kind of problem; always about:blank."),
        .written("title", \.status.reasonPhrase, .string, "The status in words."),
        .written("status", \.status.code, .count, "The status of the response."),
        .written("code", \.code, .string, "The kind of problem in one word."),
        .written("detail", \.detail, .string, "A sentence that says what is wrong and what to do."),
        .written("errors", \.errors, .list(of: .string), "The errors in the body of the request."),
        .written("diagnostics", \.places, .list(of: DiagnosticResource.format), "The errors with their places."),
        .written("revision", \.revision, .string, "The revision of the file on disk, which the next save names."),
        .written("hapStatus", \.hapStatusCode, .hapStatus, "The HAP status with which the accessory refused a value.")
    )

    private var type: String { "about:blank" }
    private var hapStatusCode: Int? { hapStatus.map { Int($0.rawValue) } }

    private var places: [DiagnosticResource]? {
        diagnostics.isEmpty ? nil : DiagnosticResource.all(diagnostics, in: file)
    }

    private var errors: [String]? {
        guard !diagnostics.isEmpty else { return nil }
        return DiagnosticResource.limited(diagnostics).map(\.pathAndReason)
    }
}

extension Problem {
    static func notFound(_ what: String) -> Problem {
        Problem(.notFound, "not-found", "\(what) does not exist; GET /openapi.json lists all paths.")
    }

    /// An error about an object that the server does not have.
    static func unknown(_ what: String, _ remedy: String) -> Problem {
        Problem(.notFound, "not-found", "There is no such \(what); \(remedy).")
    }

    /// An error about a part of the request.
    static func invalid(_ detail: String) -> Problem {
        Problem(.badRequest, "invalid", detail)
    }

    /// An error about a name in the path that is unknown or ambiguous.
    init(unknown error: HomeError) {
        self.init(.notFound, "unknown-name", error.description)
    }

    /// Converts an error of an operation.
    ///
    /// The text of an error that is not expected here could contain anything, so it is not shown.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as SimulationError: self.init(error)
        case let error as DefinitionFolderError: self.init(error)
        case let error as HostError: self.init(error)
        case let error as HomeError:
            // The code of the error, as in "ambiguous-name".
            let code = error.code.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
            self.init(.unprocessableContent, code, error.description)
        case HomeStoreError.refused(let error): self.init(unknown: error)
        case let error as HomeStoreError: self.init(.internalServerError, "store-failed", error.description)
        case let error as StoreError: self.init(.internalServerError, "store-failed", error.description)
        default:
            self.init(
                .internalServerError,
                "unexpected-error",
                "The request failed because of an unexpected error; try again, and report it if it stays."
            )
        }
    }

    private init(_ error: HostError) {
        let (status, code): (WebResponse.Status, String) =
            switch error.code {
            case .usage: (.notFound, "unknown-name")
            case .fileContent: (.unprocessableContent, "invalid-file")
            case .failed, .refused, .unavailable: (.conflict, "refused")
            }
        self.init(status, code, error.message)
        diagnostics = error.diagnostics
    }

    private init(_ error: SimulationError) {
        let (status, code): (WebResponse.Status, String) =
            switch error.code {
            case .unknownName: (.notFound, "unknown-name")
            case .ambiguousName: (.conflict, "ambiguous-name")
            case .invalidValue: (.unprocessableContent, "invalid-value")
            case .refused: (.conflict, "refused")
            case .invalidTime: (.unprocessableContent, "invalid-time")
            case .cancelled: (.serviceUnavailable, "cancelled")
            }
        self.init(status, code, error.description)
    }
}
