// The documents of doc_values_cases.h.
#include "index/doc_values_cases.h"

#include <limits>

namespace postern::index::testing {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// The same everywhere and for ever (splitmix64).
uint64_t random_bits(uint64_t n) {
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

void add_long(std::vector<CaseValue>& out, int64_t v) { out.push_back({.integer = v}); }
void add_keyword(std::vector<CaseValue>& out, std::string v) {
  out.push_back({.kind = ValueKind::kText, .bytes = std::move(v)});
}

CaseField longs(std::string name, std::function<int64_t(uint32_t)> value,
                DocValuesType type = DocValuesType::kNumeric, bool skip = false) {
  return {std::move(name), type, ValueKind::kLong,
          [value](uint32_t doc, auto& out) { add_long(out, value(doc)); }, skip};
}
CaseField keywords(std::string name, std::function<std::string(uint32_t)> value,
                   DocValuesType type = DocValuesType::kSorted, bool skip = false) {
  return {std::move(name), type, ValueKind::kText,
          [value](uint32_t doc, auto& out) { add_keyword(out, value(doc)); }, skip};
}
// Only for documents in a set.
CaseField sparse(CaseField field, std::function<bool(uint32_t)> has) {
  auto all = field.values;
  field.values = [all, has](uint32_t doc, auto& out) {
    if (has(doc)) all(doc, out);
  };
  return field;
}

constexpr double kReals[] = {0.0,
                             -0.0,
                             1.5,
                             -1.5,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN(),
                             0x1p-149,
                             -0x1p-149,
                             0x1.fffffep127,
                             -0x1.fffffep127};
CaseField reals(std::string name, ValueKind kind, DocValuesType type, uint32_t each) {
  return {std::move(name), type, kind, [=](uint32_t doc, auto& out) {
            for (uint32_t i = 0; i < each; ++i)
              out.push_back({.kind = kind, .number = kReals[(doc * each + i * 7) % 11]});
          }};
}

DocValuesCase small_case() {
  DocValuesCase c{"small", 5, {}};
  const std::vector<std::string> fruit = {"banana", "apple", "bandana", "", "apple"};
  c.fields.push_back(sparse(keywords("fruit", [=](uint32_t d) { return fruit[d]; }),
                            [](uint32_t d) { return d != 3; }));
  c.fields.push_back(longs("extreme", [](uint32_t d) { return d % 2 == 0 ? kMin : kMax; }));
  c.fields.push_back(longs("always_max", [](uint32_t) { return kMax; }));
  c.fields.push_back(longs("minus_one", [](uint32_t) { return -1; }));
  c.fields.push_back(longs("half", [](uint32_t d) { return d < 2 ? kMin / 2 : kMax / 2; }));
  c.fields.push_back(longs("beyond_half", [](uint32_t d) { return d < 2 ? kMax / 2 + 1 : 0; }));
  for (auto type : {DocValuesType::kNumeric, DocValuesType::kSortedNumeric}) {
    const std::string suffix = type == DocValuesType::kNumeric ? "_raw" : "_sortable";
    c.fields.push_back(reals("float" + suffix, ValueKind::kFloat, type, 1));
    c.fields.push_back(reals("double" + suffix, ValueKind::kDouble, type, 1));
  }
  c.fields.push_back(reals("floats", ValueKind::kFloat, DocValuesType::kSortedNumeric, 5));
  c.fields.push_back(reals("doubles", ValueKind::kDouble, DocValuesType::kSortedNumeric, 11));
  c.fields.push_back({"ints", DocValuesType::kSortedNumeric, ValueKind::kInt,
                      [](uint32_t d, auto& out) {
                        for (uint32_t i = 0; i < d % 3; ++i)
                          out.push_back({.kind = ValueKind::kInt, .integer = -7});
                      },
                      true});
  for (auto type : {DocValuesType::kBinary, DocValuesType::kSorted, DocValuesType::kSortedSet}) {
    const std::string number = std::to_string(static_cast<int>(type));
    c.fields.push_back({"empty_bytes" + number, type, ValueKind::kBytes,
                        [](uint32_t, auto& out) { out.push_back({.kind = ValueKind::kBytes}); }});
    c.fields.push_back({"longest" + number, type, ValueKind::kBytes, [](uint32_t d, auto& out) {
                          std::string v(d == 1 ? 0 : 32766, static_cast<char>(0xff - d / 2));
                          out.push_back({.kind = ValueKind::kBytes, .bytes = v});
                        }});
  }
  c.fields.push_back(
      {"beyond_terms", DocValuesType::kBinary, ValueKind::kBytes, [](uint32_t d, auto& out) {
         std::string v(d * 40000, static_cast<char>('a' + d));
         out.push_back({.kind = ValueKind::kBytes, .bytes = v});
       }});
  c.fields.push_back({"tags", DocValuesType::kSortedSet, ValueKind::kText,
                      [](uint32_t d, auto& out) {
                        for (const char* tag : {"red", "blue", "red", "green", "\xc3\xa9t\xc3\xa9"})
                          if ((d + *tag) % 3 != 0) add_keyword(out, tag);
                      },
                      true});
  c.fields.push_back(
      {"same_tags", DocValuesType::kSortedSet, ValueKind::kText, [](uint32_t d, auto& out) {
         for (uint32_t i = 0; i <= d; ++i) add_keyword(out, "same");
       }});
  return c;
}

DocValuesCase number_case() {
  DocValuesCase c{"numbers", 50'000, {}};
  auto many = [&](std::string name, std::function<int64_t(uint32_t)> value) {
    c.fields.push_back(longs(std::move(name), std::move(value)));
  };
  for (uint32_t width : {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64}) {
    many("width" + std::to_string(width), [=](uint32_t d) {
      return static_cast<int64_t>(random_bits(d * 64 + width) >> (64 - width)) - 5;
    });
  }
  for (uint32_t distinct : {2, 3, 16, 17, 255, 256, 257}) {
    many("table" + std::to_string(distinct), [=](uint32_t d) {
      const uint64_t k = d < distinct ? d : random_bits(d) % distinct;
      return static_cast<int64_t>(random_bits(k) >> 8) - (int64_t{1} << 54);
    });
  }
  many("gcd_negative", [](uint32_t d) {
    return -1'000'003 + 86'400'000 * static_cast<int64_t>(random_bits(d) % 3000);
  });
  many("gcd_even",
       [](uint32_t d) { return 7 - 4096 * static_cast<int64_t>(random_bits(d) % 999); });
  many("gcd_one_odd", [](uint32_t d) { return d == 49'999 ? 1001 : int64_t{1000} * d; });
  many("from_zero", [](uint32_t d) { return 1 + static_cast<int64_t>(random_bits(d) % 250); });
  many("not_from_zero",
       [](uint32_t d) { return 200 + static_cast<int64_t>(random_bits(d) % 250); });
  many("ascending", [](uint32_t d) { return int64_t{1'700'000'000'000} + int64_t{d} * 7 + d % 3; });
  many("blocks", [](uint32_t d) {
    return static_cast<int64_t>(random_bits(d) >> (d < 16'384 ? 60 : d < 32'768 ? 20 : 50));
  });
  many("blocks_gcd", [](uint32_t d) {
    return -6 + 60'000 * static_cast<int64_t>(random_bits(d) >> (d < 32'768 ? 59 : 40));
  });
  many("blocks_constant",
       [](uint32_t d) { return d < 16'384 ? -9 : static_cast<int64_t>(random_bits(d) >> 30); });
  many("blocks_wrap", [](uint32_t d) {
    return d < 20'000 ? static_cast<int64_t>(random_bits(d)) : static_cast<int64_t>(d % 5);
  });
  // 12 of 13 bits is just not enough, 16 of 20 just is.
  many("no_blocks",
       [](uint32_t d) { return static_cast<int64_t>(random_bits(d) >> (d < 16'384 ? 48 : 44)); });
  many("constant", [](uint32_t) { return 42; });
  c.fields.push_back({"several", DocValuesType::kSortedNumeric, ValueKind::kLong,
                      [](uint32_t d, auto& out) {
                        for (uint64_t n = random_bits(d) % 5, i = 0; i < n; ++i)
                          add_long(out, static_cast<int64_t>(random_bits(d * 5 + i) % 1000) - 500);
                      },
                      true});
  c.fields.push_back(
      {"several_blocks", DocValuesType::kSortedNumeric, ValueKind::kLong,
       [](uint32_t d, auto& out) {
         for (uint64_t i = 0; i < 1 + d % 3; ++i)
           add_long(out, static_cast<int64_t>(random_bits(d * 5 + i) >> (d < 30'000 ? 50 : 5)));
       }});
  c.fields.push_back(longs(
      "one_each", [](uint32_t d) { return int64_t{d} * d; }, DocValuesType::kSortedNumeric, true));
  return c;
}

// Which documents have a value: lists, bit sets, full and absent ranges of 65,536 documents.
DocValuesCase document_case() {
  DocValuesCase c{"documents", 5 * 65'536 + 100, {}};
  const std::vector<std::pair<std::string, std::function<bool(uint32_t)>>> sets = {
      {"mixed",
       [](uint32_t d) {
         switch (d >> 16) {
           case 0:
             return d % 16 == 0 && d != 32;  // 4095: a list
           case 1:
             return d % 16 == 0;  // 4096: bits
           case 2:
             return false;
           case 3:
             return true;
           case 4:
             return d != 4 * 65'536 + 77;  // 65,535: bits
           default:
             return d % 2 == 0;
         }
       }},
      {"middle", [](uint32_t d) { return d >= 70'000 && d < 250'000; }},
      {"first", [](uint32_t d) { return d == 0; }},
      {"last", [](uint32_t d) { return d == 5 * 65'536 + 99; }},
      {"beginning", [](uint32_t d) { return d < 100'000; }},
      {"one_range", [](uint32_t d) { return d < 60'000 && d % 3 != 0; }},
  };
  for (const auto& [name, has] : sets) {
    c.fields.push_back(sparse(longs(
                                  name + "_n", [](uint32_t d) { return int64_t{d} % 1000; },
                                  DocValuesType::kNumeric, true),
                              has));
    c.fields.push_back(
        sparse(keywords(
                   name + "_s", [](uint32_t d) { return "k" + std::to_string(d % 777); },
                   DocValuesType::kSorted, true),
               has));
    c.fields.push_back(sparse({name + "_m", DocValuesType::kSortedSet, ValueKind::kText,
                               [](uint32_t d, auto& out) {
                                 for (uint32_t i = 0; i <= d % 3; ++i)
                                   add_keyword(out, std::to_string(random_bits(d * 3 + i) % 5000));
                               },
                               true},
                              has));
    c.fields.push_back(sparse({name + "_b", DocValuesType::kBinary, ValueKind::kBytes,
                               [](uint32_t d, auto& out) {
                                 out.push_back(
                                     {.kind = ValueKind::kBytes, .bytes = std::string(d % 9, 'x')});
                               }},
                              has));
  }
  return c;
}

DocValuesCase term_case() {
  DocValuesCase c{"terms", 30'000, {}};
  for (uint32_t terms : {1, 2, 63, 64, 65, 128, 1023, 1024, 1025, 2049}) {
    c.fields.push_back(keywords("terms" + std::to_string(terms), [=](uint32_t d) {
      const uint64_t k = d < terms ? d : random_bits(d) % terms;
      return "term " + std::to_string(random_bits(k) >> 40) + " " + std::to_string(k);
    }));
  }
  c.fields.push_back(
      keywords("unique", [](uint32_t d) { return "id-" + std::to_string(random_bits(d)); }));
  c.fields.push_back(keywords("long_prefix", [](uint32_t d) {
    return std::string(d % 40, 'p') + std::string(d % 700, 'q') + std::to_string(d % 5000);
  }));
  c.fields.push_back(
      {"bytes", DocValuesType::kSorted, ValueKind::kBytes, [](uint32_t d, auto& out) {
         std::string v;
         for (uint64_t r = random_bits(d); v.size() < d % 9; r >>= 8) v += static_cast<char>(r);
         out.push_back({.kind = ValueKind::kBytes, .bytes = v});
       }});
  // Blocks whose dictionary and content pass 64 KB, between blocks of short terms.
  c.fields.push_back(sparse({"huge", DocValuesType::kSorted, ValueKind::kBytes,
                             [](uint32_t d, auto& out) {
                               std::string v = std::to_string(d / 10'000);
                               const size_t length = d / 10'000 == 1 ? 3000 + d % 7000 * 4 : 9;
                               while (v.size() < length)
                                 v += std::to_string(random_bits(v.size() + d * 2 / 300));
                               out.push_back({.kind = ValueKind::kBytes, .bytes = v});
                             }},
                            [](uint32_t d) { return d % 100 == 3; }));
  c.fields.push_back({"set", DocValuesType::kSortedSet, ValueKind::kText,
                      [](uint32_t d, auto& out) {
                        for (uint64_t n = random_bits(d) % 6, i = 0; i < n; ++i)
                          add_keyword(out, "tag" + std::to_string(random_bits(d * 6 + i) % 3000));
                      },
                      true});
  // Ordinals that come in blocks.
  c.fields.push_back(keywords("ordinal_blocks", [](uint32_t d) {
    return d < 16'384 ? std::string("a") : "b" + std::to_string(random_bits(d) % 9000);
  }));
  c.fields.push_back(
      {"binary", DocValuesType::kBinary, ValueKind::kBytes, [](uint32_t d, auto& out) {
         out.push_back(
             {.kind = ValueKind::kBytes, .bytes = std::string(d % 300, static_cast<char>(d))});
       }});
  c.fields.push_back(
      {"binary_fixed", DocValuesType::kBinary, ValueKind::kBytes, [](uint32_t d, auto& out) {
         out.push_back({.kind = ValueKind::kBytes, .bytes = std::string(4, static_cast<char>(d))});
       }});
  return c;
}

// Enough intervals for all four levels and a second batch.
DocValuesCase skip_case() {
  DocValuesCase c{"skip", 2'200'000, {}};
  c.fields.push_back(longs(
      "up", [](uint32_t d) { return int64_t{d / 10}; }, DocValuesType::kNumeric, true));
  c.fields.push_back(longs(
      "runs", [](uint32_t d) { return d < 50'000 ? 3 : int64_t{d / 9000} % 5; },
      DocValuesType::kSortedNumeric, true));
  c.fields.push_back(sparse(
      longs(
          "gaps", [](uint32_t d) { return d < 1'000'000 ? 8 : -8; }, DocValuesType::kNumeric, true),
      [](uint32_t d) { return d % 100'000 != 4500; }));
  return c;
}

// Many fields, each with a few documents, flushed in the order of Lucene's field table.
DocValuesCase field_case() {
  DocValuesCase c{"fields", 300, {}};
  const char* const stems[] = {"f", "price_", "Aa", "BB", "\xc3\xa9", "\xf0\x9f\x98\x80", "tag.x."};
  for (uint32_t i = 0; i < 300; ++i) {
    const std::string name = stems[i % 7] + std::to_string(i / 7);
    const auto has = [i](uint32_t d) { return d == i || d == (i * 7 + 50) % 300; };
    switch (i % 5) {
      case 0:
        c.fields.push_back(sparse(longs(name, [](uint32_t d) { return d; }), has));
        break;
      case 1:
        c.fields.push_back(
            sparse(keywords(name, [](uint32_t d) { return std::to_string(d); }), has));
        break;
      case 2:
        c.fields.push_back(
            sparse(reals(name, ValueKind::kFloat, DocValuesType::kSortedNumeric, 2), has));
        break;
      case 3:
        c.fields.push_back(sparse(keywords(
                                      name, [](uint32_t d) { return std::to_string(d); },
                                      DocValuesType::kSortedSet, true),
                                  has));
        break;
      default:
        c.fields.push_back(
            sparse(keywords(
                       name, [](uint32_t d) { return std::to_string(d); }, DocValuesType::kBinary),
                   has));
        c.fields.back().kind = ValueKind::kBytes;
    }
  }
  return c;
}

}  // namespace

std::vector<DocValuesCase> doc_values_cases() {
  return {small_case(), number_case(), document_case(), term_case(), skip_case(), field_case()};
}

}  // namespace postern::index::testing
