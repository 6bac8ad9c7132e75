/// A gate that blocks its callers until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        for continuation in waiting {
            continuation.resume()
        }
        waiting = []
    }

    func waitUntilOpen() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
