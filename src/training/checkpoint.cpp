// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/checkpoint.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/atomic_file.hpp"
#include "doeblin/io/part_file.hpp"

namespace doeblin::training {
namespace {

static_assert(crypto_secretbox_KEYBYTES == sizeof(CheckpointKey::Bytes));

constexpr std::string_view kMagic = "doeblin checkpoint 1\n";
constexpr std::size_t kKeyDigits = 64;
constexpr std::uintmax_t kLargestCheckpoint = std::uintmax_t{1} << 34;

void start_sodium() { ensure(sodium_init() >= 0, "libsodium starts"); }

bool parse_key(std::string_view text, CheckpointKey::Bytes& bytes) {
  std::size_t length = 0;
  return text.size() == kKeyDigits &&
         sodium_hex2bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &length, nullptr) == 0 &&
         length == bytes.size();
}

[[noreturn]] void fail(const std::string& parameter, const std::string& path, std::string_view constraint) {
  throw InvalidArgument(parameter, fmt::format("'{}'", printable(path)), constraint);
}

// Makes a key file, unless there is one already.
void create_key_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    if (errno == EEXIST) return;
    fail("key file", path, fmt::format("a file that can be made ({})", std::strerror(errno)));
  }
  CheckpointKey::Bytes bytes;
  randombytes_buf(bytes.data(), bytes.size());
  char digits[kKeyDigits + 1];
  sodium_bin2hex(digits, sizeof(digits), bytes.data(), bytes.size());
  digits[kKeyDigits] = '\n';
  const bool is_written =
      write(descriptor, digits, sizeof(digits)) == static_cast<ssize_t>(sizeof(digits)) && fsync(descriptor) == 0;
  sodium_memzero(digits, sizeof(digits));
  sodium_memzero(bytes.data(), bytes.size());
  close(descriptor);
  if (!is_written) {
    unlink(path.c_str());
    fail("key file", path, "a file that can be written");
  }
}

