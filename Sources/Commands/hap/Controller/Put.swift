import ArgumentParser
import HAPController
import Hosting

/// The command `hap put`, which writes characteristics.
struct Put: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Write characteristics of an accessory.",
        discussion: """
            A value has the same form as in a definition: a number with or without its unit, the name of a value such \
            as Closed, on or off, a text, or bytes as Base64. The values are written together. Characteristics \
            are named as for 'hap get'.

            Exits with 2 and the HAP status if the accessory refuses a value.

            EXAMPLE
              hap put kilgo-garage TargetDoorState=Closed
              hap put kilgo-garage On=on Brightness=80% 1.23=0.5
            """,
        aliases: ["set"]
    )

    @Argument(help: .value("alias", "The accessory."), completion: ControllerCompletion.aliases)
    var alias: String

    @Argument(
        help: .value("aid.iid|name=value", "The characteristics and their new values."),
        completion: ControllerCompletion.assignments(.write)
    )
    var assignments: [String]

    @OptionGroup var options: ControllerOptions

    func validate() throws {
        try CharacteristicAssignments.validate(assignments)
    }

    func run() async throws {
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            let database = try await accessory.accessories()
            let wanted = try CharacteristicAssignments(assignments, in: database)
            let (found, values) = (wanted.found, wanted.values)
            let writes = zip(found, values)
                .map { found, value in
                    CharacteristicWrite(
                        found.id,
                        value,
                        wantsResponse: found.characteristic.permissions.contains(.writeResponse)
                    )
                }
            let results = try await accessory.write(writes)
            let report = CharacteristicReport(
                found: found,
                results: results,
                written: values,
                isBridge: database.count > 1
            )
            try options.write(report.text, report, CharacteristicReport.format)
            if let failure = CommandFailure(refusals: results, of: found) { throw failure }
        }
    }
}
