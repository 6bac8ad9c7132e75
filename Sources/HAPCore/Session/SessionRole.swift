/// Which end of a session one is.
package enum SessionRole: Sendable, Hashable {
    case accessory
    case controller
}
