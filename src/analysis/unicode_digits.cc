#include <algorithm>

#include "analysis/unicode_tables.h"

namespace postern::analysis {

int digit_value(uint32_t unit) {
  const uint16_t* const begin = tables::kDigitZeros;
  const uint16_t* const above = std::upper_bound(begin, begin + tables::kDigitZeroCount, unit);
  if (above == begin || unit - above[-1] > 9) return -1;
  return static_cast<int>(unit - above[-1]);
}

}  // namespace postern::analysis
