import Simulation

extension Benchmark {
    /// Accepts a connection, verifies a controller on it, and closes it.
    static func verify(iterations: Int) throws -> Benchmark {
        let server = try BenchmarkServer([KilgoGarage.accessory()])
        let handshake = { try BenchmarkHandshake(with: server.server, on: server.loop) }
        var verified = 0
        let run = {
            for _ in 0..<iterations {
                let handshake = try handshake()
                try measured {
                    try handshake.connect()
                    handshake.deliver()
                }
                try expect(try handshake.advance() == nil)
                try measured { handshake.deliver() }
                verified += try handshake.advance() == nil ? 0 : 1
                try measured { handshake.close() }
            }
        }
        return Benchmark(measuringItself: run, check: { try expect(verified == iterations) })
    }
}
