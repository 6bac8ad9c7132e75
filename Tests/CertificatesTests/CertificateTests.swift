import Foundation
import HAPCore
import TestSupport
import Testing

@testable import Certificates

/// Certificates and signatures, checked by the command `openssl`.
@Suite(.timeLimit(.minutes(5)))
struct CertificateTests {
    /// The start of 2026, and two days later.
    private static let times = (begin: 1_767_225_600, end: 1_767_398_400)

    /// A chain like that of a Cast receiver: root, intermediate, device.
    private struct Chain {
        let rootKey: RSAKey
        let deviceKey: RSAKey
        let root: Certificate
        let intermediate: Certificate
        let device: Certificate

        init() throws {
            rootKey = try RSAKey.generate()
            deviceKey = try RSAKey.generate()
            let intermediateKey = try RSAKey.generate()
            let (begin, end) = CertificateTests.times
            root = try Certificate.make(.authority, subject: "Root", key: rootKey, notBefore: begin, notAfter: end)
            intermediate = try Certificate.make(
                .authority,
                subject: "Intermediate",
                key: intermediateKey,
                issuer: ("Root", rootKey),
                notBefore: begin,
                notAfter: end
            )
            device = try Certificate.make(
                .leaf,
                subject: "Téléviseur",
                key: deviceKey,
                issuer: ("Intermediate", intermediateKey),
                notBefore: begin,
                notAfter: end,
                serial: 0x1234
            )
        }
    }

    private static let chain = Result { try Chain() }

