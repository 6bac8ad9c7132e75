internal import AccessoryModel
internal import Documents
internal import HAPCore

extension DumpReader {
    /// A characteristic with its path.
    struct ParsedCharacteristic {
        var path: String
        var characteristic: Characteristic
    }

    /// The members of a characteristic in `/accessories` besides id, type and value.
    private static let memberKeys = [
        "perms", "format", "description", "unit", "minValue", "maxValue", "minStep", "maxLen", "maxDataLen",
        "valid-values", "valid-values-range",
    ]
    private static let knownKeys = Set(["iid", "type", "value", nameKey] + memberKeys)
    /// The member that `hap accessories --json` adds for readers; it repeats information from values and types.
    static let nameKey = "name"

    mutating func characteristic(_ value: JSONValue, at path: String) -> ParsedCharacteristic? {
        guard let object = value.object, let (uuid, writtenType) = type(of: object, at: path) else {
            diagnostics.addWarning(path, "this is not a characteristic with a UUID as its type; it is left out")
            return nil
        }
        warnAboutUnknown(in: object, known: Self.knownKeys, at: path)
        let type = CharacteristicType(uuid)
        let format = format(of: object, type, at: path)
        var characteristic = Characteristic(
            type: type,
            permissions: permissions(of: object, type, at: path),
            metadata: CharacteristicMetadata(describedBy: object, format: format),
            description: object["description"]?.string,
            iid: identifier("iid", of: object, at: path).flatMap { InstanceID($0) }
        )
        checkMarkRuns(in: characteristic.description, at: "\(path).description")
        characteristic.value = self.value(object["value"], format, at: path)
        if object["value"] == .null, characteristic.permissions.contains(.read), !type.isButton {
            diagnostics.addWarning(
                "\(path).value",
                "its value was unknown when the dump was made; it is served as null"
            )
        }
        if object["minStep"]?.numericValue?.double == 0 {
            diagnostics.addWarning("\(path).minStep", Self.warningText(for: "minStep"))
        }
        if let value = characteristic.value {
            if case .string(let text) = value {
                checkMarkRuns(in: text, at: "\(path).value")
            }
            if characteristic.metadata.value(from: value, isStrict: false) == nil {
                diagnostics.addWarning(
                    "\(path).value",
                    "\(value.excerptText) does not match its format and range; it is served unchanged"
                )
            }
            if !characteristic.permissions.contains(.read) {
                diagnostics.addWarning("\(path).value", "it has a value, although it is not readable")
            }
        }
        storeVerbatimMembers(of: &characteristic, from: object, at: path)
        if let writtenType {
            characteristic.verbatimMembers["type"] = .string(writtenType)
        }
        return ParsedCharacteristic(path: path, characteristic: characteristic)
    }

    /// Stores the members that the server would write differently.
    private mutating func storeVerbatimMembers(
        of characteristic: inout Characteristic,
        from object: JSONObject,
        at path: String
    ) {
        let members = characteristic.jsonMembers(isVerbatim: true)
        for key in Self.memberKeys {
            guard let dumped = object[key], dumped != members[key] else { continue }
            if key == "format" && dumped.string == nil || key == "perms" && !dumped.isStringArray {
                // A missing format or permission was added above, with a warning.
                continue
            }
            guard dumped.isShallow else {
                diagnostics.addWarning(
                    "\(path).\(key)",
                    "it is nested too deeply for a member of a characteristic; it is left out"
                )
                continue
            }
            characteristic.verbatimMembers[key] = dumped
            if key != "valid-values-range", dumped != .null, !dumped.isEquivalent(to: members[key]) {
                diagnostics.addWarning("\(path).\(key)", Self.warningText(for: key))
            }
        }
    }

    private static func warningText(for key: String) -> String {
        switch key {
        case "perms": "HAP does not define all of these permissions; they are served unchanged"
        case "description": "a description must be a text; this is served unchanged"
        case "format", "unit": "HAP does not define this \(key); it is served unchanged"
        default: "HAP does not allow this value of \(key); it is served unchanged"
        }
    }

