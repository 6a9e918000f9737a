#include "analysis/porter_stemmer.h"

#include <array>
#include <string_view>

namespace postern::analysis {
namespace {

struct Suffix {
  std::string_view text;
  std::string_view replacement;
};

// The suffixes of one step, grouped by their last letter but one, in which few words agree with
// any.
template <size_t n>
struct Step {
  std::array<Suffix, n> suffixes;
  std::array<uint8_t, 27> first = {};  // by that letter, the first of its group

  consteval explicit Step(const std::array<Suffix, n>& all) : suffixes(all) {
    size_t next = 0;
    for (size_t letter = 0; letter < 26; ++letter) {
      first[letter] = static_cast<uint8_t>(next);
      while (next < n &&
             all[next].text[all[next].text.size() - 2] == static_cast<char>('a' + letter))
        ++next;
    }
    first[26] = static_cast<uint8_t>(next);
    if (next != n) throw "the suffixes are not in order";
  }
};

constexpr Step kStep2(std::to_array<Suffix>(
    {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"}, {"izer", "ize"},
     {"logi", "log"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},
     {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},
     {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"},
     {"biliti", "ble"}}));
constexpr Step kStep3(std::to_array<Suffix>({{"ical", "ic"},
                                             {"ness", ""},
                                             {"icate", "ic"},
                                             {"iciti", "ic"},
                                             {"ful", ""},
                                             {"ative", ""},
                                             {"alize", "al"}}));
constexpr Step kStep4(std::to_array<Suffix>({{"al", ""},
                                             {"ance", ""},
                                             {"ence", ""},
                                             {"er", ""},
                                             {"ic", ""},
                                             {"able", ""},
                                             {"ible", ""},
                                             {"ant", ""},
                                             {"ement", ""},
                                             {"ment", ""},
                                             {"ent", ""},
                                             {"ion", ""},
                                             {"ou", ""},
                                             {"ism", ""},
                                             {"ate", ""},
                                             {"iti", ""},
                                             {"ous", ""},
                                             {"ive", ""},
                                             {"ize", ""}}));

template <class Unit>
class Stemmer {
 public:
  Stemmer(Unit* word, size_t length) : word_(word), length_(length) {}

  size_t stem() {
    if (length_ <= 2) return length_;
    step1a();
    step1b();
    step1c();
    replace(kStep2, 0);
    replace(kStep3, 0);
    replace(kStep4, 1);
    step5();
    return length_;
  }

 private:
  // 'y' is a vowel after a consonant.
  bool is_vowel(Unit c, bool first, bool after_vowel) const {
    switch (c) {
      case 'a':
      case 'e':
      case 'i':
      case 'o':
      case 'u':
        return true;
      case 'y':
        return !first && !after_vowel;
      default:
        return false;
    }
  }
  bool vowel_at(size_t i) const {
    size_t run = i;  // the first of the y's that lead to i
    while (run > 0 && word_[run] == 'y') --run;
    bool vowel = false;
    for (size_t j = run; j <= i; ++j) vowel = is_vowel(word_[j], j == 0, vowel);
    return vowel;
  }
  // Changes from vowels to consonants within the first `length` units.
  size_t measure(size_t length) const {
    size_t changes = 0;
    bool vowel = false;
    for (size_t i = 0; i < length; ++i) {
      const bool before = vowel;
      vowel = is_vowel(word_[i], i == 0, before);
      if (before && !vowel) ++changes;
    }
    return changes;
  }
  bool has_vowel(size_t length) const {
    bool vowel = false;
    for (size_t i = 0; i < length && !vowel; ++i) vowel = is_vowel(word_[i], i == 0, false);
    return vowel;
  }
  bool double_consonant() const {
    return length_ >= 2 && word_[length_ - 1] == word_[length_ - 2] && !vowel_at(length_ - 1);
  }
  // Consonant, vowel, consonant other than w, x, y at the end of the first `length` units.
  bool ends_short(size_t length) const {
    if (length < 3) return false;
    const Unit last = word_[length - 1];
    return last != 'w' && last != 'x' && last != 'y' && !vowel_at(length - 1) &&
           vowel_at(length - 2) && !vowel_at(length - 3);
  }

  bool ends(std::string_view suffix) const {
    if (suffix.size() > length_) return false;
    const Unit* tail = word_ + (length_ - suffix.size());
    for (size_t i = 0; i < suffix.size(); ++i) {
      if (tail[i] != static_cast<Unit>(suffix[i])) return false;
    }
    return true;
  }
  void append(std::string_view text) {
    for (const char c : text) word_[length_++] = static_cast<Unit>(c);
  }

  void step1a() {
    if (word_[length_ - 1] != 's') return;
    if (ends("sses") || ends("ies")) {
      length_ -= 2;
    } else if (word_[length_ - 2] != 's') {
      --length_;
    }
  }

  void step1b() {
    if (ends("eed")) {
      if (measure(length_ - 3) > 0) --length_;
      return;
    }
    const size_t suffix = ends("ed") ? 2 : ends("ing") ? 3 : 0;
    if (suffix == 0 || !has_vowel(length_ - suffix)) return;
    length_ -= suffix;
    if (ends("at") || ends("bl") || ends("iz")) {
      append("e");
    } else if (double_consonant()) {
      const Unit last = word_[length_ - 1];
      if (last != 'l' && last != 's' && last != 'z') --length_;
    } else if (measure(length_) == 1 && ends_short(length_)) {
      append("e");
    }
  }

  void step1c() {
    if (word_[length_ - 1] == 'y' && has_vowel(length_ - 1)) word_[length_ - 1] = 'i';
  }

  // The first suffix that fits decides, whether or not enough is left before it.
  template <size_t n>
  void replace(const Step<n>& step, size_t measure_above) {
    if (length_ < 2) return;
    const Unit letter = word_[length_ - 2];
    if (letter < 'a' || letter > 'z') return;
    const size_t group = static_cast<size_t>(letter - 'a');
    for (size_t i = step.first[group]; i < step.first[group + 1]; ++i) {
      const Suffix& suffix = step.suffixes[i];
      if (!ends(suffix.text)) continue;
      const size_t stem = length_ - suffix.text.size();
      if (suffix.text == "ion" &&
          (stem == 0 || (word_[stem - 1] != 's' && word_[stem - 1] != 't'))) {
        continue;
      }
      if (measure(stem) > measure_above) {
        length_ = stem;
        append(suffix.replacement);
      }
      return;
    }
  }

  void step5() {
    if (word_[length_ - 1] == 'e') {
      const size_t m = measure(length_ - 1);
      if (m > 1 || (m == 1 && !ends_short(length_ - 1))) --length_;
    }
    if (word_[length_ - 1] == 'l' && double_consonant() && measure(length_ - 1) > 1) --length_;
  }

  Unit* word_;
  size_t length_;
};

}  // namespace

size_t porter_stem(uint8_t* word, size_t length) { return Stemmer<uint8_t>(word, length).stem(); }
size_t porter_stem(char16_t* word, size_t length) { return Stemmer<char16_t>(word, length).stem(); }

}  // namespace postern::analysis
