/// One message on a D-Bus bus.
///
/// [D-Bus specification](https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-messages)
struct BusMessage: Sendable, Hashable {
    /// What it is for.
    enum Kind: UInt8, Sendable {
        case call = 1
        case reply = 2
        case failure = 3
        case signal = 4
    }

    /// An argument of a call, of the types that are needed.
    enum Argument: Sendable, Hashable {
        case integer(Int32)
        case unsigned(UInt32)
        case string(String)
    }

    var kind: Kind
    /// Numbers the messages of a sender.
    var serial: UInt32
    /// The serial of the call that this answers.
    var replySerial: UInt32?
    /// What a signal tells, or the name of a failure.
    var name: String?
    var body: [UInt8] = []

    /// The most bytes that are read for one message; the bus allows 128 MiB.
    static let maximumSize = 1 << 20
    /// The bytes before the header's fields.
    static let prefixSize = 16

    /// A call as it travels.
    ///
    /// A service that is not running is not started for it.
    static func call(
        _ member: String,
        of interface: String,
        at path: String,
        destination: String,
        _ arguments: [Argument],
        serial: UInt32
    ) -> [UInt8] {
        var body = BusWriter()
        var signature = ""
        for argument in arguments {
            switch argument {
            case .integer(let value):
                body.write(UInt32(bitPattern: value))
                signature += "i"
            case .unsigned(let value):
                body.write(value)
                signature += "u"
            case .string(let value):
                body.write(value)
                signature += "s"
            }
        }
        var fields = BusWriter()
        for (code, type, value) in [(1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination)] {
            fields.align(8)
            fields.write(byte: UInt8(code))
            fields.write(signature: type)
            fields.write(value)
        }
        if !signature.isEmpty {
            fields.align(8)
            fields.write(byte: 8)
            fields.write(signature: "g")
            fields.write(signature: signature)
        }
        var message = BusWriter()
        let noAutoStart: UInt8 = 0x2
        message.bytes = [UInt8(ascii: "l"), Kind.call.rawValue, noAutoStart, 1]
        message.write(UInt32(clamping: body.bytes.count))
        message.write(serial)
        message.write(UInt32(clamping: fields.bytes.count))
        message.bytes += fields.bytes
        message.align(8)
        return message.bytes + body.bytes
    }
}
