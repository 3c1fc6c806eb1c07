#include "codes.h"

#include <algorithm>

#include "wire.h"

namespace signet::internal {
namespace {

constexpr CodeEntry kUnknown = {
    "",
    SIGNET_CODE_UNKNOWN,
    Verdict::kRequest,
    "Something went wrong with the license. Contact the seller.",
    "Ocorreu um problema com a licença. Fale com o vendedor.",
    "Hubo un problema con la licencia. Contacta al vendedor.",
};

}  // namespace

const CodeEntry* find_code(std::string_view name) {
  const auto* const end = kCodes + kCodeCount;
  const auto* const found = std::lower_bound(
      kCodes, end, name, [](const CodeEntry& entry, std::string_view wanted) { return entry.name < wanted; });
  return found != end && found->name == name ? found : nullptr;
}

signet_code code_of(std::string_view name) {
  const auto* const entry = find_code(name);
  return entry != nullptr ? entry->code : SIGNET_CODE_UNKNOWN;
}

Verdict verdict_of(std::string_view name, int status) {
  if (status == 429 || status >= 500) return Verdict::kTemporary;
  const auto* const entry = find_code(name);
  return entry != nullptr ? entry->verdict : Verdict::kRequest;
}

std::string_view customer_message(std::string_view name, Language language) {
  const auto* const found = find_code(name);
  const CodeEntry& entry = found != nullptr ? *found : kUnknown;
  switch (language) {
    case Language::kPortuguese:
      return entry.portuguese;
    case Language::kSpanish:
      return entry.spanish;
    case Language::kEnglish:
      break;
  }
  return entry.english;
}

bool read_language(std::string_view text, Language& language) {
  const auto base = lower_ascii(text.substr(0, text.find_first_of("-_")));
  if (base == "en")
    language = Language::kEnglish;
  else if (base == "pt")
    language = Language::kPortuguese;
  else if (base == "es")
    language = Language::kSpanish;
  else
    return false;
  return true;
}

}  // namespace signet::internal
