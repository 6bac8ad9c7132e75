/// What an automation of a file waits for.
package enum DocumentedTrigger: Sendable, Hashable {
    case characteristic(DocumentedTest)
    case timeOfDay(CivilTime, Recurrence)
    case calendar(CivilDateTime, Recurrence)
    case sun(SunEvent, offset: Duration, Recurrence)
    case firstArrives
    case lastLeaves
    case everyoneArrives
    case arrives(Placed<String>)
    case leaves(Placed<String>)
    case interval(Duration, from: CivilDateTime?)
}
