/// A text table without borders.
enum TextTable {
    /// Returns the lines of the table, each indented.
    static func lines(_ rows: [[String]], indentation: Int = 2) -> [String] {
        let widths = (0..<(rows.map(\.count).max() ?? 0))
            .map { column in
                rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
            }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return (String(repeating: " ", count: indentation) + cells.joined(separator: "  ")).trimmingEnd
        }
    }

    /// Returns the table as one text, not indented by default.
    static func text(_ rows: [[String]], indentation: Int = 0) -> String {
        lines(rows, indentation: indentation).map { "\($0)\n" }.joined()
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
