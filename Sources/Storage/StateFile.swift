internal import GRDB

/// The databases that a state folder may hold; they know nothing of each other.
enum StateFile: Sendable {
    /// What accessory servers keep; one process has it open.
    case servers
    /// What a controller keeps; several processes have it open.
    case controller
    /// What homes are made of; several processes have it open.
    case homes

    /// What the database is called in the folder.
    var name: String {
        switch self {
        case .servers: "hap.sqlite"
        case .controller: "controller.sqlite"
        case .homes: "homes.sqlite"
        }
    }

    /// What the lock is called in the folder.
    var lockName: String {
        switch self {
        case .servers: "lock"
        case .controller: "controller.lock"
        case .homes: "homes.lock"
        }
    }

    /// The tables, and how older files come to have them.
    var migrator: DatabaseMigrator {
        switch self {
        case .servers: StateSchema.migrator
        case .controller: ControllerSchema.migrator
        case .homes: HomeSchema.migrator
        }
    }

    /// How many seconds a transaction waits for those of other processes.
    ///
    /// Of the servers' file there is no other writer of ours.
    var busySeconds: Double {
        switch self {
        case .servers: 2
        case .controller, .homes: 5
        }
    }
}
