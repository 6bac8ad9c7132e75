import Discovery
import Testing

@testable import hap

struct AdvertiserStateFilterTests {
    @Test func outageIsReportedOncePerReasonAndAgainAfterItsEnd() {
        let states: [(AdvertiserState, Bool)] = [
            (.registering, true),
            (.unavailable(.noDaemon, retryIn: .seconds(1)), true),
            (.unavailable(.noDaemon, retryIn: .seconds(2)), false),
            (.unavailable(.noBus, retryIn: .seconds(4)), true),
            (.unavailable(.noDaemon, retryIn: .seconds(8)), true),
            (.advertised(name: "Lamp", requested: "Lamp"), true),
            (.unavailable(.noDaemon, retryIn: .seconds(1)), true),
        ]
        var news = AdvertiserStateFilter()
        for (state, isNews) in states {
            #expect(news.isNew(state) == isNews, "\(state)")
        }
    }

    @Test func requiredAdvertiserReportsNoOutageBeforeTheFirstAnnouncement() {
        let states: [(AdvertiserState, Bool)] = [
            (.registering, true),
            (.unavailable(.noDaemon, retryIn: .seconds(1)), false),
            (.advertised(name: "Lamp", requested: "Lamp"), true),
            (.unavailable(.noDaemon, retryIn: .seconds(1)), true),
        ]
        var news = AdvertiserStateFilter(mustAdvertise: true)
        for (state, isNews) in states {
            #expect(news.isNew(state) == isNews, "\(state)")
        }
    }
}
