import Testing

@testable import HAPCore

struct HTTPBufferTests {
    @Test func largeBodyReleasesItsMemory() {
        var buffer = HTTPBuffer()
        [UInt8](repeating: 1, count: 1 << 20).withUnsafeBytes { buffer.append($0) }
        #expect(buffer.readBytes(1 << 20).count == 1 << 20)
        #expect(buffer.bytes.capacity <= 16 << 10)
    }

    @Test func memoryIsReleasedWhileBytesRemain() {
        var buffer = HTTPBuffer()
        [UInt8](repeating: 1, count: 1 << 20).withUnsafeBytes { buffer.append($0) }
        buffer.consume((1 << 20) - 10)
        [2].withUnsafeBytes { buffer.append($0) }
        #expect(buffer.count == 10 + MemoryLayout<Int>.size)
        #expect(buffer.bytes.capacity <= 16 << 10)
    }

    @Test func smallMessagesReuseTheirMemory() {
        var buffer = HTTPBuffer()
        let message = [UInt8](repeating: 1, count: 200)
        for _ in 0..<1000 {
            message.withUnsafeBytes { buffer.append($0) }
            buffer.consume(200)
        }
        #expect(buffer.bytes.capacity < 1024)
        #expect(buffer.count == 0)
    }
}
