import Discovery

/// An advertiser that only records its calls.
final class RecordingAdvertiser: Advertiser {
    private let journal: Journal

    init(journal: Journal) {
        self.journal = journal
    }

    func start(_ record: ServiceRecord, onState: @escaping @Sendable (AdvertiserState) -> Void) {
        journal.append(.advertised(record))
    }

    func update(_ record: ServiceRecord) {
        journal.append(.advertised(record))
    }

    func withdraw() {
        journal.append(.withdrawn)
    }

    func firstOutcome() async -> AdvertiserState {
        .idle
    }

    func stop() async {
        journal.append(.stopped)
    }
}
