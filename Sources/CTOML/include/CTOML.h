// TOML through toml11, whose versions 3.7 (Debian 12) and 4 (Debian 13) differ. No exception leaves these functions.
#ifndef CTOML_H
#define CTOML_H

#include <stddef.h>
#include <stdint.h>

typedef enum ctoml_kind {
    CTOML_TABLE, CTOML_ARRAY, CTOML_STRING, CTOML_INTEGER, CTOML_BOOLEAN,
    CTOML_OTHER  // a float, a date, a time
} ctoml_kind;

// A value. Positions are offsets in bytes. Strings belong to the document; they may contain NUL.
typedef struct ctoml_node {
    ctoml_kind kind;
    size_t count;             // the values of a table or a list; they follow, each with its values
    const char *name;         // the key; null: none
    size_t name_length;
    const char *text;         // of a string
    size_t text_length;
    int64_t number;           // of an integer or a boolean
    size_t key;               // the key's first byte; for an element, its own
    size_t first, last;       // the value as written; its name, where a header or a dotted key defines it
} ctoml_node;

typedef struct ctoml_document {
    const ctoml_node *nodes;  // the root table, then its content
    size_t count;
    const char *error;        // a message for the first error; null: none
    size_t error_offset;
} ctoml_document;

#ifdef __cplusplus
extern "C" {
#endif

// Parses UTF-8 without a byte order mark. Null: out of memory.
const ctoml_document *ctoml_parse(const char *bytes, size_t length);
void ctoml_free(const ctoml_document *document);

#ifdef __cplusplus
}
#endif

#endif
