internal import AccessoryModel
internal import Documents
internal import HAPCore

// The formats of single values in home files. See `docs/homes.md`.

extension Format<Located<String>> {
    /// A reference to a room, a service, an accessory, a scene or a user.
    static let reference = Format<String>.name.located()

    /// A reference to a characteristic: `Service/Property`.
    static let property = Format(
        schema: Format<String>.name.schema,
        read: { field, reader in
            guard let text = reader.text(field) else { return nil }
            guard text.utf8.count <= 1_024 else {
                reader.report(field, "this is longer than 1024 bytes, so it is not a property; write Service/Property")
                return nil
            }
            return Located(text, at: field.location)
        },
        write: { .text($0.value) }
    )

    /// The value of a property, in the form in which people write it.
    static let value = Format(
        schema: Schema(.init("type", .list(["string", "number", "boolean"]))),
        read: { field, reader in
            guard let scalar = field.node.scalar, scalar.meaning != .null else {
                reader.report(field, "\(field.node.kind) is not a value; write one, such as true, 50 or Closed")
                return nil
            }
            guard reader.consume(bytes: scalar.text.utf8.count) else {
                reader.report(
                    field,
                    "the values of the file have more than \(DocumentText.maximumSize) bytes together; shorten them"
                )
                return nil
            }
            return Located(scalar.text, at: field.location)
        },
        write: { DocumentTree(scalar: $0.value) }
    )
    .defined(as: "value")
}

extension Format<String> {
    /// A name, in the form in which people write it.
    static let name = Format.text.defined(as: "text")
}

