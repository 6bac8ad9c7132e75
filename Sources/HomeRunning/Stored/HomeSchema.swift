internal import Storage

/// The tables of homes, and how older files come to have them.
///
/// A home is one row with a JSON text, and the schema of that text beside it. Homes are read and kept as a whole: their
/// rules are between all of their things, nobody asks for one room, and a table of its own for each of the forty kinds
/// of trigger, condition and action would only have to be put together again at each start. A migration of the text is a
/// function from one JSON value to another; text that is kept never depends on what a Swift type is called.
///
/// A migration that has been released is never edited; a change of the schema is a new one below it.
enum HomeSchema {
    /// The database of homes.
    static let file = StateFile(
        name: "homes.sqlite",
        lockName: "homes.lock",
        versions: versions,
        recovery: "import your home file again"
    )

    /// What each version adds, from `v1` on.
    static let versions = [v1, v2]

    /// The schema of the text of a home that this version writes.
    static let bodySchema: Int64 = 1

    private static let v1 = """
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
        """

    private static let v2 = """
        -- Who came and went, in the order of id, for the process that runs the home: presence tells only what was last.
        CREATE TABLE presence_change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            home INTEGER NOT NULL REFERENCES home(id) ON DELETE CASCADE,
            user INTEGER NOT NULL,
            is_home INTEGER
        ) STRICT;
        """
}
