import Glibc

/// Runs a benchmark a number of times, under a program that counts the instructions.
///
///     MicroBenchmarks get 1000
///
/// The work runs inside `hap_measured`, so callgrind counts it with `--toggle-collect=hap_measured`. Without arguments,
/// the program prints the names of the benchmarks.
@main
enum MicroBenchmarks {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first else {
            for benchmark in Benchmark.all {
                print(benchmark.name)
            }
            return
        }
        guard let benchmark = Benchmark.all.first(where: { $0.name == name }),
            let iterations = arguments.dropFirst().first.flatMap({ Int($0) }), iterations > 0
        else { throw BenchmarkFailure("MicroBenchmarks NAME ITERATIONS") }
        let work = try benchmark.prepare(iterations)
        try work.run()
        try work.check()
        // The process exits here, because releasing the server now would interrupt its work.
        exit(0)
    }
}
