/// Returns a number with its noun, such as "1 step" or "3 steps".
///
/// - Parameter plural: The plural of a noun to which more than an "s" is added.
func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? "\(noun)s")"
}
