internal import GRDB

/// The tables of a controller, and how older files come to have them.
///
/// Text that comes from outside goes into columns of type `ANY`: see ``StoredText``. A migration that has been released
/// is never edited; a change of the schema is a new one below it.
enum ControllerSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { db in
            try db.execute(sql: v1)
        }
        return migrator
    }

    private static let v1 = """
        CREATE TABLE identity (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            identifier BLOB NOT NULL,
            seed BLOB NOT NULL
        ) STRICT;

        -- The order of id is the order in which pairings were made.
        CREATE TABLE pairing (
            id INTEGER PRIMARY KEY,
            alias ANY NOT NULL UNIQUE,
            identifier BLOB NOT NULL UNIQUE,
            public_key BLOB NOT NULL,
            host ANY,
            port INTEGER
        ) STRICT;

        CREATE TABLE cached_database (
            pairing INTEGER PRIMARY KEY REFERENCES pairing(id) ON DELETE CASCADE,
            configuration INTEGER,
            body BLOB
        ) STRICT;
        """
}
