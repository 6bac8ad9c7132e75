import ArgumentParser

/// What can be named in a home.
enum HomeKind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case home, room, zone, group, scene, automation, accessory, service, user
}
