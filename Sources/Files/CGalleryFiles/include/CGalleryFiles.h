#pragma once

#include <stddef.h>

/// A definition of the folder Accessories, as it was when the program was built.
struct gallery_file {
    /// The name of the file without its extension.
    const char *name;
    const unsigned char *content;
    size_t size;
};

/// Returns the number of definitions.
size_t gallery_file_count(void);

/// Returns a definition by its index, which must be less than the number of definitions.
struct gallery_file gallery_file(size_t index);
