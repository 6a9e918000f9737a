#include "codec/stored_fields_compressor.h"

#include <algorithm>

namespace postern::codec {
namespace {

constexpr size_t kMaxSpeedDictionary = 65536;
constexpr size_t kSpeedDictionaryShare = 20;  // the dictionary is this part of a piece
constexpr size_t kHighDictionaryShare = 60;
constexpr size_t kBlocks = 10;

// How a piece is cut: Lucene's choice.
struct Cut {
  size_t dictionary;
  size_t block;
};
Cut cut_piece(size_t length, StoredFieldsMode mode) {
  const size_t dictionary = mode == StoredFieldsMode::kBestSpeed
                                ? std::min(kMaxSpeedDictionary, length / kSpeedDictionaryShare)
                                : length / kHighDictionaryShare;
  return {dictionary, (length - dictionary + kBlocks - 1) / kBlocks};
}

}  // namespace

StoredFieldsCompressor::StoredFieldsCompressor(StoredFieldsMode mode) {
  if (mode == StoredFieldsMode::kBestSpeed) {
    lz4_ = std::make_unique<Lz4Compressor>();
  } else {
    deflater_ = std::make_unique<Deflater>();
  }
}

void StoredFieldsCompressor::compress(std::span<const uint8_t> piece, store::IndexOutput& out) {
  if (lz4_) {
    compress_speed(piece, out);
  } else {
    compress_high(piece, out);
  }
}

void StoredFieldsCompressor::compress_speed(std::span<const uint8_t> piece,
                                            store::IndexOutput& out) {
  const Cut cut = cut_piece(piece.size(), StoredFieldsMode::kBestSpeed);
  const auto dictionary = piece.first(cut.dictionary);
  out.write_vint(static_cast<uint32_t>(cut.dictionary));
  out.write_vint(static_cast<uint32_t>(cut.block));

  compressed_.clear();
  lz4_->compress(dictionary, 0, compressed_);
  out.write_vint(static_cast<uint32_t>(compressed_.size()));
  lz4_->share_dictionary(dictionary);
  // A block is compressed behind the dictionary, wherever it comes from.
  window_.clear();
  window_.write_bytes(dictionary);
  for (size_t at = cut.dictionary; at < piece.size(); at += cut.block) {
    window_.resize(cut.dictionary);
    window_.write_bytes(piece.subspan(at, std::min(cut.block, piece.size() - at)));
    const size_t before = compressed_.size();
    lz4_->compress_shared(window_.bytes(), compressed_);
    out.write_vint(static_cast<uint32_t>(compressed_.size() - before));
  }
  out.write_bytes(compressed_.bytes());
}

void StoredFieldsCompressor::compress_high(std::span<const uint8_t> piece,
                                           store::IndexOutput& out) {
  const Cut cut = cut_piece(piece.size(), StoredFieldsMode::kBestCompression);
  const auto dictionary = piece.first(cut.dictionary);
  out.write_vint(static_cast<uint32_t>(cut.dictionary));
  out.write_vint(static_cast<uint32_t>(cut.block));

  auto write_stream = [&](std::span<const uint8_t> block, std::span<const uint8_t> preset) {
    compressed_.clear();
    if (!block.empty()) deflater_->compress(block, preset, compressed_);
    out.write_vint(static_cast<uint32_t>(compressed_.size()));
    out.write_bytes(compressed_.bytes());
  };
  write_stream(dictionary, {});
  for (size_t at = cut.dictionary; at < piece.size(); at += cut.block)
    write_stream(piece.subspan(at, std::min(cut.block, piece.size() - at)), dictionary);
}

uint64_t StoredFieldsCompressor::ram_bytes() const {
  return (lz4_ ? lz4_->ram_bytes() : Deflater::ram_bytes()) + window_.capacity() +
         compressed_.capacity();
}

namespace {

struct PieceHeader {
  uint64_t dictionary;
  uint64_t block;
  uint64_t blocks;
};
PieceHeader read_piece_header(ByteReader& in, uint64_t length) {
  PieceHeader header{};
  header.dictionary = in.read_vint();
  header.block = in.read_vint();
  if (header.dictionary > length)
    in.fail("a dictionary of " + std::to_string(header.dictionary) + " bytes in a piece of " +
            std::to_string(length));
  const uint64_t rest = length - header.dictionary;
  if (rest != 0) {
    if (header.block == 0) in.fail("blocks of 0 bytes");
    header.blocks = (rest + header.block - 1) / header.block;
    if (header.blocks > in.remaining())  // each has at least one byte
      in.fail(std::to_string(header.blocks) + " blocks in " + std::to_string(in.remaining()) +
              " bytes");
  }
  return header;
}

// Every output byte must be accounted for before memory is taken for it.
void check_expansion(const ByteReader& in, uint64_t compressed, uint64_t length, uint64_t most) {
  if (length / most > compressed)
    in.fail(std::to_string(length) + " bytes out of " + std::to_string(compressed));
}

}  // namespace

void PieceDecompressor::decompress(ByteReader& in, uint64_t length, ByteBuffer& out) {
  const PieceHeader header = read_piece_header(in, length);
  const bool speed = mode_ == StoredFieldsMode::kBestSpeed;
  ByteReader lengths = in;  // LZ4: all lengths first, then all data
  if (speed)
    for (uint64_t i = 0; i <= header.blocks; ++i) in.read_vint();

  window_.clear();
  decompress_block(in, speed ? lengths : in, 0, header.dictionary);
  const auto dictionary = static_cast<size_t>(header.dictionary);
  out.write_bytes(window_.bytes());
  uint64_t left = length - header.dictionary;
  for (uint64_t i = 0; i < header.blocks; ++i) {
    const uint64_t block = std::min(header.block, left);
    decompress_block(in, speed ? lengths : in, dictionary, block);
    out.write_bytes(window_.bytes().subspan(dictionary));
    left -= block;
  }
}

// Leaves window_ = dictionary, block.
void PieceDecompressor::decompress_block(ByteReader& in, ByteReader& lengths, size_t dictionary,
                                         uint64_t length) {
  const auto compressed = in.read_bytes(lengths.read_vint());
  const bool speed = mode_ == StoredFieldsMode::kBestSpeed;
  check_expansion(in, compressed.size(), length, speed ? kMaxLz4Expansion : kMaxDeflateExpansion);
  window_.resize(dictionary + static_cast<size_t>(length));
  const std::span<uint8_t> window{window_.data(), window_.size()};
  if (speed) {
    if (lz4_decompress(compressed, window, dictionary, in.name()) != compressed.size())
      in.fail("an LZ4 block that ends before its stated length");
  } else if (length != 0) {
    inflate_block(compressed, window.first(dictionary), window.subspan(dictionary), in.name());
  } else if (!compressed.empty()) {
    in.fail("a deflate stream for 0 bytes");
  }
}

}  // namespace postern::codec
