import AccessoryFiles
import AccessoryModel
import Documents
import Simulation
import Testing

/// Tests the commands that a user types at the prompt.
struct PromptCommandTests {
    private func names() throws -> SimulationNames {
        let garage = KilgoGarage.accessory(number: 1)
        return try SimulationNames(unstarted: [(garage.key, [garage], false)])
    }

    private static let understood: [(line: String, command: PromptCommand)] = [
        ("", .empty), ("  ", .empty), ("help", .help()), ("help clear", .help("clear")), ("help faults", .faults),
        ("quit", .quit), ("exit", .quit),
        ("show", .show(nil)),
        ("show Garage Door", .show(SimulationTarget("Garage Door"))),
        ("set Target Door State to Open", .perform(.set(SimulationTarget("Target Door State"), to: "Open"))),
        ("set Target Door State Open", .perform(.set(SimulationTarget("Target Door State"), to: "Open"))),
        ("set Target Door State=Open", .perform(.set(SimulationTarget("Target Door State"), to: "Open"))),
        ("stop Garage Door", .perform(.command(.stop, on: SimulationTarget("Garage Door")))),
        ("press Bell double", .perform(.command(.press(.double), on: SimulationTarget("Bell")))),
        ("clear obstruction Garage Door", .perform(.command(.clearObstruction, on: SimulationTarget("Garage Door")))),
        (
            "clear obstruction on Garage Door",
            .perform(.command(.clearObstruction, on: SimulationTarget("Garage Door")))
        ),
        ("clear", .perform(.clear(fault: nil, on: nil))), ("clear faults", .perform(.clear(fault: nil, on: nil))),
        ("clear on Garage Door", .perform(.clear(fault: nil, on: SimulationTarget("Garage Door")))),
        ("clear faults on Garage Door", .perform(.clear(fault: nil, on: SimulationTarget("Garage Door")))),
        ("clear latency on Garage Door", .perform(.clear(fault: "latency", on: SimulationTarget("Garage Door")))),
        ("advance 1h 30min", .perform(.advance(.seconds(5_400)))), ("scale 60", .perform(.scale(60))),
        ("pause", .perform(.pause)),
        ("ask TV quit", .perform(.act(DriverAction("quit"), on: SimulationTarget("TV")))),
        (
            "ask Living Room load contentId=http://a.b/c?d=e title=The Film = Part 2 duration=1h 30min",
            .perform(
                .act(
                    DriverAction(
                        "load",
                        ["contentId": "http://a.b/c?d=e", "title": "The Film = Part 2", "duration": "1h 30min"]
                    ),
                    on: SimulationTarget("Living Room")
                )
            )
        ),
        (
            "fault latency on Garage Door delay=2s times 3 for 1min",
            .perform(
                .fault(
                    FaultRequest(
                        "latency",
                        arguments: ["delay": .duration(.seconds(2))],
                        on: SimulationTarget("Garage Door"),
                        count: 3,
                        duration: .seconds(60)
                    )
                )
            )
        ),
    ]

    @Test
    func nameMayContainTheKeywordBeforeTheValue() throws {
        let text = "accessory: A\nservices: [{ type: Switch, name: Door to = Garden }]\n"
        let reading = try AccessoryFile.read(Array(text.utf8), name: "a.yaml")
        let accessories = reading.document.makeAccessories(isSimulated: true)
        let names = try SimulationNames(unstarted: [("A", accessories, false)])
        let action = WrittenAction.set(SimulationTarget("Door to = Garden/On"), to: "true")
        for line in ["set Door to = Garden/On to true", "set Door to = Garden/On=true", "set Door to = Garden/On true"]
        {
            #expect(try PromptCommand(line, names) == .perform(action))
        }
    }

    @Test
    func faultDurationMayHaveSeveralWords() throws {
        let request = FaultRequest<WrittenReferences>(
            "latency",
            on: SimulationTarget("Garage Door"),
            duration: .seconds(5_400)
        )
        #expect(try PromptCommand("fault latency for 1h 30min on Garage Door", names()) == .perform(.fault(request)))
    }

    @Test(arguments: understood.indices)
    func lineIsParsed(index: Int) throws {
        #expect(try PromptCommand(Self.understood[index].line, names()) == Self.understood[index].command)
    }

    @Test(arguments: [
        ("opne", "no command"), ("stp", "stop"), ("set", "to VALUE"), ("stop", "name is missing"), ("advance 5", "12s"),
        ("scale fast", "scale 60"), ("fault", "No fault"), ("fault latncy", "latency"),
        ("fault latency dely=1s", "delay"),
        ("fault latency delay=never", "from 0s to 1h"), ("fault status code=-70401", "from -70412 to -70402"),
        ("fault statusFlag flags=1.\(String(repeating: "0", count: 255))", "too long"),
        ("fault latency for 9999d", "not understood"), ("fault latency now", "not understood"),
        ("fault status on", "A name is missing"), ("fault status on times 3", "A name is missing"),
        ("clear latncy", "latency"), ("clear latency on", "A name is missing"), ("clear on", "A name is missing"),
        ("clear obstruction", "clear obstruction Garage Door"), ("clear obstruction on", "A name is missing"),
    ])
    func unparsableLineIsRefusedWithRemedy(line: String, words: String) throws {
        let error = try #require(throws: SimulationError.self) { try PromptCommand(line, names()) }
        #expect("\(error)".contains(words))
    }

    @Test(arguments: [
        ("he", "help "), ("stop Gar", "stop Garage "),
        ("set Garage Door/Tar", "set Garage Door/Target Door State to "),
        ("set Garage Door/Target Door State to O", "set Garage Door/Target Door State to Open"),
        ("set targ", "set Garage Door/Target Door State to "), ("fault laten", "fault latency "),
        ("fault latency on Garage L", "fault latency on Garage Light"),
        ("fault latency on Garage Light d", "fault latency on Garage Light delay="),
        ("fault latency delay=1s t", "fault latency delay=1s times "), ("clear laten", "clear latency "),
        ("clear latency o", "clear latency on "), ("clear latency on Garage L", "clear latency on Garage Light"),
        ("clear obstruction G", "clear obstruction Garage Door"),
    ])
    func tabCompletesNames(text: String, completed: String) throws {
        #expect(PromptCompletion(of: text, try names()).commonPrefix?.hasPrefix(completed) == true)
    }

    @Test
    func ambiguousNameIsNotCompletedButListed() throws {
        let completion = PromptCompletion(of: "set Name", try names())
        #expect(completion.commonPrefix == nil)
        #expect(completion.candidates.count > 1)
        #expect(completion.candidates.allSatisfy { $0.contains("/Name") })
    }
}
