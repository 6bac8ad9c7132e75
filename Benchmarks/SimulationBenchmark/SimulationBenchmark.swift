import AccessoryFiles
import AccessoryModel
import Foundation
import HAPCore
import TestSupport

/// Measures a simulated day of many accessories, of the kinds in the gallery, on one core.
///
///     SimulationBenchmark [ACCESSORIES]
///
/// Every hour, every writable characteristic is set alternately to the two ends of its range. The program prints the
/// processor time and the number of changed values. It exits with 1 if 10,000 accessories take 10 s or more, or if a
/// second day with the same seed differs.
@main struct SimulationBenchmark {
    private static let limit = 10.0

    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
        let first = try day(of: count)
        let second = try day(of: count)
        print(
            String(
                format: "a day of %d accessories on %d servers: %.2f s and %.2f s of one core, %d changes",
                count,
                first.servers,
                first.seconds,
                second.seconds,
                first.changes
            )
        )
        guard first.changes == second.changes, first.digest == second.digest else {
            FileHandle.standardError.write(Data("SimulationBenchmark: the second day is another one\n".utf8))
            exit(1)
        }
        exit(min(first.seconds, second.seconds) < limit ? 0 : 1)
    }

    private static func day(of count: Int) throws -> SimulatedDay {
        let kinds = try GalleryFile.all.map { file in
            try AccessoryFile.read(file.bytes, name: file.path, include: GalleryFile.includedFile).document
        }
        var day = SimulatedDay()
        var declared: [Accessory] = []
        for number in 0..<count {
            let kind = kinds[number % kinds.count]
            guard var accessory = kind.makeAccessories(isSimulated: true, seed: UInt64(number)).last else { continue }
            accessory.key += " \(number)"
            accessory.aid = nil
            declared.append(accessory)
            if declared.count == AttributeDatabase.maximumAccessories || number == count - 1 {
                try day.simulate(declared)
                declared = []
            }
        }
        return day
    }
}
