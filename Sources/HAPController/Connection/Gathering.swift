internal import HAPTransport

/// Gathers the answers to several requests; belongs to one event loop.
final class Gathering {
    private var answers: [ControllerChannelHandler.Answer?]
    private var missing: Int
    private let whenComplete: ([ControllerChannelHandler.Answer]) -> Void

    init(count: Int, whenComplete: @escaping ([ControllerChannelHandler.Answer]) -> Void) {
        answers = Array(repeating: nil, count: count)
        missing = count
        self.whenComplete = whenComplete
    }

    /// Takes the answer to one request, each once.
    func put(_ answer: ControllerChannelHandler.Answer, at position: Int) {
        answers[position] = answer
        missing -= 1
        if missing == 0 {
            whenComplete(answers.compactMap(\.self))
        }
    }
}
