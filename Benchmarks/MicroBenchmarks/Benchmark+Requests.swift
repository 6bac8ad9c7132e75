import AccessoryModel
import HAPCore
import NIOCore
import NIOEmbedded
import Simulation

extension Benchmark {
    /// Reads the garage's light switch.
    static func get(iterations: Int) throws -> Benchmark {
        let server = try BenchmarkServer([KilgoGarage.accessory()])
        let address = CharacteristicAddress(try server.light())
        let request = HTTPRequest(.get, .characteristics, query: CharacteristicReadRequest([address]).query)
        return try requests(iterations, to: server, answeredWith: 200) { _ in request }
    }

    /// Turns the garage's light on and off alternately.
    static func put(iterations: Int) throws -> Benchmark {
        let server = try BenchmarkServer([KilgoGarage.accessory()])
        let address = CharacteristicAddress(try server.light())
        return try requests(iterations, to: server, answeredWith: 204) { write($0 % 2 == 0, to: address) }
    }

    /// Reads `/accessories` of the garage.
    static func accessories(iterations: Int) throws -> Benchmark {
        try requests(iterations, to: BenchmarkServer([KilgoGarage.accessory()]), answeredWith: 200) { _ in
            HTTPRequest(.get, .accessories)
        }
    }

    /// Reads `/accessories` of a bridge with 149 lamps.
    static func accessoriesOfBridge(iterations: Int) throws -> Benchmark {
        try requests(iterations, to: BenchmarkServer(BenchmarkServer.bridge()), answeredWith: 200) { _ in
            HTTPRequest(.get, .accessories)
        }
    }

    /// Turns the garage's light on and off while another controller is subscribed: a write and its event.
    static func event(iterations: Int) throws -> Benchmark {
        let server = try BenchmarkServer([KilgoGarage.accessory()])
        let address = CharacteristicAddress(try server.light())
        let subscriber = try server.controller()
        let subscription = CharacteristicWriteRequest([CharacteristicWriteItem(address, ev: true)])
        subscriber.deliver(subscriber.sealed(HTTPRequest(.put, .characteristics, body: subscription.body)))
        try expect(try subscriber.takeMessages().map(\.status) == [204])

        let writer = try server.controller()
        let writes = (0...iterations).map { writer.sealed(write($0 % 2 == 0, to: address)) }
        writer.deliver(writes[0])
        try expect(try writer.takeMessages().map(\.status) == [204])
        try expect(try subscriber.takeMessages().map(\.kind) == [.event])
        writer.recordsSentBytes = false
        // Longer than the second that must pass between two event messages.
        let passTime = { server.loop.embedded.advanceTime(by: .seconds(2)) }
        passTime()
        server.waitForSaves(1)
        return Benchmark(
            measuringItself: {
                for index in 1...iterations {
                    try measured {
                        writer.deliver(writes[index])
                        passTime()
                    }
                    server.waitForSaves(index + 1)
                }
            },
            check: {
                let messages = try subscriber.takeMessages()
                try expect(messages.count == iterations && messages.allSatisfy { $0.kind == .event })
            }
        )
    }

    /// Delivers requests of one controller, one after the other.
    private static func requests(
        _ iterations: Int,
        to server: BenchmarkServer,
        answeredWith status: Int,
        _ request: (Int) -> HTTPRequest
    ) throws -> Benchmark {
        let controller = try server.controller()
        let sealed = (0...iterations + 1).map { controller.sealed(request($0)) }
        // Deliver one request that is not counted, because it creates objects that later requests reuse.
        controller.deliver(sealed[0])
        try expect(try controller.takeMessages().map(\.status) == [status])
        controller.recordsSentBytes = false
        return Benchmark(
            run: {
                for request in sealed[1...iterations] {
                    controller.deliver(request)
                }
            },
            check: {
                _ = try controller.takeMessages()
                controller.recordsSentBytes = true
                controller.deliver(sealed[iterations + 1])
            }
        )
    }

    private static func write(_ isOn: Bool, to address: CharacteristicAddress) -> HTTPRequest {
        let request = CharacteristicWriteRequest([CharacteristicWriteItem(address, value: .bool(isOn))])
        return HTTPRequest(.put, .characteristics, body: request.body)
    }
}
