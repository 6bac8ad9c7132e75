internal import Documents
internal import HAPCore
internal import Resources

extension Console {
    /// Passes each event as a line of JSON to a function, from the first known one on, until the task is cancelled.
    package func followEvents(_ receive: (String) -> Void) async {
        var position: UInt64 = 0
        while !Task.isCancelled {
            let (events, missed) = journal.events(after: position, limit: 1_000)
            if missed > 0 { receive(EventGap.format.json(EventGap(missed: missed))) }
            for event in events {
                position = event.id
                receive(EventResource.format.json(report(of: event)))
            }
            await journal.waitForEvents(after: position)
        }
    }
}