// Numbers one after another, as they are in memory; erased in the end.
class Writer {
 public:
  ~Writer() { sodium_memzero(bytes_.data(), bytes_.size()); }
  void put(const void* data, std::size_t size) {
    // Growing would leave copies behind.
    ensure(bytes_.size() + size <= bytes_.capacity(), "a checkpoint has the size that was counted");
    bytes_.append(static_cast<const char*>(data), size);
  }
  void reserve(std::size_t size) { bytes_.reserve(size); }
  void number(std::uint64_t value) { put(&value, sizeof(value)); }
  void list(const std::vector<double>& values) {
    number(values.size());
    put(values.data(), values.size() * sizeof(double));
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  void get(void* data, std::size_t size) {
    if (size > rest_.size()) throw InvalidArgument("checkpoint: it is too short");
    std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    get(&value, sizeof(value));
    return value;
  }
  std::vector<double> list() {
    const std::uint64_t size = number();
    if (size > rest_.size() / sizeof(double)) throw InvalidArgument("checkpoint: it is too short");
    std::vector<double> values(size);
    if (size > 0) get(values.data(), size * sizeof(double));
    return values;
  }
  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

class Hash {
 public:
  Hash() { crypto_generichash_init(&state_, nullptr, 0, sizeof(RunIdentity)); }
  void bytes(const void* data, std::size_t size) {
    crypto_generichash_update(&state_, static_cast<const unsigned char*>(data), size);
  }
  void number(std::uint64_t value) { bytes(&value, sizeof(value)); }
  [[nodiscard]] RunIdentity value() {
    RunIdentity identity{};
    crypto_generichash_final(&state_, identity.data(), identity.size());
    return identity;
  }
  /// The value as whole numbers, which a double can carry.
  [[nodiscard]] std::array<std::uint32_t, 8> parts() {
    const RunIdentity identity = value();
    std::array<std::uint32_t, 8> parts{};
    static_assert(sizeof(parts) == sizeof(identity));
    std::memcpy(parts.data(), identity.data(), sizeof(parts));
    return parts;
  }

 private:
  crypto_generichash_state state_;
};

constexpr std::size_t kHashParts = 8;

void add_record(Hash& hash, const Records& records, std::size_t i) {
  const double label = records.label(i);
  hash.bytes(&label, sizeof(label));
  if (records.is_sparse()) {
    const SparseRow row = records.sparse_row(i);
    hash.number(row.indices.size());
    hash.bytes(row.indices.data(), row.indices.size_bytes());
    hash.bytes(row.values.data(), row.values.size_bytes());
  } else {
    hash.bytes(records.row(i).data(), records.row(i).size_bytes());
  }
}

std::size_t size_of(const Checkpoint& checkpoint) {
  std::size_t numbers = 5 + checkpoint.state.parameter.size() + checkpoint.state.chosen.size();
  for (const auto& one : checkpoint.finished) numbers += one.size() + 1;
  return numbers * sizeof(double) + checkpoint.run.size() + checkpoint.state.order.size();
}

}  // namespace

CheckpointKey::CheckpointKey(CheckpointKey&& other) noexcept : bytes_(other.bytes_) {
  sodium_memzero(other.bytes_.data(), other.bytes_.size());
}

CheckpointKey& CheckpointKey::operator=(CheckpointKey&& other) noexcept {
  bytes_ = other.bytes_;
  if (this != &other) sodium_memzero(other.bytes_.data(), other.bytes_.size());
  return *this;
}

CheckpointKey::~CheckpointKey() { sodium_memzero(bytes_.data(), bytes_.size()); }

std::optional<CheckpointKey> CheckpointKey::from_environment(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  Bytes bytes;
  if (!parse_key(text, bytes)) throw InvalidArgument(variable, "(not shown)", "64 hexadecimal digits");
  CheckpointKey key(bytes);
  sodium_memzero(bytes.data(), bytes.size());
  return key;
}

CheckpointKey CheckpointKey::from_file(const std::string& path) {
  start_sodium();
  create_key_file(path);
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail("key file", path, fmt::format("a file that can be read ({})", std::strerror(errno)));
  struct stat status {};
  const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  char text[kKeyDigits + 2];
  const ssize_t length = is_file ? read(descriptor, text, sizeof(text)) : -1;
  close(descriptor);
  if (!is_file) fail("key file", path, "a regular file");
  if ((status.st_mode & 077) != 0) fail("key file", path, "a file that only its owner can read (chmod 600)");
  Bytes bytes;
  const std::string_view found(text, length > 0 ? static_cast<std::size_t>(length) : 0);
  // One line, with or without its end.
  const std::string_view line = found.substr(0, found.find('\n'));
  const bool is_key = line.size() + 1 >= found.size() && parse_key(trimmed(line), bytes);
  sodium_memzero(text, sizeof(text));
  if (!is_key) fail("key file", path, "64 hexadecimal digits in it");
  CheckpointKey key(bytes);
  sodium_memzero(bytes.data(), bytes.size());
  return key;
}

RunIdentity identity_of(std::string_view description, const Records& records, Communicator& communicator) {
  start_sodium();
  // One hash for each shard, so that the result does not depend on who has which.
  std::vector<Hash> shards(kShards);
  for (std::size_t i = 0; i < records.count(); ++i)
    if (records.contains(i)) add_record(shards[i % kShards], records, i);
  std::vector<std::size_t> lengths;
  for (std::size_t rank = 0; rank < communicator.size(); ++rank)
    lengths.push_back(shard_of(rank, communicator.size()).count * kHashParts);
  std::vector<double> mine, all(kShards * kHashParts);
  const Shard& own = records.shard();
  for (std::size_t shard = own.first; shard < own.first + own.count; ++shard)
    for (const std::uint32_t part : shards[shard].parts()) mine.push_back(part);
  communicator.gather(mine, lengths, all);
  Hash whole;
  whole.number(description.size());
  whole.bytes(description.data(), description.size());
  whole.number(records.count());
  whole.bytes(all.data(), all.size() * sizeof(double));
  return whole.value();
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint, const CheckpointKey& key) {
  start_sodium();
  Writer writer;
  writer.reserve(size_of(checkpoint));
  writer.put(checkpoint.run.data(), checkpoint.run.size());
  writer.number(checkpoint.finished.size());
  for (const auto& one : checkpoint.finished) writer.list(one);
  writer.number(checkpoint.state.step);
  writer.number(checkpoint.state.moment);
  writer.list(checkpoint.state.parameter);
  writer.list(checkpoint.state.chosen);
  writer.put(checkpoint.state.order.data(), checkpoint.state.order.size());

  std::string nonce(crypto_secretbox_NONCEBYTES, '\0');
  randombytes_buf(nonce.data(), nonce.size());
  std::string box(writer.bytes().size() + crypto_secretbox_MACBYTES, '\0');
  crypto_secretbox_easy(reinterpret_cast<unsigned char*>(box.data()),
                        reinterpret_cast<const unsigned char*>(writer.bytes().data()), writer.bytes().size(),
                        reinterpret_cast<const unsigned char*>(nonce.data()), key.bytes().data());
  AtomicFile file("checkpoint", path, {.is_private = true});
  file.write(kMagic);
  file.write(nonce);
  file.write(box);
  file.commit();
}

void remove_leftovers(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path file(path);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (is_part_of(entry.path().filename().string(), file.filename().string())) fs::remove(entry.path(), ignored);
}

std::optional<Checkpoint> read_checkpoint(const std::string& path, const RunIdentity& run, const CheckpointKey& key) {
  start_sodium();
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    fail("checkpoint", path, fmt::format("a file that can be read ({})", std::strerror(errno)));
  }
  const std::size_t head = kMagic.size() + crypto_secretbox_NONCEBYTES;
  if (!S_ISREG(status.st_mode) || static_cast<std::uintmax_t>(status.st_size) > kLargestCheckpoint)
    fail("checkpoint", path, "a checkpoint of this program");
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file || bytes.size() < head + crypto_secretbox_MACBYTES || !bytes.starts_with(kMagic))
    fail("checkpoint", path, "a checkpoint of this program");
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::string opened(bytes.size() - head - crypto_secretbox_MACBYTES, '\0');
  if (crypto_secretbox_open_easy(reinterpret_cast<unsigned char*>(opened.data()), data + head, bytes.size() - head,
                                 data + kMagic.size(), key.bytes().data()) != 0)
    fail("checkpoint", path, "the key that it was made with, and a file that nobody changed");
  Reader reader(opened);
  Checkpoint checkpoint;
  reader.get(checkpoint.run.data(), checkpoint.run.size());
  if (checkpoint.run != run)
    fail("checkpoint", path, "a checkpoint of the same run: the same options and the same records");
  const std::uint64_t finished = reader.number();
  for (std::uint64_t k = 0; k < finished; ++k) checkpoint.finished.push_back(reader.list());
  checkpoint.state.step = reader.number();
  checkpoint.state.moment = reader.number();
  checkpoint.state.parameter = reader.list();
  checkpoint.state.chosen = reader.list();
  reader.get(checkpoint.state.order.data(), checkpoint.state.order.size());
  sodium_memzero(opened.data(), opened.size());
  return checkpoint;
}

}  // namespace doeblin::training
