import Cast
import HAPCore
import Testing

/// Queues: their order, what follows, and what senders are told.
struct CastQueueTests {
    private static func item(_ id: String, _ members: JSONObject = [:]) -> JSONValue {
        var object = members
        object["media"] = .object(["contentId": .string(id), "duration": 10])
        return .object(object)
    }

    /// Plays a queue of items with these ids, which get the numbers from 1 on.
    private static func queue(_ ids: String..., members: JSONObject = [:]) -> CastStage {
        let stage = CastStage()
        stage.launch()
        var members = members
        members["items"] = .array(ids.map { item($0) })
        stage.send("QUEUE_LOAD", members)
        _ = stage.take()
        return stage
    }

    private static func content(_ stage: CastStage) -> String? { stage.media.object("media")?.text("contentId") }
    private static func order(_ stage: CastStage) -> [Int]? {
        stage.send("QUEUE_GET_ITEM_IDS")?.integers("itemIds")
    }

    @Test
    func itemsFollowEachOther() throws {
        let stage = Self.queue("a", "b", "c", members: ["startIndex": 1])
        #expect(Self.content(stage) == "b" && stage.media.integer("currentItemId") == 2)
        #expect(stage.media.objects("items")?.compactMap { $0.integer("itemId") } == [1, 2, 3])
        let commands = MediaCommands(rawValue: try #require(stage.media.integer("supportedMediaCommands")))
        #expect(commands.isSuperset(of: [.next, .previous, .shuffle, .repeatAll, .repeatOne]))
        stage.advance(10)
        #expect(Self.content(stage) == "c" && stage.position == 0)
        stage.advance(10)
        #expect(stage.state == nil)
    }

    @Test(arguments: [("REPEAT_SINGLE", "a"), ("REPEAT_ALL", "b")])
    func repeatModes(_ mode: String, _ second: String) {
        let stage = Self.queue("a", "b", members: ["repeatMode": .string(mode)])
        stage.advance(10)
        #expect(Self.content(stage) == second)
        stage.advance(10)
        #expect(Self.content(stage) == "a")
    }

    @Test
    func shufflingKeepsTheItemThatPlays() throws {
        let stage = Self.queue("a", "b", "c", "d", "e", "f", "g", "h")
        stage.send("QUEUE_UPDATE", ["shuffle": true])
        let order = try #require(Self.order(stage))
        #expect(order.first == 1 && order != Array(1...8) && order.sorted() == Array(1...8))
        #expect(stage.media.object("queueData")?.flag("shuffle") == true)
    }

    @Test
    func jumpsAndTheCurrentItem() {
        let stage = Self.queue("a", "b", "c")
        stage.send("QUEUE_UPDATE", ["jump": 1])
        #expect(Self.content(stage) == "b")
        stage.send("QUEUE_UPDATE", ["jump": -1])
        #expect(Self.content(stage) == "a")
        #expect(stage.send("QUEUE_UPDATE", ["jump": -1])?.text("reason") == "INVALID_PARAMS")
        #expect(stage.send("QUEUE_UPDATE", ["jump": 9_223_372_036_854_775_807])?.text("reason") == "INVALID_PARAMS")
        stage.send("QUEUE_UPDATE", ["currentItemId": 3, "currentTime": 4])
        #expect(Self.content(stage) == "c" && stage.position == 4)
        #expect(stage.send("QUEUE_UPDATE", ["currentItemId": 9])?.text("reason") == "INVALID_PARAMS")
    }

    @Test
    func insertingTellsSendersWhere() throws {
        let stage = Self.queue("a", "b")
        stage.send("QUEUE_INSERT", ["items": [Self.item("c")], "insertBefore": 2])
        let change = try #require(stage.take().first { $0.text("type") == "QUEUE_CHANGE" })
        #expect(change.text("changeType") == "INSERT" && change.integers("itemIds") == [3])
        #expect(change.integer("insertBefore") == 2)
        #expect(Self.order(stage) == [1, 3, 2])
        stage.send("QUEUE_INSERT", ["items": [Self.item("d"), Self.item("e")], "currentItemIndex": 1])
        #expect(Self.content(stage) == "e" && Self.order(stage) == [1, 3, 2, 4, 5])
        #expect(stage.send("QUEUE_INSERT")?.text("reason") == "INVALID_PARAMS")
    }

    @Test
    func removingTheItemThatPlaysPlaysTheNextOne() {
        let stage = Self.queue("a", "b", "c", "d")
        stage.send("QUEUE_UPDATE", ["jump": 1])
        stage.send("QUEUE_REMOVE", ["itemIds": [1, 2, 9]])
        #expect(Self.content(stage) == "c" && Self.order(stage) == [3, 4])
        stage.send("QUEUE_REMOVE", ["itemIds": [3, 4]])
        #expect(stage.state == nil)
    }

    @Test
    func reorderingAndUpdatingItems() {
        let stage = Self.queue("a", "b", "c")
        stage.send("QUEUE_REORDER", ["itemIds": [3, 1], "insertBefore": 2])
        #expect(Self.order(stage) == [3, 1, 2])
        stage.send("QUEUE_UPDATE", ["items": [.object(["itemId": 2, "startTime": 5]), .object(["itemId": 9])]])
        let items = stage.send("QUEUE_GET_ITEMS", ["itemIds": [2]])?.objects("items")
        #expect(items?.count == 1 && items?.first?.number("startTime") == 5)
        let range = stage.send("QUEUE_GET_ITEM_RANGE", ["itemId": 1, "nextCount": 1])?.objects("items")
        #expect(range?.compactMap { $0.integer("itemId") } == [1, 2])
        let before = stage.send("QUEUE_GET_ITEM_RANGE", ["itemId": 1, "prevCount": 7])?.objects("items")
        #expect(before?.compactMap { $0.integer("itemId") } == [3, 1])
        #expect(stage.send("QUEUE_GET_ITEM_RANGE", ["itemId": 9])?.text("reason") == "INVALID_PARAMS")
    }

    @Test
    func aQueueThatIsTooLongIsRefused() {
        let stage = CastStage()
        stage.launch()
        let many = Array(repeating: Self.item("a"), count: MediaQueue.maximumCount + 1)
        #expect(stage.send("QUEUE_LOAD", ["items": .array(many)])?.text("reason") == "INVALID_PARAMS")
        stage.send("QUEUE_LOAD", ["items": [Self.item("a")]])
        let large = Self.item("b", ["customData": .string(String(repeating: "x", count: 60_000))])
        var refusals = 0
        for _ in 0..<30 {
            if stage.send("QUEUE_INSERT", ["items": [large]])?.text("reason") == "INVALID_PARAMS" { refusals += 1 }
        }
        #expect(refusals == 13)
    }

    @Test
    func anItemThatBeginsAtItsEndDoesNotRepeatAtOneInstant() {
        var stage = Self.queue("a")
        let item = Self.item("b", ["startTime": 10])
        stage.send("LOAD", ["queueData": .object(["repeatMode": "REPEAT_SINGLE", "items": [item]])])
        #expect(stage.state == nil)
        #expect(stage.take().count < 10)
        stage = Self.queue("a", "b", members: ["repeatMode": "REPEAT_ALL_AND_SHUFFLE"])
        stage.advance(10)
        let last = stage.media.integer("currentItemId")
        stage.advance(10)
        #expect(stage.media.integer("currentItemId") != last)
    }

    @Test
    func nothingIsAnnouncedOfARequestThatIsRefused() {
        let stage = Self.queue("a", "b")
        let items: JSONValue = [.object(["itemId": 1, "startTime": 5])]
        let answer = stage.send("QUEUE_UPDATE", ["items": items, "shuffle": true, "jump": 99])
        #expect(answer?.text("reason") == "INVALID_PARAMS")
        #expect(!stage.take().contains { $0.text("type") == "QUEUE_CHANGE" })
        #expect(stage.media.object("queueData")?.flag("shuffle") == false)
    }

    @Test
    func anItemThatIsTooLongIsRefused() {
        let stage = Self.queue("a")
        let many = JSONObject(uniqueMembers: (0..<100).map { .init(key: "x\($0)", value: 1) })
        stage.send("QUEUE_UPDATE", ["items": [Self.item("a", many)]])
        #expect(stage.media.objects("items")?.first?.members.count == 2)
        let long = JSONValue.object(["media": .object(["contentId": .string(String(repeating: "x", count: 5_000))])])
        #expect(stage.send("QUEUE_INSERT", ["items": [long]])?.text("reason") == "INVALID_PARAMS")
    }

    @Test
    func eachItemHasItsOwnStart() {
        let stage = CastStage()
        stage.launch()
        let items: JSONValue = [
            Self.item("a", ["playbackDuration": 3]), Self.item("b", ["startTime": 4, "autoplay": false]),
        ]
        stage.send("QUEUE_LOAD", ["items": items])
        stage.advance(3)
        #expect(Self.content(stage) == "b" && stage.state == "PAUSED" && stage.position == 4)
    }
}
