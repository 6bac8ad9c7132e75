/// What must be so for an automation of a file.
package indirect enum DocumentedCondition: Sendable, Hashable {
    case all([DocumentedCondition])
    case any([DocumentedCondition])
    case not(DocumentedCondition)
    case characteristic(DocumentedTest)
    case time(from: TimeBound, to: TimeBound)
    case days(WeekdaySet)
    case anyone
    case noOne
    case everyone
    case home(Placed<String>)
}