    private mutating func permissions(
        of object: JSONObject,
        _ type: CharacteristicType,
        at path: String
    ) -> CharacteristicPermissions {
        if let permissions = CharacteristicPermissions(describedBy: object["perms"]) {
            if object["perms"]?.array == nil {
                let names = permissions.names.joined(separator: ", ")
                diagnostics.addWarning(
                    "\(path).perms",
                    "permissions must be a list of texts; it is served as a list of \(names)"
                )
            } else if object["perms"]?.isStringArray == false {
                diagnostics.addWarning("\(path).perms", "permissions must be texts; other values are left out")
            }
            return permissions
        }
        let known = Catalog.characteristic(type)?.permissions
        let remedy = known == nil ? "it can be read" : "those of its type are used"
        if object["perms"] == nil {
            diagnostics.addWarning(path, "it has no \"perms\"; \(remedy)")
        } else {
            diagnostics.addWarning("\(path).perms", "permissions must be a list of texts; \(remedy)")
        }
        return known ?? .read
    }

    private mutating func format(
        of object: JSONObject,
        _ type: CharacteristicType,
        at path: String
    ) -> CharacteristicFormat {
        if let format = object["format"]?.string.flatMap({ CharacteristicFormat(deviceText: $0) }) {
            return format
        }
        let isMissing = object["format"]?.string == nil
        let source: String
        let format: CharacteristicFormat
        if let known = Catalog.characteristic(type)?.metadata.format {
            (format, source) = (known, "the format of its type, \(known.rawValue)")
        } else {
            format = CharacteristicFormat(inferredFrom: object["value"])
            source = "the format of its value, \(format.rawValue)"
        }
        if object["format"] == nil {
            diagnostics.addWarning(path, "it has no \"format\"; \(source), is used")
        } else {
            let reason =
                isMissing ? "a format must be a text; \(source), is used" : "values are checked with \(source)"
            diagnostics.addWarning("\(path).format", reason)
        }
        return format
    }

    /// Returns the value to serve, even if it does not match the format.
    private mutating func value(
        _ value: JSONValue?,
        _ format: CharacteristicFormat,
        at path: String
    ) -> CharacteristicValue? {
        switch value {
        case nil, .null: return nil
        case .bool(let value): return .bool(value)
        case .number(0) where format == .bool: return .bool(false)
        case .number(1) where format == .bool: return .bool(true)
        case .number(let value): return .number(value)
        case .string(let text):
            guard format == .tlv8 || format == .data else { return .string(text) }
            return Base64.decode(text.utf8).map { .data($0) } ?? .string(text)
        case .array, .object:
            diagnostics.addWarning("\(path).value", "a value must not be a list or an object; it is left out")
            return nil
        }
    }

    /// Adds an error for a text whose comparison with another text would occupy a core for minutes.
    private mutating func checkMarkRuns(in text: String?, at path: String) {
        if let text, text.hasLongCombiningMarkRun {
            diagnostics.addError(
                path,
                "more than \(CombiningMarkRun.maximumLength) combining marks follow each other; write text that can "
                    + "be read"
            )
        }
    }
}

extension CharacteristicValue {
    /// The value for a message.
    fileprivate var excerptText: String {
        if case .string(let text) = self { text.excerpt } else { description }
    }
}

extension JSONValue {
    /// Whether the value is a list that contains only texts.
    fileprivate var isStringArray: Bool {
        array?.allSatisfy { $0.string != nil } ?? false
    }

    /// Whether the value is a scalar, or a list that is nested at most as deep as a list of number pairs.
    fileprivate var isShallow: Bool {
        switch self {
        case .object: false
        case .array(let elements):
            elements.allSatisfy { element in
                if case .object = element { return false }
                return element.array?.allSatisfy { $0.array == nil && $0.object == nil } ?? true
            }
        case .null, .bool, .number, .string: true
        }
    }

    /// Returns whether both have the same meaning, regardless of their order.
    fileprivate func isEquivalent(to other: JSONValue?) -> Bool {
        guard let elements = array, let others = other?.array else { return self == other }
        return Set(elements) == Set(others)
    }
}
