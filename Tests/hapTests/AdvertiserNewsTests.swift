import Discovery
import Testing

@testable import hap

struct AdvertiserNewsTests {
    @Test func anOutageIsToldOnceForEachReasonAndAgainAfterItsEnd() {
        let states: [(AdvertiserState, Bool)] = [
            (.registering, true),
            (.unavailable(.noDaemon, retryIn: .seconds(1)), true),
            (.unavailable(.noDaemon, retryIn: .seconds(2)), false),
            (.unavailable(.noBus, retryIn: .seconds(4)), true),
            (.unavailable(.noDaemon, retryIn: .seconds(8)), true),
            (.advertised(name: "Lamp", wished: "Lamp"), true),
            (.unavailable(.noDaemon, retryIn: .seconds(1)), true),
        ]
        var news = AdvertiserNews()
        for (state, isNews) in states {
            #expect(news.isNews(state) == isNews, "\(state)")
        }
    }

    @Test func whoMustAdvertiseHearsOfNoOutageBeforeTheFirstAnnouncement() {
        let states: [(AdvertiserState, Bool)] = [
            (.registering, true),
            (.unavailable(.noDaemon, retryIn: .seconds(1)), false),
            (.advertised(name: "Lamp", wished: "Lamp"), true),
            (.unavailable(.noDaemon, retryIn: .seconds(1)), true),
        ]
        var news = AdvertiserNews(mustAdvertise: true)
        for (state, isNews) in states {
            #expect(news.isNews(state) == isNews, "\(state)")
        }
    }
}
