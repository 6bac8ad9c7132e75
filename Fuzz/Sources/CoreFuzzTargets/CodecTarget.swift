import FuzzHarness
import HAPCore

/// The accessory's connection codec: unencrypted, then in frames.
///
/// The result does not depend on how the input is cut into pieces.
enum CodecTarget: FuzzTarget {
    static let name = "codec"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (name, bytes) in RequestSeeds.plain {
            seeds["clear-\(name)"] = [0, 5, 0xFF, 0xFF] + bytes
            seeds["session-\(name)"] = [3, 5, 0, 0] + bytes
        }
        let read = RequestSeeds.plain["read"] ?? []
        seeds["switched"] = [1, 9, UInt8(read.count), 0] + read + read
        seeds["cut-frames"] = [0x43, 0, 0, 0] + read + read
        return seeds
    }

    static func run(_ input: [UInt8]) {
        let connection = FuzzSwitch(input, sentBy: .controller)
        let whole = stream(of: connection, nil)
        connection.check(whole, stream(of: connection, connection.cuts))
        if connection.clear.isEmpty, !connection.isDamaged {
            let reference = HTTPStream<HTTPRequest>.requests(connection.plaintext, cut: nil, limits: .verified)
            claim(whole == reference, "frames carry what they carry in clear")
        }
    }

    private static func stream(of connection: FuzzSwitch, _ cuts: Cuts?) -> HTTPStream<HTTPRequest> {
        var codec = AccessoryConnectionCodec()
        return connection.stream(
            cut: cuts,
            receive: { (piece) throws(ProtocolError) in try codec.receive(piece) },
            next: { () throws(ProtocolError) in try codec.nextRequest() },
            secure: {
                codec.secure(with: FuzzSession.keys(.accessory))
                FuzzSwitch.checkEncoding(
                    openedBy: .controller,
                    size: { codec.encodedSize(of: $0) },
                    encode: { message, target in message.withUnsafeBytes { codec.encode($0, into: target) } }
                )
            },
            isMidMessage: { codec.isMidRequest }
        )
    }
}
