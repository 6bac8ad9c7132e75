import Glibc

/// Does one piece of work a number of times, for a program that counts its instructions.
///
///     MicroBenchmarks get 1000
///
/// What happens inside of `hap_measured` is the work; callgrind counts it with `--toggle-collect=hap_measured`.
/// Without arguments the names are printed.
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
        // Nothing is left to be done, and the server would be taken down in the middle of its work.
        exit(0)
    }
}