extension Format<Located<ObjectName>> {
    /// A name that obeys the rules.
    static let name = Format(
        schema: Schema(
            .init("type", .list(["string", "number"])),
            .init("minLength", .number(1)),
            .init("maxLength", .number(JSONNumber(ObjectName.maximumCount))),
            // The ASCII part of the rule: the apostrophe is the only punctuation, and a name neither begins nor ends
            // with it or a space.
            .init("pattern", .text(#"^[^ -/:-@\[-`{-~]([^!-&(-/:-@\[-`{-~]*[^ -/:-@\[-`{-~])?$"#))
        ),
        read: { field, reader in
            guard let text = reader.text(field) else { return nil }
            do throws(HomeError) {
                return Located(try ObjectName(text), at: field.location)
            } catch {
                reader.report(field, error.diagnosticText)
                return nil
            }
        },
        write: { .text($0.value.text) }
    )
    .defined(as: "name")
}

extension Format {
    /// Returns the format of a map of objects by their names.
    static func byName<Content>(_ content: Format<Content>, maximumCount: Int) -> Format
    where Value == [Named<Content>] {
        .members(
            of: content,
            names: JSONSchema.reference("name"),
            maximumCount: maximumCount,
            example: "name: …",
            make: { key, location, content, reader in
                do throws(HomeError) {
                    let name = Located(try ObjectName(key), at: location)
                    return content.map { Named(name, $0) }
                } catch {
                    reader.report(at: location, error.diagnosticText)
                    return nil
                }
            },
            take: { ($0.name.value.text, $0.content) }
        )
    }

    /// Returns the format of a map.
    ///
    /// - Parameters:
    ///   - names: The schema of the keys.
    ///   - maximumCount: The maximum number of entries.
    ///   - make: Returns the element for a key and its content, and reports errors in the key.
    ///   - take: Returns the key and the content of an element.
    static func members<Element, Content>(
        of content: Format<Content>,
        names: DocumentTree? = nil,
        maximumCount: Int? = nil,
        example: String,
        make: @escaping @Sendable (String, SourceLocation, Content?, inout DocumentReader) -> Element?,
        take: @escaping @Sendable (Element) -> (String, Content)
    ) -> Format where Value == [Element] {
        Format(
            schema: content.schema.map { content in
                let names = names.map { [DocumentTree.Member("propertyNames", $0)] } ?? []
                let limit = maximumCount.map { [DocumentTree.Member("maxProperties", .number(JSONNumber($0)))] } ?? []
                return .map([.init("type", "object")] + names + limit + [.init("additionalProperties", content)])
            },
            read: { field, reader in
                guard let members = field.node.mapping else {
                    reader.report(
                        field,
                        "\(field.node.kind) is not a map; write \"\(example)\" lines"
                    )
                    return nil
                }
                if let maximumCount, members.count > maximumCount {
                    reader.report(field, "\(members.count) entries are too many; write at most \(maximumCount)")
                    return nil
                }
                return reader.readAll(members) { member, reader in
                    let content = content.read(field.member(member), &reader)
                    return make(member.key, field.location(of: member), content, &reader)
                }
            },
            write: { elements in
                .map(elements.map(take).map { .init($0, content.write($1)) })
            }
        )
    }
}

// MARK: Times and numbers

/// Formats of single values.
enum HomeScalar {
    static let duration =
        Format<Duration>
        .parsed(
            "duration",
            "write it as 12s, 5min or 1h 30min",
            pattern: "^ *[0-9.]+(d|h|min|m|s|ms)( +[0-9.]+(d|h|min|m|s|ms))* *$",
            isWord: true,
            read: DurationText.readSum,
            write: DurationText.writeRounded
        )
        .defined(as: "duration")

    static let time = Format<CivilTime>
        .parsed(
            "time",
            "write it as 07:30",
            pattern: "^[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$",
            read: { CivilTime($0) },
            write: \.description
        )

    static let date = Format<CivilDateTime>
        .parsed(
            "date and time",
            "write them as 2026-12-24 18:00",
            pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$",
            read: { CivilDateTime($0) },
            write: \.description
        )

    static let sun = Format<(SunEvent, Duration)>
        .parsed(
            "time of the sun",
            "write it as sunset or sunrise - 30min",
            pattern: "^(sunrise|sunset)( *[-+−] *.+)?$",
            read: HomeText.sun,
            write: HomeText.text
        )

    static let bound = Format<TimeBound>
        .parsed(
            "time",
            "write it as 07:30, sunset or sunrise - 30min",
            pattern: "^([0-9]{1,2}:[0-9]{2}(:[0-9]{2})?|(sunrise|sunset)( *[-+−] *.+)?)$",
            read: HomeText.bound,
            write: HomeText.text
        )

    /// A number, with or without a percent sign.
    static let limit = Format<JSONNumber>(
        schema: Schema(.init("type", .list(["string", "number"]))),
        read: { field, reader in
            if case .number(let number) = field.node.scalar?.meaning { return number }
            if let text = field.node.scalar?.text, text.last == "%",
                let number = HomeText.limit(text)
            {
                return number
            }
            reader.report(field, "\(field.node.kind) is not a number; write one")
            return nil
        },
        write: DocumentTree.number
    )
    .defined(as: "limit")

    /// A range such as `18...24`; one limit may be omitted.
    static let range = Format<NumberRange>(
        schema: Schema(
            .init("type", "string"),
            .init("pattern", .text(#"^([-+]?[0-9.eE+-]+)?\.\.\.([-+]?[0-9.eE+-]+)?$"#))
        ),
        read: { field, reader in
            let range = field.node.scalar.flatMap { HomeText.range($0.text) }
            if range == nil { reader.report(field, "\(field.node.kind) is not a range; write it as 18...24") }
            return range
        },
        write: { .word(HomeText.text($0)) }
    )
    .defined(as: "range")
}

extension Format<WeekdaySet> {
    /// A day, a word for several days, or a list of both.
    static let days: Format = {
        let day =
            Format.parsed(
                "day of the week",
                "write it as monday, workdays or weekend",
                pattern: "",
                read: HomeText.days,
                write: { days in HomeText.dayGroups.first { $0.1 == days }?.0 ?? days.days.first?.rawValue ?? "" }
            )
            .schema(.init("enum", .list(HomeText.dayWords.map(DocumentTree.text))))
        return Format<[WeekdaySet]>.list(of: day)
            .map({ $0.reduce(into: []) { $0.formUnion($1) } }, { $0.days.map { WeekdaySet([$0]) } })
            .orShorthand(day, make: { $0 }, take: { days in HomeText.dayGroups.contains { $0.1 == days } ? days : nil })
    }()
}

extension Choice<Recurrence> {
    /// Returns the choice of recurrences.
    ///
    /// - Parameter standard: The recurrence that applies if none is written.
    static func recurrence(else standard: Recurrence) -> Choice {
        Choice(
            [
                Case(
                    .required("on", .days, "The days on which it repeats: days of the week, or every day."),
                    make: { $0 },
                    take: { recurrence in
                        switch recurrence {
                        case .daily, .weekly: recurrence
                        case .once, .everyDays, .everyWeeks, .everyMonths, .yearly: nil
                        }
                    }
                ),
                Case(
                    .required("every", .interval, "How often it repeats: 3 days, 2 weeks, month, year."),
                    make: { $0 },
                    take: { $0 }
                ),
            ],
            mismatchMessage: "a recurrence has either days or an interval; write one of",
            defaultValue: standard
        )
    }
}

extension Format<Recurrence> {
    /// Days of the week, or every day.
    fileprivate static let days: Format = {
        let everyDay = Format.word([(HomeText.everyDay, .daily)])
        return Format<WeekdaySet>.days
            .map({ .weekly($0) }, { if case .weekly(let days) = $0 { days } else { .everyDay } })
            .orShorthand(
                everyDay,
                when: { $0.scalar?.text == HomeText.everyDay },
                make: { $0 },
                take: { $0 == .daily ? .daily : nil }
            )
    }()

    /// A number of days, weeks or months, or a year.
    fileprivate static let interval = Format.parsed(
        "recurrence",
        "write it as 3 days, 2 weeks, month or year",
        pattern: "^(day|week|month|year|[0-9]+ (days?|weeks?|months?))$",
        read: HomeText.recurrence,
        write: \.intervalText
    )
}
