package import AccessoryModel
internal import HAPCore

/// The text of actions and events of scenarios in reports.
package enum ScenarioText {
    /// Returns a duration as files write it, to the millisecond: `2d 7h 30min`, `12s`, `250ms`.
    package static func duration(_ duration: Duration) -> String {
        var milliseconds = duration.clampedNanoseconds / 1_000_000
        guard milliseconds >= 0 else { return "-" + self.duration(.zero - duration) }
        var parts: [String] = []
        for (unit, length) in [("d", Int64(86_400_000)), ("h", 3_600_000), ("min", 60_000)] {
            if milliseconds >= length {
                parts.append("\(milliseconds / length)\(unit)")
                milliseconds %= length
            }
        }
        if milliseconds % 1_000 != 0 {
            parts.append(milliseconds < 1_000 ? "\(milliseconds)ms" : seconds(milliseconds))
        } else if milliseconds > 0 || parts.isEmpty {
            parts.append("\(milliseconds / 1_000)s")
        }
        return parts.joined(separator: " ")
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        var decimals = String(milliseconds % 1_000 + 1_000).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(milliseconds / 1_000).\(decimals)s"
    }

    /// Returns the text of an action, such as `set Garage Door/Target Door State to Open`.
    package static func text(of action: WrittenAction) -> String {
        switch action {
        case .set(let target, let value): "set \(target) to \(value)"
        case .command(.press(let press), let target):
            "press \(target)" + (press == .single ? "" : " (\(word(press)))")
        case .command(.stop, let target): "stop \(target)"
        case .command(.obstruct, let target): "obstruct \(target)"
        case .command(.clearObstruction, let target): "clear the obstruction of \(target)"
        case .command(.plug, let target): "plug in \(target)"
        case .command(.unplug, let target): "unplug \(target)"
        case .command(.applySensorInput, let target): "let \(target) detect a value"
        case .act(let action, let target): "ask \(target) to \(action.name)"
        case .fault(let request): "fault \(request.name)" + (request.target.map { " on \($0)" } ?? "")
        case .clear(let name, let target):
            "clear \(name ?? "faults")" + (target.map { " on \($0)" } ?? "")
        case .advance(let duration): "advance by \(self.duration(duration))"
        case .pause: "pause"
        case .resume: "resume"
        case .scale(let scale): "time passes \(scale) times as fast"
        case .log(let text): "log \(text)"
        case .arrive(let name): "\(name) arrives"
        case .leave(let name): "\(name) leaves"
        }
    }

    /// Returns the word for a press.
    package static func word(_ press: ButtonPress) -> String {
        "\(press)"
    }

    static func text(of expectation: ScenarioExpectation) -> String {
        let never = expectation.isForbidden ? "never " : ""
        return switch expectation.event {
        case .value(let target, .differs(let text)) where expectation.isForbidden: "\(target) stays \(text)"
        case .value(let target, let test): "\(target) \(never)\(text(of: test))"
        case .controller(let deed, let target):
            "a controller \(never)\(deed.rawValue)" + (target.map { " \($0)" } ?? "")
        case .notification(let target, let test):
            "\(expectation.isForbidden ? "no" : "an") event of \(target)" + (test.map { " that \(text(of: $0))" } ?? "")
        case .driver(let target, let name, let details):
            "\(target) \(never)reports \(DriverEventText.text(name, details))"
        }
    }

    private static func text(of test: ValueTest) -> String {
        switch test {
        case .equals(let text): "becomes \(text)"
        case .differs(let text): "differs from \(text)"
        case .above(let limit): "becomes more than \(number(limit))"
        case .below(let limit): "becomes less than \(number(limit))"
        }
    }

    private static func number(_ number: Double) -> String {
        JSONNumber(number)?.description ?? "\(number)"
    }
}
