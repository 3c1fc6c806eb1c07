#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "signet/codes.h"

namespace signet::internal {

/// What an error with this code says about the license; see `verdict` in sdks/codes.json.
enum class Verdict { kUnverified, kTemporary, kRequest, kLost };

struct CodeEntry {
  std::string_view name;
  signet_code code;
  Verdict verdict;
  std::string_view english;
  std::string_view portuguese;
  std::string_view spanish;
};

/// In generated_codes.cpp, sorted by name.
extern const CodeEntry kCodes[];
extern const std::size_t kCodeCount;

enum class Language { kEnglish, kPortuguese, kSpanish };

/// Nothing for a code that this client doesn't know.
const CodeEntry* find_code(std::string_view name);

/// `SIGNET_CODE_UNKNOWN` for a code that this client doesn't know.
signet_code code_of(std::string_view name);

/// A signed answer with status 429 or 5xx is temporary, whatever its code.
Verdict verdict_of(std::string_view name, int status);

/// The sentence for customers; a general one for a code that this client doesn't know.
std::string_view customer_message(std::string_view name, Language language);

/// `en`, `pt-BR`, `es_419`: the region is ignored. False for other languages.
bool read_language(std::string_view text, Language& language);

}  // namespace signet::internal
