import Foundation
import Testing

/// A pipe into which nothing fits any more, since nobody reads it.
final class FullPipe {
    private let pipe = Pipe()

    /// Where a writer stalls.
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

    /// Reads until what came ends with this.
    func drain(until ending: String) throws -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
            // Not with FileHandle, which waits until it has all that was asked for.
            let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
            try #require(count > 0)
            text += buffer.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
