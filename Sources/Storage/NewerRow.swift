/// A row that a newer version of the program has written; it may be as good as any.
struct NewerRow: Error {}
