/// How what a sensor finds changes by itself.
package enum SensorPattern: String, Sendable, Hashable, CaseIterable {
    /// Not at all: it finds what it is told.
    case still
    /// The same again and again.
    case regular
    /// By chance, from the seed.
    case random
}
