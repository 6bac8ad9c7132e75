import HAPController
import HAPCore

extension SetupInput {
    /// Reads a setup code or the text of a QR code; the text is not repeated in what is thrown.
    init(argument text: String) throws(CommandFailure) {
        if text.uppercased().hasPrefix("X-HM:") {
            guard let payload = SetupPayload(parsing: text) else {
                throw CommandFailure(
                    .usage,
                    "That is no text of a QR code; one is X-HM:// with 13 characters behind it."
                )
            }
            guard payload.setupCode != nil else {
                throw CommandFailure(.usage, "That QR code holds no setup code; give the code as XXX-XX-XXX.")
            }
            self = .payload(payload)
        } else if let code = SetupCode(text) {
            self = .code(code)
        } else {
            throw CommandFailure(.usage, "That is not a setup code; \(ServeSettings.setupCodeForm).")
        }
    }
}
