import AccessoryModel
import Documents
import FoundationEssentials
import Glibc
import Hosting

/// A temporary file that the user edits.
struct TextDraft {
    /// The path of the file.
    ///
    /// Only its owner can read it.
    let path: String

    /// Creates the file with its first content.
    ///
    /// - Parameter suffix: The file name extension, by which editors recognize the language.
    /// - Throws: ``CommandFailure`` if it cannot be written.
    init(_ text: [UInt8], suffix: String) throws {
        let folder = CommandContext.current.temporaryFolder.path
        var template = Array("\(folder)/hap-XXXXXX\(suffix)".utf8CString)
        let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
        guard descriptor >= 0 else {
            throw CommandFailure.failed(
                "A temporary file cannot be created in \(folder.escapingControlCharacters): \(String(cString: strerror(errno)))."
            )
        }
        close(descriptor)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            try OutputFile(path, isSecret: true).write(text)
        } catch {
            remove()
            throw error
        }
    }

    /// Opens the file in `$VISUAL`, `$EDITOR` or `vi`, and waits until the program ends.
    ///
    /// - Throws: ``CommandFailure`` if it fails. The file stays.
    func edit() throws {
        let editor =
            ["VISUAL", "EDITOR"].lazy.compactMap { CommandContext.current.environment[$0] }
            .first { !$0.isEmpty } ?? "vi"
        // Ctrl-C in the editor is meant for the editor, so this process ignores it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let former = [SIGINT, SIGQUIT].map { ($0, Glibc.signal($0, SIG_IGN)) }
        defer { for (number, handler) in former { _ = Glibc.signal(number, handler) } }
        // The shell divides the words of the variable, such as `code --wait`.
        let words = ["sh", "-c", "\(editor) \"$0\"", path]
        var arguments = words.map { (word: String) in strdup(word) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let code = posix_spawn(&child, "/bin/sh", nil, &attributes, &arguments, environ)
        guard code == 0 else {
            throw CommandFailure.failed("/bin/sh cannot be started: \(String(cString: strerror(code))).")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw CommandFailure.failed(
                "The editor \(editor.escapingControlCharacters) failed; set EDITOR to another one, such as EDITOR=nano."
            )
        }
    }

    /// Returns the text as it is now.
    func read() throws(DocumentError) -> [UInt8] {
        try InputText.read(path)
    }

    /// Whether the file still exists.
    var exists: Bool { access(path, R_OK) == 0 }

    func remove() {
        unlink(path)
    }
}
