import Foundation
import Testing

/// A full pipe without a reader.
final class FullPipe {
    private let pipe = Pipe()

    /// The end at which a writer blocks.
    var writeEnd: FileHandle { pipe.fileHandleForWriting }

    init() throws {
        let descriptor = writeEnd.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        try #require(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
        for chunk in [4_096, 1] {
            let bytes = [UInt8](repeating: UInt8(ascii: "."), count: chunk)
            while write(descriptor, bytes, bytes.count) > 0 {}
        }
        try #require(errno == EAGAIN)
        try #require(fcntl(descriptor, F_SETFL, flags) == 0)
    }

    /// Reads until the content ends with a text.
    func drain(until ending: String) throws -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
            // `FileHandle` is not used, because it waits for the requested number of bytes.
            let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
            try #require(count > 0)
            text += buffer.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
