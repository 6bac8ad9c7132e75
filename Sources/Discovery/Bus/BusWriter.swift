/// Appends values as D-Bus lays them out: little-endian, aligned to their size.
struct BusWriter {
    var bytes: [UInt8] = []

    mutating func align(_ size: Int) {
        while !bytes.count.isMultiple(of: size) {
            bytes.append(0)
        }
    }

    mutating func write(byte: UInt8) {
        bytes.append(byte)
    }

    mutating func write(_ value: UInt32) {
        align(4)
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    mutating func write(_ text: String) {
        write(UInt32(clamping: text.utf8.count))
        bytes += text.utf8
        bytes.append(0)
    }

    mutating func write(signature: String) {
        bytes.append(UInt8(clamping: signature.utf8.count))
        bytes += signature.utf8
        bytes.append(0)
    }
}
