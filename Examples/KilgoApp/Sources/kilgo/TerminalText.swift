import Foundation
import KilgoApp

/// The texts that only the terminal shows; those of the app are in `AppText`.
enum TerminalText {
    static let help = """
        OVERVIEW: Control the garage doors and lights of Kilgo Devices.

        In a terminal, the keys are shown on the screen. Otherwise, standard input has one command on each line, and the
        program ends with status 1 after the first one that fails.

        USAGE: kilgo [--state FOLDER] [--simulate]

        OPTIONS:
          --state FOLDER  The folder of the homes (default: that of hap).
          --simulate      Use a simulated garage in this program instead of accessories on the network.
          -h, --help      Show this help.

        COMMANDS:
          add CODE [ACCESSORY or HOST:PORT]  add an accessory by its setup code; "add" adds the simulated one
          show                               show the doors and lights
          detail NAME                        show the details of one
          settings NAME                      show its settings
          tap NAME                           open or close the door, or turn the light on or off
          set SETTING of NAME to VALUE       change a setting
          slide SETTING of NAME to VALUE     move the slider of a setting
          rename NAME to NAME                rename the door or the light
          room NAME to ROOM                  move it to a room, which is added if necessary
          remove NAME                        remove the accessory from the home
          wait TEXT                          wait until the screen shown last has the text, at most 30 s
          ! COMMAND                          run a command of the simulator, such as: ! obstruct Garage Door.
                                             Simulated time stands still until: ! advance 12s
          quit                               end the program

        EXAMPLE:
          printf 'add\\ntap Garage Door\\nwait Opening\\nshow\\n' | kilgo --simulate
        """

    static let on = "On"
    static let off = "Off"

    // MARK: Keys

    static func hints(_ page: Page, isSimulated: Bool, isQuestion: Bool) -> String {
        if isQuestion { return "return OK  esc cancel" }
        let hints =
            switch page {
            case .tiles: "↑↓ select  space tap  d detail  s settings  a add  q quit"
            case .detail: "r rename  m room  x remove  q back"
            case .settings: "↑↓ select  ←→ change  q back"
            }
        return isSimulated ? hints + "  ! simulator" : hints
    }

    // MARK: Questions

    static let askHome = "Name of your home:"
    static let askName = "New name:"
    static let askSimulator = "Command of the simulator:"

    static func askCode(_ found: [String]) -> String {
        found.count == 1 ? "Setup code of \(found[0]), such as 031-45-154:" : "Setup code, such as 031-45-154:"
    }

    static func askAccessory(_ found: [String]) -> String {
        if found.isEmpty { return "No accessory was found. Its address HOST:PORT:" }
        return "Which one? " + found.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: ", ") + ":"
    }

    static func askRoom(_ rooms: [String]) -> String {
        rooms.isEmpty ? "New room:" : "Room (\(rooms.joined(separator: ", ")), or a new one):"
    }

    static func askRemoval(_ names: [String]) -> String {
        "Remove \(names.joined(separator: " and ")) from the home? Type y:"
    }

    // MARK: Results

    static let searching = "Searching for accessories…"
    static let added = "The accessory was added."

    static func renamed(_ name: String) -> String { "The name is now \(name)." }
    static func moved(_ name: String, _ room: String) -> String { "\(name) is now in \(room)." }
    static func shown(_ text: String) -> String { "Shown: \(text)" }
    static func removed(_ name: String) -> String { "\(name) was removed." }

    // MARK: Errors

    static let noFolder = "--state has no folder: write --state FOLDER."
    static let notLoaded = "The homes were not loaded within 30 s: check the folder of --state."
    static let notSimulated = "The accessories are not simulated: start the program with --simulate."

    private static let examples = [
        "add": "add 031-45-154", "set": "set Fade Rate of Garage Light to 3",
        "slide": "slide Brightness of Garage Light to 40", "rename": "rename Garage Door to Big Door",
        "room": "room Garage Door to Garage", "wait": "wait Opening",
    ]

    static func usage(_ command: String) -> UsageError {
        UsageError("A part of the command is missing: write it as \"\(examples[command] ?? command)\".")
    }

    static func failed(line: Int, _ message: String) -> String { "line \(line): \(message)" }

    static func unknownOption(_ option: String) -> String {
        "\"\(option)\" is not an option: kilgo --help lists the options."
    }

    static func unknownCommand(_ word: String) -> String {
        "\"\(word)\" is not a command: kilgo --help lists the commands."
    }

    static func unknownName(_ name: String, _ known: [String]) -> String {
        let remedy = known.isEmpty ? "add an accessory first" : "use one of: \(known.joined(separator: ", "))"
        return "\"\(name)\" is not in the home: \(remedy)."
    }

    static func unknownSetting(_ label: String, _ name: String, _ labels: [String]) -> String {
        "\"\(label)\" is not a setting of \(name): use one of: \(labels.joined(separator: ", "))."
    }

    static func several(_ names: [String]) -> String {
        "Several accessories were found: write one of them after the code: \(names.joined(separator: ", "))."
    }

    static func notChangeable(_ label: String) -> String { "\(label) only shows a state: change another setting." }
    static func notSlider(_ label: String) -> String { "\(label) has no slider: use \"set\"." }

    static func notInRange(_ text: String, _ label: String, _ range: ClosedRange<Double>) -> String {
        let limits = [range.lowerBound, range.upperBound].map { $0.formatted(.number.grouping(.never)) }
        return "\"\(text)\" is not a value of \(label): use a number from \(limits[0]) to \(limits[1])."
    }

    static func notAnOption(_ text: String, _ label: String, _ options: [String]) -> String {
        "\"\(text)\" is not a value of \(label): use \(options.joined(separator: " or "))."
    }

    static func notShown(_ text: String) -> String {
        "\"\(text)\" was not shown within 30 s: compare it with the screen:"
    }

    static func message(_ error: any Error) -> String {
        (error as? UsageError)?.message ?? (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}
