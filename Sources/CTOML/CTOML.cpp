#include "CTOML.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <toml.hpp>
#include <unordered_map>
#include <vector>

namespace {

struct Failure {
    std::string sentence;
    size_t offset;
};

// The message for "toml::parse_key: an invalid key appeared."
std::string sentence(const std::string &title) {
    size_t name = title.rfind("toml::", 0) == 0 ? title.find(':', 6) : std::string::npos;
    size_t start = name == std::string::npos ? 0 : title.find_first_not_of(": ", name);
    return start == std::string::npos ? "" : "not TOML: " + title.substr(start, title.find_last_not_of(". ") + 1 - start);
}

// A text with the offsets of its lines.
struct Text {
    std::string bytes;
    std::vector<size_t> lines = {0};

    Text(const char *begin, size_t length) : bytes(begin, length) {
        for (size_t at = 0; at < length; at++)
            if (begin[at] == '\n') lines.push_back(at + 1);
    }
    size_t offset(size_t line, size_t column) const {
        return line == 0 || line > lines.size() ? bytes.size() : std::min(lines[line - 1] + column - 1, bytes.size());
    }
};

} // namespace

#if TOML11_VERSION_MAJOR >= 4

struct Types : toml::type_config {
    using comment_type = toml::discard_comments;
};
using Value = toml::basic_value<Types>;

// toml11 continues after an error, and 4.4 does not return from everything that it then skips (a comment in a list):
// here the first error ends the parsing.
template <> class toml::detail::context<Types> {
    toml::spec spec_;
    std::vector<toml::error_info> none_;

  public:
    explicit context(const toml::spec &spec) : spec_(spec) {}
    bool has_error() const { return false; }
    const std::vector<toml::error_info> &errors() const { return none_; }
    const toml::spec &toml_spec() const { return spec_; }
    [[noreturn]] void report_error(toml::error_info error) { throw error; }
    toml::error_info pop_last_error() { return none_.at(0); }
};

static Value parse(const Text &text) {
    try {
        return toml::parse<Types>(std::vector<unsigned char>(text.bytes.begin(), text.bytes.end()), "");
    } catch (const toml::error_info &error) {
        const toml::source_location &position = error.locations().at(0).first;
        throw Failure{sentence(error.title()), text.offset(position.first_line_number(), position.first_column_number())};
    }
}

static void locate(const Value &value, const Text &text, ctoml_node &node) {
    const toml::source_location position = value.location();
    node.first = text.offset(position.first_line_number(), position.first_column_number());
    node.last = std::min(node.first + position.length(), text.bytes.size());
}

#else

// toml11 reads the last element of an array that may be empty (`a = []`, `[a.b]`), and rejects anything but a table.
template <typename T, typename Allocator = std::allocator<T>> struct Array : std::vector<T, Allocator> {
    using std::vector<T, Allocator>::vector;
    T &back() {
        static T none;
        return this->empty() ? none : std::vector<T, Allocator>::back();
    }
};
using Value = toml::basic_value<toml::discard_comments, std::unordered_map, Array>;

static Value parse(const Text &text) {
    try {
        std::istringstream stream(text.bytes);
        return toml::parse<toml::discard_comments, std::unordered_map, Array>(stream, "");
    } catch (const toml::exception &error) {
        // A title, then lines of the text with a mark below; the last one names the error:
        //  3 | clock = '12h'
        //    |         ~~~~~ value defined twice
        std::istringstream message(error.what());
        std::string line, comment;
        std::getline(message, line);
        Failure failure{sentence(line.substr(line.rfind("[error] ", 0) == 0 ? 8 : 0)), text.bytes.size()};
        while (std::getline(message, line)) {
            size_t number = strtoul(line.c_str(), nullptr, 10), margin = line.find(" | ") + 3;
            if (number == 0 || !std::getline(message, line)) continue;
            size_t mark = std::min(line.find_first_of("^~", margin), line.size());
            failure.offset = text.offset(number, mark + 1 - margin);
            comment = line.substr(std::min(line.find(' ', mark), line.size() - 1) + 1);
        }
        if (failure.sentence.empty()) failure.sentence = sentence(comment);
        throw failure;
    }
}

static void locate(const Value &value, const Text &, ctoml_node &node) {
    // Not location(): it counts the lines from the first one for every value.
    auto region = dynamic_cast<const toml::detail::region *>(toml::detail::get_region(value));
    if (!region) return;
    node.first = region->first() - region->begin();
    node.last = region->last() - region->begin();
}

#endif

