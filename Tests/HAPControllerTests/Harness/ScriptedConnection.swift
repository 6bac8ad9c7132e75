import HAPCore
import NIOCore
import Synchronization
import TestSupport

/// A connection to a scripted accessory: the state machines of HAPCore create responses, and the script decides what is
/// sent.
final class ScriptedConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let script: Script
    private let journal: ScriptedAccessory.Journal
    private var codec = AccessoryConnectionCodec()
    private var table: PairingTable
    private let setup: SetupDriver
    private var forgingSetup = ForgedPairSetup()
    private var verify: PairVerifyAccessory
    private var controllerID: ControllerIdentifier?
    private var context: ChannelHandlerContext?

    init(script: Script, journal: ScriptedAccessory.Journal) {
        self.script = script
        self.journal = journal
        table = PairingTable(pairings: script.pairings)
        setup = SetupDriver(identity: script.identity)
        verify = PairVerifyAccessory(identity: script.identity)
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            try unwrapInboundIn(data).withUnsafeReadableBytes { try codec.receive($0) }
            while let request = try codec.nextRequest() {
                journal.record(request)
                try respond(to: request)
            }
        } catch {
            context.close(promise: nil)
        }
    }

    /// Performs steps immediately.
    func perform(_ steps: [ScriptStep]) {
        guard let context else { return }
        for step in steps {
            switch step {
            case .message(let message):
                var bytes = [UInt8](repeating: 0, count: codec.encodedSize(of: message.count))
                bytes.withUnsafeMutableBytes { target in
                    message.withUnsafeBytes { codec.encode($0, into: target) }
                }
                send(bytes, context)
            case .raw(let bytes):
                send(bytes, context)
            case .close:
                context.close(promise: nil)
            }
        }
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard script.sendsSingleBytes else {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            return
        }
        for byte in bytes {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [byte])), promise: nil)
        }
    }

    private func respond(to request: HTTPRequest) throws {
        switch request.endpoint {
        case .pairSetup:
            perform(script.respond(request, .pairing(try setupResponse(to: request.body))))
        case .pairVerify:
            switch verify.receive(request.body, pairings: table, ephemeral: X25519KeyPair.random) {
            case .respond(let reply):
                perform(script.respond(request, .pairing(reply.message)))
            case .establish(let reply, let keys, let pairing):
                perform(script.respond(request, .pairing(reply.message)))
                codec.secure(with: keys)
                controllerID = pairing.identifier
                journal.addSession(self)
            case .refuse:
                perform(script.respond(request, HTTPResponse(.badRequest)))
            }
        case .pairings:
            let steps = script.respond(request, .pairing(pairingsResponse(to: request.body)))
            perform(steps)
        case .accessories:
            perform(script.respond(request, .json(.ok, Array(script.database.utf8))))
        case .characteristics where request.method == .get:
            perform(script.respond(request, .json(.ok, try values(for: request))))
        case .characteristics:
            perform(script.respond(request, HTTPResponse(.noContent)))
        case .prepare:
            perform(script.respond(request, .json(.ok, StatusBody.bytes(of: .success))))
        case .identify, .resource, .secureMessage, .configured, nil:
            perform(script.respond(request, HTTPResponse(.notFound)))
        }
    }

    private func setupResponse(to body: [UInt8]) throws -> [UInt8] {
        if script.forgesM6 {
            return try forgingSetup.response(to: body)
        }
        let response = setup.send(body).message ?? []
        for pairing in setup.table.pairings {
            table.apply(.put(pairing))
        }
        return response
    }

    private func pairingsResponse(to body: [UInt8]) -> [UInt8] {
        guard let controllerID else { return [] }
        var machine = PairingsAccessory()
        switch machine.receive(body, from: controllerID, pairings: table) {
        case .persist(let change):
            table.apply(change)
            journal.record(change)
            if case .respond(let reply) = machine.didPersist(isDurable: true) { return reply.message }
            return []
        case .respond(let reply):
            return reply.message
        case .refuse:
            return []
        }
    }

    private func values(for request: HTTPRequest) throws -> [UInt8] {
        let items = try CharacteristicReadRequest(query: request.query)
            .addresses.map { #"{"aid":\#($0.aid),"iid":\#($0.iid),"value":1}"# }
        return Array(#"{"characteristics":[\#(items.joined(separator: ","))]}"#.utf8)
    }
}
