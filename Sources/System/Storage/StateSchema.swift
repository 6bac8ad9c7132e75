/// The tables of the servers' database, and the migrations of older files.
///
/// Unsigned 64-bit numbers are stored as the signed number with the same bits. Text from outside is in columns of type
/// `ANY`: see ``StoredText``.
///
/// A released migration is never edited; a change of the schema is a new one below it.
enum StateSchema {
    /// The SQL that each version adds, starting with `v1`.
    static let versions = [v1, v2, v3]

    /// The row of a server is created by the first write for it, and deleting the row deletes all data of the server.
    ///
    /// The columns `salt` and `verifier` are empty: see ``v2``.
    private static let v1 = """
        CREATE TABLE server (
            id INTEGER PRIMARY KEY,
            server_key ANY NOT NULL UNIQUE,
            failed_proofs INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE identity (
            server INTEGER PRIMARY KEY REFERENCES server(id) ON DELETE CASCADE,
            device_id TEXT NOT NULL,
            seed BLOB NOT NULL,
            setup_id TEXT NOT NULL,
            setup_code TEXT NOT NULL,
            salt BLOB NOT NULL,
            verifier BLOB NOT NULL,
            port INTEGER
        ) STRICT;

        -- The order of id is the order in which pairings were added.
        CREATE TABLE pairing (
            id INTEGER PRIMARY KEY,
            server INTEGER NOT NULL REFERENCES server(id) ON DELETE CASCADE,
            identifier BLOB NOT NULL,
            public_key BLOB NOT NULL,
            admin INTEGER NOT NULL,
            UNIQUE (server, identifier)
        ) STRICT;

        CREATE TABLE configuration (
            server INTEGER PRIMARY KEY REFERENCES server(id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            digest BLOB
        ) STRICT;

        CREATE TABLE accessory (
            server INTEGER NOT NULL REFERENCES server(id) ON DELETE CASCADE,
            accessory_key ANY NOT NULL,
            aid INTEGER NOT NULL,
            PRIMARY KEY (server, accessory_key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE object (
            server INTEGER NOT NULL REFERENCES server(id) ON DELETE CASCADE,
            aid INTEGER NOT NULL,
            path ANY NOT NULL,
            iid INTEGER NOT NULL,
            PRIMARY KEY (server, aid, path)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE value (
            server INTEGER NOT NULL REFERENCES server(id) ON DELETE CASCADE,
            aid INTEGER NOT NULL,
            iid INTEGER NOT NULL,
            kind TEXT NOT NULL,
            value ANY,
            PRIMARY KEY (server, aid, iid)
        ) STRICT, WITHOUT ROWID;
        """

    /// The verifier follows from the setup code, and is computed when it is needed.
    ///
    /// To drop the two columns would make up a tenth of the first start.
    private static let v2 = "UPDATE identity SET salt = x'', verifier = x''"

    /// What drivers keep.
    private static let v3 = """
        CREATE TABLE driver_data (
            server INTEGER NOT NULL REFERENCES server(id) ON DELETE CASCADE,
            accessory_key ANY NOT NULL,
            driver TEXT NOT NULL,
            name TEXT NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (server, accessory_key, driver, name)
        ) STRICT, WITHOUT ROWID;
        """
}