    /// Runs `openssl`, and returns its status and what it has written.
    private static func openssl(_ arguments: [String], in folder: TemporaryFolder) throws -> (Int32, String) {
        let path = try folder.write("", to: "output")
        let output = try #require(FileHandle(forWritingAtPath: path))
        let process = try ChildProcess(["openssl"] + arguments, in: folder.path, output: output, errors: output)
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOfFile: path, encoding: .utf8))
    }

    private static func write(_ bytes: [UInt8], to name: String, in folder: TemporaryFolder) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
    }

    // MARK: Certificates

    @Test
    func aChainIsVerified() throws {
        let (folder, chain) = (try TemporaryFolder(), try Self.chain.get())
        _ = try folder.write(chain.root.pem, to: "root.pem")
        _ = try folder.write(chain.intermediate.pem, to: "intermediate.pem")
        _ = try folder.write(chain.device.pem, to: "device.pem")
        let options = ["-attime", "\(Self.times.begin + 1)", "-CAfile", "root.pem"]
        func verify(_ arguments: String...) throws -> Int32 {
            try Self.openssl(["verify"] + options + arguments, in: folder).0
        }
        #expect(try verify("-untrusted", "intermediate.pem", "device.pem") == 0)
        #expect(try verify("intermediate.pem") == 0)
        #expect(try verify("device.pem") != 0)
        // A device issues no certificates.
        let (begin, end) = Self.times
        let forged = try Certificate.make(
            .leaf,
            subject: "Forged",
            key: chain.rootKey,
            issuer: ("Téléviseur", chain.deviceKey),
            notBefore: begin,
            notAfter: end
        )
        _ = try folder.write(chain.intermediate.pem + chain.device.pem, to: "untrusted.pem")
        _ = try folder.write(forged.pem, to: "forged.pem")
        #expect(try verify("-untrusted", "untrusted.pem", "forged.pem") != 0)
    }

    @Test
    func aCertificateHasItsNamesTimesAndUses() throws {
        let (folder, chain) = (try TemporaryFolder(), try Self.chain.get())
        func text(_ certificate: Certificate) throws -> String {
            try Self.write(certificate.der, to: "certificate.der", in: folder)
            let arguments = "x509 -inform DER -in certificate.der -noout -text -nameopt utf8,sep_comma_plus"
            let (status, text) = try Self.openssl(arguments.split(separator: " ").map(String.init), in: folder)
            #expect(status == 0)
            return text
        }
        let device = try text(chain.device)
        #expect(device.contains("Version: 3 (0x2)"))
        #expect(device.contains("Serial Number: 4660 (0x1234)"))
        #expect(device.contains("Signature Algorithm: sha256WithRSAEncryption"))
        #expect(device.contains("Issuer: CN=Intermediate\n"))
        #expect(device.contains("Subject: CN=Téléviseur\n"))
        #expect(device.contains("Not Before: Jan  1 00:00:00 2026 GMT"))
        #expect(device.contains("Not After : Jan  3 00:00:00 2026 GMT"))
        #expect(device.contains("Public-Key: (2048 bit)"))
        #expect(device.contains(/X509v3 Key Usage: critical\n +Digital Signature\n/))
        #expect(!device.contains("CA:TRUE"))
        let root = try text(chain.root)
        #expect(root.contains("Issuer: CN=Root\n"))
        #expect(root.contains(/X509v3 Basic Constraints: critical\n +CA:TRUE\n/))
        #expect(root.contains(/X509v3 Key Usage: critical\n +Digital Signature, Certificate Sign\n/))
        let (begin, end) = Self.times
        let server = try text(
            Certificate.make(.server, subject: "TV", key: chain.deviceKey, notBefore: begin, notAfter: end)
        )
        #expect(server.contains(/X509v3 Key Usage: critical\n +Digital Signature, Key Encipherment\n/))
        #expect(server.contains(/X509v3 Extended Key Usage: ?\n +TLS Web Server Authentication\n/))
    }

    @Test
    func aCertificateIsReadAgain() throws {
        let certificate = try Self.chain.get().device
        #expect(try Certificate(der: certificate.der) == certificate)
        for bytes in [[], [0x30], Array("garbage".utf8), certificate.der + [0], certificate.der.dropLast()] as [[UInt8]]
        {
            #expect(throws: CertificateError.invalidCertificate) { try Certificate(der: bytes) }
        }
    }

    @Test
    func namesAndTimesThatACertificateCannotHaveAreRefused() throws {
        let key = try Self.chain.get().rootKey
        func make(_ subject: String, issuer: String = "Root", _ begin: Int = 0, _ end: Int = 1) throws {
            let issuer = (issuer, key)
            _ = try Certificate.make(
                .leaf,
                subject: subject,
                key: key,
                issuer: issuer,
                notBefore: begin,
                notAfter: end
            )
        }
        try make(String(repeating: "é", count: 64))
        for name in ["", String(repeating: "é", count: 65), String(repeating: "x", count: 100_000)] {
            #expect(throws: CertificateError.invalidName) { try make(name) }
            #expect(throws: CertificateError.invalidName) { try make("TV", issuer: name) }
        }
        for (begin, end) in [(1, 0), (0, .max), (.min, 0)] {
            #expect(throws: CertificateError.invalidTime) { try make("TV", begin, end) }
        }
    }

    // MARK: Keys

    @Test(arguments: [RSAKey.Hash.sha1, .sha256])
    func aSignatureIsVerified(hash: RSAKey.Hash) throws {
        let (folder, chain) = (try TemporaryFolder(), try Self.chain.get())
        try Self.write(chain.device.der, to: "device.der", in: folder)
        let export = "x509 -inform DER -in device.der -noout -pubkey -out key.pem".split(separator: " ")
        #expect(try Self.openssl(export.map(String.init), in: folder).0 == 0)
        for message in [[], Array("nonce".utf8), [UInt8](repeating: 7, count: 100_000)] as [[UInt8]] {
            try Self.write(message, to: "message", in: folder)
            try Self.write(chain.deviceKey.signature(of: message, hash: hash), to: "signature", in: folder)
            let check = "dgst -\(hash) -verify key.pem -signature signature message".split(separator: " ")
            #expect(try Self.openssl(check.map(String.init), in: folder).0 == 0)
            try Self.write(chain.rootKey.signature(of: message, hash: hash), to: "signature", in: folder)
            #expect(try Self.openssl(check.map(String.init), in: folder).0 != 0)
        }
    }

    @Test
    func aKeyIsReadAgain() throws {
        let (folder, key) = (try TemporaryFolder(), try Self.chain.get().deviceKey)
        let der = try key.der
        let message = Array("nonce".utf8)
        let signature = try key.signature(of: message, hash: .sha256)
        #expect(try RSAKey(der: der).der == der)
        #expect(try RSAKey(der: der).signature(of: message, hash: .sha256) == signature)
        try Self.write(der, to: "key.der", in: folder)
        let convert = "pkcs8 -topk8 -nocrypt -inform DER -in key.der -outform DER -out key.p8".split(separator: " ")
        #expect(try Self.openssl(convert.map(String.init), in: folder).0 == 0)
        let other = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder("key.p8"))))
        #expect(other != der)
        #expect(try RSAKey(der: other).der == der)
    }

    @Test(arguments: ["rsa -pkeyopt rsa_keygen_bits:1024", "ec -pkeyopt ec_paramgen_curve:P-256"])
    func otherKeysAreRefused(kind: String) throws {
        let folder = try TemporaryFolder()
        let make = "genpkey -outform DER -out key.der -algorithm \(kind)".split(separator: " ")
        #expect(try Self.openssl(make.map(String.init), in: folder).0 == 0)
        let der = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder("key.der"))))
        #expect(throws: CertificateError.invalidKey) { try RSAKey(der: der) }
    }

    @Test
    func garbageIsNotAKey() throws {
        let der = try Self.chain.get().deviceKey.der
        for bytes in [[], [0x30], Array("garbage".utf8), der + [0], der.dropLast()] as [[UInt8]] {
            #expect(throws: CertificateError.invalidKey) { try RSAKey(der: bytes) }
        }
        // No changed byte may trap; a number inside may be any other one.
        for place in stride(from: 0, to: der.count, by: 7) {
            var changed = der
            changed[place] ^= 0x5A
            _ = try? RSAKey(der: changed).signature(of: [1], hash: .sha256)
        }
    }
}
