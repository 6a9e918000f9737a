#include "codec/deflate.h"

#include <zlib.h>

#include <limits>
#include <new>

#include "postern/error.h"

namespace postern::codec {
namespace {

constexpr int kRawWindowBits = -15;  // no zlib header
constexpr int kLevel = 6;
constexpr int kMemoryLevel = 8;

// zlib takes its input through non-const pointers but does not write to it.
uint8_t* input(std::span<const uint8_t> bytes) { return const_cast<uint8_t*>(bytes.data()); }

}  // namespace

struct Deflater::Stream {
  z_stream z{};
};

Deflater::Deflater() : stream_(std::make_unique<Stream>()) {
  if (deflateInit2(&stream_->z, kLevel, Z_DEFLATED, kRawWindowBits, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

Deflater::~Deflater() { deflateEnd(&stream_->z); }

void Deflater::compress(std::span<const uint8_t> block, std::span<const uint8_t> dictionary,
                        ByteBuffer& out) {
  z_stream& z = stream_->z;
  deflateReset(&z);
  if (!dictionary.empty())
    deflateSetDictionary(&z, dictionary.data(), static_cast<uInt>(dictionary.size()));
  const size_t bound = deflateBound(&z, static_cast<uLong>(block.size()));
  z.next_in = input(block);
  z.avail_in = static_cast<uInt>(block.size());
  z.next_out = out.reserve(bound);
  z.avail_out = static_cast<uInt>(bound);
  // With room for the bound and parameters we choose, only a broken zlib does not finish.
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) throw std::bad_alloc();
  out.advance(bound - z.avail_out);
}

void inflate_block(std::span<const uint8_t> in, std::span<const uint8_t> dictionary,
                   std::span<uint8_t> out, std::string_view file) {
  z_stream z{};
  if (inflateInit2(&z, kRawWindowBits) != Z_OK) throw std::bad_alloc();
  struct End {
    z_stream& z;
    ~End() { inflateEnd(&z); }
  } end{z};
  constexpr size_t kMost = std::numeric_limits<uInt>::max();
  bool good = in.size() <= kMost && out.size() <= kMost && dictionary.size() <= kMost;
  if (good && !dictionary.empty())
    good =
        inflateSetDictionary(&z, dictionary.data(), static_cast<uInt>(dictionary.size())) == Z_OK;
  if (good) {
    z.next_in = input(in);
    z.avail_in = static_cast<uInt>(in.size());
    z.next_out = out.data();
    z.avail_out = static_cast<uInt>(out.size());
    good = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0;
  }
  if (!good) throw CorruptIndex(std::string(file) + ": not a deflate stream of the stated lengths");
}

}  // namespace postern::codec
