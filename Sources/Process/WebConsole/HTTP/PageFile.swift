internal import CPageFiles
internal import HTTPTypes

/// A file of the page that the API serves to browsers.
struct PageFile: Sendable {
    /// The name, such as `page.css`.
    let name: String
    let bytes: [UInt8]
    /// The bytes in the format of gzip, if zlib could compress them.
    let compressed: [UInt8]?

    private init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        compressed = bytes.compressedWithGzip()
    }

    /// All files, by name.
    static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        var position = 0
        while let file = page_file_at(position)?.pointee {
            let name = String(cString: file.name)
            files[name] = PageFile(name: name, bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
            position += 1
        }
        return files
    }()

    /// The page itself, which loads the other files.
    static let index = "index.html"

    /// What a browser may do on behalf of the page: load files and talk to the API of this process, and nothing else.
    ///
    /// Scripts and styles within the page's markup are refused, and so is every conversion of a text to markup.
    static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'
        """

    private var mediaType: String {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }

    /// Returns the response with the file, which is compressed for a client that accepts gzip.
    func response(to request: HTTPFields) -> APIResponse {
        let accepted = request[values: .acceptEncoding].joined(separator: ",").lowercased()
        let acceptsGzip = accepted.split(separator: ",")
            .contains { coding in
                let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
                return parts.first == "gzip" && !parts.dropFirst().contains { $0.wholeMatch(of: #/q=0(\.0*)?/#) != nil }
            }
        let compressed = acceptsGzip ? compressed : nil
        var response = APIResponse(status: .ok, mediaType: mediaType, content: .bytes(compressed ?? bytes))
        response.headers[.vary] = "Accept-Encoding"
        if compressed != nil { response.headers[.contentEncoding] = "gzip" }
        if name == Self.index { response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy }
        return response
    }
}
