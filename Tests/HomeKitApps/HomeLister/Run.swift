import HomeKit

/// Runs the lines of the standard input; the only file of the app that knows Linux.
@main
struct Run {
    static func main() async {
        HomeKitSettings.stateFolder = CommandLine.arguments[1]
        var script: [String] = []
        while let line = readLine() { script.append(line) }
        await HomeLister.main(script: script)
    }
}
