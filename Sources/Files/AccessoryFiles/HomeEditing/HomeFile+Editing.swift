package import Documents
package import HomeModel
internal import YAMLDocuments

extension HomeFile {
    /// Returns the text of a home file after an edit of one of its homes.
    ///
    /// Only what differs between the two homes is written. Everything else stays as it is in the file: comments, order,
    /// quotes and blank lines, the definitions of accessories, and the other homes of the file. A new entry is the last
    /// of its section, and a removed one is removed together with the comments directly above it.
    ///
    /// A part that cannot be edited in place, such as one whose anchor is used elsewhere, is written again as a whole. The
    /// result can always be read, and has the edited content and nothing else that is new.
    ///
    /// Whether users are home is not written. Whether an automation is enabled is written only for new automations, for
    /// those that have `enabled` in the file, and for those that are changed in another way at the same time.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - name: The name of the file, for messages.
    ///   - old: The home as it was merged from this file.
    ///   - new: The same home after the edit.
    /// - Throws: ``DocumentError`` if the file cannot be read, if it does not contain the home, if the text after the edit
    ///   would be too large to be read, or if the edit changes an object of which parts are left out, because an accessory
    ///   is missing: these parts would be lost.
    package static func text(
        _ bytes: [UInt8],
        name: String,
        changing old: Home,
        to new: Home
    ) throws(DocumentError) -> [UInt8] {
        var reader = DocumentReader()
        let file = TextDocument.read(bytes, in: name, firstKey: "home", &reader.diagnostics)
        let described = file.flatMap { Format.homeFile.read($0.root, &reader) }
        let (root, language) = try reader.result(file)
        let document = try reader.result(described)
        guard let index = document.homes.firstIndex(where: { $0.name.value.key == old.name.key }) else {
            throw DocumentError(
                in: name,
                "the home \(old.name) is not in the file; add it again, or load the file again"
            )
        }
        let merge = HomeRewriting.merge(document, at: index, into: old, named: old.name)
        let leftOut = HomeFileEdit.Entry.leftOut(of: merge, changedBetween: old, new)
        guard leftOut.isEmpty else { throw DocumentError(leftOut.map { Diagnostic(leftOut: $0, in: name) }) }
        let rewriting = HomeRewriting(
            bytes: bytes,
            root: root.node,
            language: language,
            index: index,
            name: name,
            old: old,
            new: new,
            pending: Set(merge?.pending.map(\.value.reason) ?? [])
        )
        var edit = HomeFileEdit(document.homes[index], from: old, to: new)
        guard let edited = edit.edited(root.node, index) else { return bytes }
        let first = try rewriting.result(editedAs: edited)
        guard let differences = rewriting.differences(in: first), !differences.isEmpty else { return first.text }
        // The file refers to an object in a way that the edit has changed, although an export would not differ.
        edit.rewritten = differences
        guard let edited = edit.edited(root.node, index), let second = try? rewriting.result(editedAs: edited) else {
            return first.text
        }
        let remaining = rewriting.differences(in: second)
        return remaining.map { $0.count < differences.count } == true ? second.text : first.text
    }
}

/// Writes and checks the text of a home file after an edit.
private struct HomeRewriting {
    /// The file after an edit.
    struct Result {
        let text: [UInt8]
        let document: HomeDocument
    }

    /// The text before the edit.
    let bytes: [UInt8]
    let root: DocumentNode
    let language: DocumentLanguage
    /// The index of the home in the file.
    let index: Int
    /// The name of the file, for messages.
    let name: String
    let old: Home
    let new: Home
    /// What the merge of the original text leaves out, because an accessory is missing.
    let pending: Set<String>

    /// Returns the text after an edit, which can be read.
    func result(editedAs edited: EditedNode) throws(DocumentError) -> Result {
        let text = TextDocument.text(bytes, root: root, editedAs: edited, language)
        do throws(DocumentError) {
            return Result(text: text, document: try HomeFile.read(text, name: name))
        } catch {
            throw DocumentError(error.diagnostics, ofWritten: "the home file", in: name)
        }
    }

    /// Returns the objects that the old home would not have as in the new one after it is merged with a file.
    ///
    /// They include those of which the merge leaves out more than before. Returns `nil` if the merge fails for another
    /// reason.
    func differences(in result: Result) -> Set<HomeFileEdit.Entry>? {
        guard let merge = Self.merge(result.document, at: index, into: old, named: new.name) else { return nil }
        guard merge.errors.isEmpty else {
            let entries = merge.errors.compactMap { HomeFileEdit.Entry(path: $0.location?.path ?? "") }
            return entries.count == merge.errors.count ? Set(entries) : nil
        }
        guard let merged = merge.homes.homes.first else { return nil }
        let leftOut = merge.pending.filter { !pending.contains($0.value.reason) }
        return HomeFileEdit.Entry.differences(HomeDescription(merged), HomeDescription(new))
            .union(leftOut.compactMap { HomeFileEdit.Entry(path: $0.location?.path ?? "") })
    }

    static func merge(
        _ document: HomeDocument,
        at index: Int,
        into home: Home,
        named name: ObjectName
    ) -> HomeMerge? {
        guard document.homes.indices.contains(index) else { return nil }
        var homes = Homes(homes: [home], primary: home.id)
        guard (try? homes.renameHome(home.id, to: name)) != nil else { return nil }
        var alone = document
        alone.homes = [document.homes[index]]
        return HomeMerge(alone, into: homes, known: [], extent: .complete)
    }
}

extension Diagnostic {
    /// Creates the error that an edit would lose a part of the file that is left out.
    fileprivate init(leftOut part: Located<HomeError>, in file: String) {
        self.init(
            .error,
            in: file,
            at: part.location?.position,
            path: part.location?.path ?? "",
            "this part is left out as long as its accessory is missing, and the edit would remove it; serve or pair the "
                + "accessory first, or edit the file"
        )
    }
}
