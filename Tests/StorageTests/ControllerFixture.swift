import Foundation

/// The databases that released versions of the controller wrote, as SQL.
///
/// The fixtures are never edited: they stand for the files of existing users.
enum ControllerFixture {
    static let v1 = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('v1');
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
        INSERT INTO identity VALUES (1, x'706E65', x'\(hex(0x21, 32))');
        INSERT INTO pairing VALUES
            (3, 'garage', x'30413A31423A32433A33443A34453A3546', x'\(hex(1, 32))', '192.168.1.20', 51826),
            (5, 'ant', x'FF', x'\(hex(2, 32))', NULL, NULL);
        INSERT INTO cached_database VALUES (3, -1, x'7B7D'), (5, NULL, NULL);

        """

    static let v2 =
        v1 + """
            INSERT INTO grdb_migrations VALUES ('v2');
            CREATE TABLE wrong_code (
                id INTEGER PRIMARY KEY,
                target ANY NOT NULL UNIQUE,
                count INTEGER NOT NULL
            ) STRICT;
            INSERT INTO wrong_code VALUES (1, '192.168.1.20:51826', 2);

            """

    private static func hex(_ first: UInt8, _ count: Int) -> String {
        pattern(first, count: count).map { String(format: "%02X", $0) }.joined()
    }
}
