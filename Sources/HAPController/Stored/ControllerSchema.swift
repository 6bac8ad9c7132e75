internal import Storage

/// The tables of a controller, and how older files come to have them.
///
/// Text that comes from outside goes into columns of type `ANY`: see ``StoredText``. A migration that has been released
/// is never edited; a change of the schema is a new one below it.
enum ControllerSchema {
    /// The database of a controller.
    static let file = StateFile(
        name: "controller.sqlite",
        lockName: "controller.lock",
        versions: versions,
        recovery: "pair all accessories again"
    )

    /// What each version adds, from `v1` on.
    static let versions = [v1, v2]

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

    /// The newest rows have the largest ids.
    private static let v2 = """
        CREATE TABLE wrong_code (
            id INTEGER PRIMARY KEY,
            target ANY NOT NULL UNIQUE,
            count INTEGER NOT NULL
        ) STRICT;
        """
}
