#include "codec/vector_kernels.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

namespace postern::codec {
namespace {

// One query, and rows that start at any offset from alignment; a NaN stands before and behind, so
// that a sum that reaches too far is seen.
template <class T>
struct Sample {
  std::vector<T> storage;
  uint32_t dimension = 0;
  std::vector<uint32_t> ords;
  size_t shift = 0;

  const T* query() const { return storage.data() + shift; }
  const T* rows() const { return query() + dimension + 1; }
};

template <class T, class Value>
Sample<T> sample(Value value, T guard) {
  Sample<T> s;
  s.dimension = *rc::gen::weightedOneOf<uint32_t>(
      {{4, rc::gen::inRange<uint32_t>(1, 70)}, {1, rc::gen::inRange<uint32_t>(70, 1025)}});
  const auto count = *rc::gen::inRange<uint32_t>(1, 12);
  s.shift = *rc::gen::inRange<size_t>(1, 17);
  s.storage.assign(s.shift + s.dimension + 1 + size_t{count} * s.dimension + 16, guard);
  for (size_t i = 0; i < s.dimension; ++i) s.storage[s.shift + i] = value();
  for (size_t i = 0; i < size_t{count} * s.dimension; ++i)
    s.storage[s.shift + s.dimension + 1 + i] = value();
  s.ords = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, count));
  return s;
}

std::mt19937 generator() { return std::mt19937(*rc::gen::arbitrary<uint32_t>()); }

Sample<float> float_sample() {
  std::mt19937 random = generator();
  std::normal_distribution<float> usual;
  const bool wide = *rc::gen::arbitrary<bool>();
  return sample<float>(
      [&] {
        return wide ? std::ldexp(usual(random), static_cast<int>(random() % 60) - 30)
                    : usual(random);
      },
      std::nanf(""));
}
Sample<int8_t> byte_sample() {
  std::mt19937 random = generator();
  const bool edges = *rc::gen::arbitrary<bool>();
  return sample<int8_t>(
      [&] { return static_cast<int8_t>(edges ? (random() % 2 == 0 ? -128 : 127) : random()); },
      int8_t{99});
}

template <class T, class Sum, class Kernel>
std::vector<Sum> run(const Sample<T>& s, Kernel kernel) {
  std::vector<Sum> out(s.ords.size());
  kernel(s.query(), s.rows(), s.dimension, s.ords.data(), s.ords.size(), out.data());
  return out;
}

// From the definition, in double: within what rounding can do.
TEST(VectorKernels, PortableFloatSumsAreTheSums) {
  rc::check([] {
    const Sample<float> s = float_sample();
    const VectorKernels& portable = usable_vector_kernels().front();
    const auto dots = run<float, float>(s, portable.float_dot);
    const auto l2s = run<float, float>(s, portable.float_l2);
    for (size_t k = 0; k < s.ords.size(); ++k) {
      double dot = 0, l2 = 0, magnitude = 0;
      for (uint32_t i = 0; i < s.dimension; ++i) {
        const double a = s.query()[i];
        const double b = s.rows()[size_t{s.ords[k]} * s.dimension + i];
        dot += a * b;
        magnitude += std::abs(a * b);
        l2 += (a - b) * (a - b);
      }
      RC_ASSERT(std::abs(dots[k] - dot) <= magnitude * 1e-5);
      RC_ASSERT(std::abs(l2s[k] - l2) <= l2 * 1e-5);
    }
  });
}

TEST(VectorKernels, PortableByteSumsAreTheSums) {
  rc::check([] {
    const Sample<int8_t> s = byte_sample();
    const VectorKernels& portable = usable_vector_kernels().front();
    const auto dots = run<int8_t, int32_t>(s, portable.byte_dot);
    const auto l2s = run<int8_t, int32_t>(s, portable.byte_l2);
    for (size_t k = 0; k < s.ords.size(); ++k) {
      int64_t dot = 0, l2 = 0;
      for (uint32_t i = 0; i < s.dimension; ++i) {
        const int64_t a = s.query()[i];
        const int64_t b = s.rows()[size_t{s.ords[k]} * s.dimension + i];
        dot += a * b;
        l2 += (a - b) * (a - b);
      }
      RC_ASSERT(dots[k] == dot);
      RC_ASSERT(l2s[k] == l2);
    }
  });
}

// The same bits on every processor.
TEST(VectorKernels, AllSetsEqualThePortableOneBitByBit) {
  const auto& sets = usable_vector_kernels();
  RecordProperty("sets", static_cast<int>(sets.size()));
  rc::check([&] {
    const Sample<float> floats = float_sample();
    const Sample<int8_t> bytes = byte_sample();
    for (const VectorKernels& set : sets) {
      RC_ASSERT((run<float, float>(floats, set.float_dot)) ==
                (run<float, float>(floats, sets[0].float_dot)));
      RC_ASSERT((run<float, float>(floats, set.float_l2)) ==
                (run<float, float>(floats, sets[0].float_l2)));
      RC_ASSERT((run<int8_t, int32_t>(bytes, set.byte_dot)) ==
                (run<int8_t, int32_t>(bytes, sets[0].byte_dot)));
      RC_ASSERT((run<int8_t, int32_t>(bytes, set.byte_l2)) ==
                (run<int8_t, int32_t>(bytes, sets[0].byte_l2)));
    }
  });
}

// What the graph builder relies on when it keeps a score for both directions.
TEST(VectorKernels, SumsAreSymmetric) {
  rc::check([] {
    const Sample<float> s = float_sample();
    const VectorKernels& set = vector_kernels();
    const uint32_t zero = 0;
    for (uint32_t ord : s.ords) {
      const float* row = s.rows() + size_t{ord} * s.dimension;
      float ab = 0, ba = 0;
      set.float_dot(s.query(), row, s.dimension, &zero, 1, &ab);
      set.float_dot(row, s.query(), s.dimension, &zero, 1, &ba);
      RC_ASSERT(ab == ba);
      set.float_l2(s.query(), row, s.dimension, &zero, 1, &ab);
      set.float_l2(row, s.query(), s.dimension, &zero, 1, &ba);
      RC_ASSERT(ab == ba);
    }
  });
}

}  // namespace
}  // namespace postern::codec
