internal import Storage

/// The database schema of homes.
///
/// A home is one row with a JSON text and the schema version of that text. Homes are read and stored as a whole, for
/// three reasons. The rules of a home concern all of its objects together. No reader needs a single room. With separate
/// tables, the forty kinds of triggers, conditions and actions would have to be joined at each start.
///
/// The model's types encode the text with explicit coding keys, so it never depends on the name of a type, a property
/// or a case. After decoding, the homes are checked against the same rules as those of a file.
///
/// Before version 3, the text was written in another format, which was never released. A database of such a version is
/// set aside, and the homes are imported again from their file. From version 3 on, a migration of the text is a
/// function from one JSON value to another. A migration that has been released is never edited.
enum HomeSchema {
    /// The database file of homes.
    static let file = StateFile(
        name: "homes.sqlite",
        lockName: "homes.lock",
        versions: [v3],
        firstVersion: 3,
        recovery: "import your home file again"
    )

    /// The schema version of a home's text that this program writes.
    static let bodySchema: Int64 = 2

    private static let v3 = """
        -- One row. Each change of the homes makes another version.
        CREATE TABLE homes (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            version INTEGER NOT NULL,
            primary_home INTEGER,
            next_id INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE home (
            id INTEGER PRIMARY KEY,
            position INTEGER NOT NULL,
            schema INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;

        CREATE TABLE presence (
            home INTEGER NOT NULL REFERENCES home(id) ON DELETE CASCADE,
            user INTEGER NOT NULL,
            is_home INTEGER NOT NULL,
            PRIMARY KEY (home, user)
        ) STRICT;

        CREATE TABLE memory (
            home INTEGER PRIMARY KEY REFERENCES home(id) ON DELETE CASCADE,
            schema INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;

        -- The order of id is the order in which things happened.
        CREATE TABLE journal (
            id INTEGER PRIMARY KEY,
            home INTEGER NOT NULL REFERENCES home(id) ON DELETE CASCADE,
            nanoseconds INTEGER NOT NULL,
            automation INTEGER,
            kind ANY NOT NULL,
            text ANY NOT NULL
        ) STRICT;

        CREATE INDEX journal_home ON journal (home, id);

        -- The changes of presence in the order of id, for the process that runs the home. Table presence has only the
        -- latest states.
        CREATE TABLE presence_change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            home INTEGER NOT NULL REFERENCES home(id) ON DELETE CASCADE,
            user INTEGER NOT NULL,
            is_home INTEGER
        ) STRICT;
        """
}