namespace {

// The offset after a string, or after the line where an unclosed one ends.
size_t end_of_string(const std::string &text, size_t at) {
    const char quote = text[at];
    const std::string three(3, quote);
    const bool is_long = text.compare(at, 3, three) == 0;
    for (at += is_long ? 3 : 1; at < text.size(); at++) {
        if (text[at] == '\\' && quote == '"') at++;
        else if (is_long && text.compare(at, 3, three) == 0) return std::min(text.find_first_not_of(quote, at), text.size());
        else if (!is_long && (text[at] == quote || text[at] == '\n')) return at + 1;
    }
    return text.size();
}

// The maximum depth of brackets, and of dots in a key; no file of this program has more.
const size_t max_depth = 12;

// The parser recurses for each bracket, and its result for each dot of a key.
void check_depth(const std::string &text) {
    size_t brackets = 0, dots = 0;
    for (size_t at = 0; at < text.size(); at++) {
        const char byte = text[at];
        if (byte == '#') at = std::min(text.find('\n', at), text.size()) - 1;
        if (byte == '"' || byte == '\'') at = end_of_string(text, at) - 1;
        if (byte == '[' || byte == '{') brackets++;
        if ((byte == ']' || byte == '}') && brackets > 0) brackets--;
        dots = byte == '.' ? dots + 1 : strchr("\n=,[{", byte) ? 0 : dots;
        if (std::max(brackets, dots) > max_depth)
            throw Failure{"tables are nested deeper than any key needs", at};
    }
}

const char blanks[] = " \t";

size_t end_of_key(const std::string &text, size_t at) {
    if (at < text.size() && strchr("\"'", text[at])) return end_of_string(text, at);
    return std::min(text.find_first_of(".=] \t\n", at), text.size());
}

// The start of the key whose last byte is at `at`. A quote inside a quoted key follows an odd number of backslashes.
size_t start_of_key(const std::string &text, size_t at) {
    const char quote = text[at];
    if (quote != '"' && quote != '\'') return text.find_last_of(".{, \t\n", at) + 1;
    for (size_t start = at; start-- > 0;) {
        size_t plain = quote == '"' && start > 0 ? text.find_last_not_of('\\', start - 1) : start - 1;
        if (text[start] == quote && (start - 1 - plain) % 2 == 0) return start;
    }
    return 0;
}

struct Document : ctoml_document {
    Text text;
    Value root;
    std::vector<ctoml_node> tree;
    std::string sentence;

    Document(const char *bytes, size_t length) : ctoml_document(), text(bytes, length) {
        try {
            check_depth(text.bytes);
            root = parse(text);
            add(root, nullptr, 0, SIZE_MAX, 0);
        } catch (const Failure &failure) {
            sentence = failure.sentence;
            error_offset = failure.offset;
        } catch (const std::exception &) {
            sentence = "not TOML";
        }
        if (!sentence.empty()) error = sentence.c_str();
        nodes = tree.data();
        count = tree.size();
    }

  private:
    // Adds a value with `depth` keys above it, and all below it. `outer` is the offset of the parent value, and `part`
    // the index within a header or a dotted key.
    void add(const Value &value, const std::string *name, size_t depth, size_t outer, size_t part) {
        ctoml_node node = {};
        node.kind = CTOML_OTHER;
        if (name) node.name = name->data(), node.name_length = name->size();
        locate(value, text, node);
        if (value.is_string()) {
            const std::string &string = value.as_string();
            node.kind = CTOML_STRING, node.text = string.data(), node.text_length = string.size();
        } else if (value.is_integer()) {
            node.kind = CTOML_INTEGER, node.number = value.as_integer();
        } else if (value.is_boolean()) {
            node.kind = CTOML_BOOLEAN, node.number = value.as_boolean();
        } else if (value.is_array()) {
            node.kind = CTOML_ARRAY, node.count = value.as_array().size();
        } else if (value.is_table()) {
            node.kind = CTOML_TABLE, node.count = value.as_table().size();
        }
        node.key = node.first;
        const size_t start = node.first;
        if (depth > 0) part = position(node, depth, outer, part);
        tree.push_back(node);
        if (value.is_array())
            for (const Value &element : value.as_array()) add(element, nullptr, depth, start, part);
        if (value.is_table())
            for (const auto &entry : value.as_table()) add(entry.second, &entry.first, depth + 1, start, part);
    }

    // Finds the key of a value, since toml11 does not store its position.
    size_t position(ctoml_node &node, size_t depth, size_t outer, size_t part) {
        const std::string &bytes = text.bytes;
        const size_t before = node.first == 0 ? std::string::npos : bytes.find_last_not_of(blanks, node.first - 1);
        if (node.name && before != std::string::npos && bytes[before] == '=') {
            node.key = start_of_key(bytes, bytes.find_last_not_of(blanks, before - 1));
            return 0;
        }
        const bool is_header = bytes[node.first] == '[' && (node.name || node.kind == CTOML_TABLE);
        if (!node.name && !is_header) return 0;
        // A header names every table from the root, a dotted key those below its own table.
        part = is_header ? depth - 1 : outer == node.first ? part + 1 : 0;
        size_t at = bytes.find_first_not_of("[ \t", node.first);
        for (size_t index = 0; index < part; index++) at = bytes.find_first_not_of(". \t", end_of_key(bytes, at));
        node.key = node.first = std::min(at, bytes.size());
        node.last = end_of_key(bytes, node.first);
        return part;
    }
};

} // namespace

const ctoml_document *ctoml_parse(const char *bytes, size_t length) {
    try {
        return new Document(bytes, length);
    } catch (...) {
        return nullptr;
    }
}

void ctoml_free(const ctoml_document *document) { delete static_cast<const Document *>(document); }
