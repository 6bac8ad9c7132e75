// The files of the page, which are part of the program.

#include <stddef.h>

/// A file of the page.
struct page_file {
    /// The name, such as `page.css`.
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

/// Returns a file by its position, or `NULL` after the last one.
const struct page_file *_Nullable page_file_at(size_t position);
