internal import FoundationEssentials
internal import Glibc
internal import HAPCore
internal import Hosting
internal import Storage

/// The file in the state folder that stores the token of the console, so that links stay valid after a restart.
package struct TokenFile: Sendable {
    package let path: String

    package init(in folder: String) {
        path = "\(folder)/console.token"
    }

    /// Returns the stored token, or stores a new one.
    ///
    /// A file that other users can read is replaced, because its token is no longer a secret.
    func token() throws -> AccessToken {
        if let stored { return stored }
        var generator = SodiumRandomNumberGenerator()
        let token = AccessToken.random(using: &generator)
        do throws(AtomicFile.Failure) {
            try AtomicFile.write(Array(token.secret.utf8), to: path, permissions: .owner)
        } catch {
            throw HostError.failed(
                "The token of the console cannot be written to \(path): \(String(cString: strerror(error.code))). Check the "
                    + "state folder, or turn the console off with --console off."
            )
        }
        return token
    }

    private var stored: AccessToken? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0, status.st_size == 64, let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return AccessToken(String(decoding: data, as: UTF8.self))
    }
}
