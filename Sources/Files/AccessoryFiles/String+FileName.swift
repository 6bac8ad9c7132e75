extension String {
    /// Creates a title from a file name without folder and extension, for an accessory without a name.
    init(titleOfFile name: String) {
        let file = name.split(separator: "/").last ?? ""
        let title = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        self = title.isEmpty ? "Accessory" : String(title)
    }

    /// Returns the path of a file, which is relative to the file that names it.
    package func resolved(relativeTo file: String) -> String {
        guard !hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return self }
        return file[...slash] + self
    }

    /// Returns the text, followed by a number if it is taken, and adds the result to the taken texts.
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
