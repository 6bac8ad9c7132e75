import Foundation

/// The databases that released versions wrote, as SQL.
///
/// The fixtures are never edited: they stand for the files of existing users.
enum StateFixture {
    static let v1 = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('v1');
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
        INSERT INTO server VALUES (3, 'Kilgo Garage', 5), (7, x'610062', 0);
        INSERT INTO identity VALUES (
            3, '0A:1B:2C:3D:4E:5F', x'\(hex(0x41, 32))', '7OSX', '314-15-926', x'\(hex(0x42, 16))',
            x'\(hex(0x43, 384))', 51826
        );
        INSERT INTO pairing VALUES
            (1, 3, x'7A65627261', x'\(hex(1, 32))', 1),
            (4, 7, x'7A65627261', x'\(hex(9, 32))', 1),
            (5, 3, x'616E74', x'\(hex(2, 32))', 0);
        INSERT INTO configuration VALUES (3, 65535, x'ABCD');
        INSERT INTO accessory VALUES (3, 'Kilgo Garage', 1), (3, 'removed', -1);
        INSERT INTO object VALUES (3, 1, '3E', 1), (3, -1, '3E/23', -9223372036854775808);
        INSERT INTO value VALUES
            (3, 1, 9, 'bool', 1), (3, 1, 10, 'unsigned', -1), (3, 1, 11, 'negative', -7), (3, 1, 12, 'real', 0.5),
            (3, 1, 13, 'string', 'Garage'), (3, 1, 14, 'data', x'010203'), (3, 1, 15, 'string', ''),
            (3, 1, 16, 'data', NULL), (3, 1, 17, 'string', x'610062');

        """

    private static func hex(_ first: UInt8, _ count: Int) -> String {
        pattern(first, count: count).map { String(format: "%02X", $0) }.joined()
    }
}
