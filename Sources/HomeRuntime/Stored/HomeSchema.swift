internal import Storage

/// The tables of homes.
///
/// A home is one row with a JSON text, and the schema of that text beside it. Homes are read and stored as a whole: their
/// rules are between all of their objects, no reader asks for one room, and a table of its own for each of the forty kinds
/// of trigger, condition and action would only have to be put together again at each start.
///
/// The text is what the model's types encode with the coding keys that they state, so it never depends on what a type, a
/// property or a case is called. After decoding, the homes are held against the same rules as those of a file.
///
/// Before version 3, the text was written by other means. Nothing with it was released: such a database is set aside, and
/// the homes are imported again from their file. From version 3 on, a migration of the text is a function from one JSON
/// value to another; a migration that has been released is never edited.
enum HomeSchema {
    /// The database of homes.
    static let file = StateFile(
        name: "homes.sqlite",
        lockName: "homes.lock",
        versions: [v3],
        firstVersion: 3,
        recovery: "import your home file again"
    )

    /// The schema of the text of a home that this version writes.
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

        -- Who came and went, in the order of id, for the process that runs the home: presence tells only what was last.
        CREATE TABLE presence_change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            home INTEGER NOT NULL REFERENCES home(id) ON DELETE CASCADE,
            user INTEGER NOT NULL,
            is_home INTEGER
        ) STRICT;
        """
}
