internal import Documents
internal import HAPCore
internal import Resources

extension Endpoint {
    /// A parameter in the path or in the query.
    struct Parameter: Sendable {
        let name: String
        let isInPath: Bool
        let schema: Schema
        let documentation: String

        /// A parameter in a path.
        private static func path(
            _ name: String,
            _ documentation: String,
            _ schema: Schema = Schema(.init("type", "string"), .init("minLength", .number(1)))
        ) -> Parameter {
            Parameter(name: name, isInPath: true, schema: schema, documentation: documentation)
        }

        /// A parameter in the query.
        static func query(
            _ name: String,
            _ documentation: String,
            _ schema: Schema = Format<String>.string.schema
        ) -> Parameter {
            Parameter(name: name, isInPath: false, schema: schema, documentation: documentation)
        }

        /// A number in the query.
        static func query(_ number: NumberParameter) -> Parameter {
            query(
                number.name,
                "\(number.documentation) Default: \(number.standard).",
                Format<Int>.integer(in: number.range).schema
            )
        }

        /// The id of an object in the query, which ``APIRequest/id(_:)`` reads.
        static func id(_ name: String, _ documentation: String) -> Parameter {
            query(name, documentation, Format<UInt64>.integer(in: ids).schema)
        }

        /// The ids that an object can have.
        static let ids = 1...UInt64.max

        /// All path parameters by name.
        static let inPaths: [String: Parameter] = Dictionary(
            uniqueKeysWithValues: [
                path("server", "The key of the server, or its number, which is unique and never reused."),
                path("controller", "The identifier of the controller."),
                path("service", "The service as aid.iid."),
                path("aid", "The id of the accessory.", Format<UInt64>.integer(in: ids).schema),
                path("characteristic", "The characteristic as aid.iid."),
                path("name", "The name."),
                path(
                    "kind",
                    "The kind of object: room, zone, group, scene, automation, accessory, service or user."
                ),
                file,
                path("asset", "The name of the file."),
            ]
            .map { ("{\($0.name)}", $0) }
        )

        private static let file = path(
            "file",
            "The name of the file, such as lamp.yaml, with the extension yaml, yml, json or hasaccessory; at most 100 bytes.",
            Schema(
                .init("type", "string"),
                .init("pattern", "^[^./][^/]*\\.[A-Za-z]+$"),
                .init("maxLength", .number(100))
            )
        )
    }

    /// A number in the query with its limits, for both schema and parsing.
    struct NumberParameter: Sendable {
        let name: String
        let range: ClosedRange<Int>
        /// The value if the parameter is absent.
        let standard: Int
        let documentation: String

        init(_ name: String, in range: ClosedRange<Int>, default standard: Int, _ documentation: String) {
            self.name = name
            self.range = range
            self.standard = standard
            self.documentation = documentation
        }
    }
}
