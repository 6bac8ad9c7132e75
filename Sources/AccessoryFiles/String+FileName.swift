extension String {
    /// The name of a file without folder and extension, for an accessory that has none of its own.
    init(titleOfFile name: String) {
        let file = name.split(separator: "/").last ?? ""
        let title = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        self = title.isEmpty ? "Accessory" : String(title)
    }

    /// The path of a file that another one names, relative to that.
    package func resolved(relativeTo file: String) -> String {
        guard !hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return self }
        return file[...slash] + self
    }

    /// The text, with a number behind it when there is such a one already; the result is added to those.
    func unique(among taken: inout Set<String>) -> String {
        var candidate = self
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(self) \(number)"
            number += 1
        }
        return candidate
    }
}
