#include "services/base/crypto.h"

#include <fcntl.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "services/base/signing.h"
#include "services/base/status.h"

namespace astragal::base {
namespace {

constexpr size_t kNonceBytes = 12;
constexpr size_t kTagBytes = 16;

const uint8_t* Data(std::string_view text) { return reinterpret_cast<const uint8_t*>(text.data()); }
uint8_t* Data(std::string& text) { return reinterpret_cast<uint8_t*>(text.data()); }

// OpenSSL only fails here for want of memory or on misuse: both are broken invariants.
void MustBeOne(int result) {
  if (result != 1) std::abort();
}

struct CipherFree {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, CipherFree>;

struct MacFree {
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};
using Mac = std::unique_ptr<EVP_MAC_CTX, MacFree>;

EVP_MAC_CTX* NewHmacSha256() {
  EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  EVP_MAC_CTX* const context = EVP_MAC_CTX_new(hmac);
  EVP_MAC_free(hmac);
  char digest[] = "SHA256";
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end(),
  };
  MustBeOne(EVP_MAC_CTX_set_params(context, params));
  return context;
}

absl::Status KeyFileError(std::string_view why) {
  return absl::FailedPreconditionError(std::string("key file: ") + std::string(why));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

absl::StatusOr<Bytes32> ReadKey(int fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return KeyFileError("not a regular file");
  if ((info.st_mode & 077) != 0) return KeyFileError("readable by others; run chmod 600 on it");
  Bytes32 key{};
  if (info.st_size != static_cast<off_t>(key.size()) ||
      read(fd, key.data(), key.size()) != static_cast<ssize_t>(key.size())) {
    return KeyFileError("must hold exactly 32 bytes");
  }
  return key;
}

bool WriteKey(const std::string& path, Random& random) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  Bytes32 key{};
  random.Fill(key);
  return file.get() >= 0 &&
         write(file.get(), key.data(), key.size()) == static_cast<ssize_t>(key.size()) &&
         fsync(file.get()) == 0;
}

// The file appears complete or not at all, and whoever comes second finds the key of the first: an
// interrupted start must not leave half a key, and two keys would lose every secret of one of them.
bool CreateKey(const std::string& path, Random& random) {
  std::array<uint8_t, 8> unique{};
  random.Fill(unique);
  const std::string draft = path + "." + Hex(AsView(unique));
  bool created = WriteKey(draft, random);
  if (created) created = link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST;
  unlink(draft.c_str());
  return created;
}

}  // namespace

std::string_view AsView(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

Bytes32 Sha256(std::string_view data) {
  Bytes32 digest{};
  // Fetched once: looking an algorithm up by name costs more than hashing an event.
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  MustBeOne(EVP_Digest(data.data(), data.size(), digest.data(), nullptr, algorithm, nullptr));
  return digest;
}

Bytes32 HmacSha256(std::span<const uint8_t> key, std::string_view message) {
  // Copies of one that knows its algorithms: looking them up by name costs more than the rest.
  static const EVP_MAC_CTX* const ready = NewHmacSha256();
  const Mac context(EVP_MAC_CTX_dup(ready));
  if (context == nullptr) std::abort();
  static constexpr uint8_t kNoKey[1] = {};  // a null pointer would mean: the key as it was
  MustBeOne(EVP_MAC_init(context.get(), key.empty() ? kNoKey : key.data(), key.size(), nullptr));
  MustBeOne(EVP_MAC_update(context.get(), Data(message), message.size()));
  Bytes32 digest{};
  size_t length = 0;
  MustBeOne(EVP_MAC_final(context.get(), digest.data(), &length, digest.size()));
  return digest;
}

bool ConstantTimeEqual(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

void SystemRandom::Fill(std::span<uint8_t> out) {
  MustBeOne(RAND_bytes(out.data(), static_cast<int>(out.size())));
}

absl::StatusOr<SecretBox> SecretBox::FromKeyFile(const std::string& path, Random& random) {
  // Twice: when the file is missing it is created, by this process or by another one meanwhile.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() >= 0) {
      absl::StatusOr<Bytes32> key = ReadKey(file.get());
      if (!key.ok()) return key.status();
      return SecretBox(*key);
    }
    if (errno != ENOENT) return KeyFileError("cannot be opened");
    if (attempt == 0 && !CreateKey(path, random)) return KeyFileError("cannot be created");
  }
  return KeyFileError("cannot be opened");
}

std::string SecretBox::Seal(std::string_view plain, std::string_view context,
                            Random& random) const {
  std::string sealed(kNonceBytes + plain.size() + kTagBytes, '\0');
  random.Fill(std::span(Data(sealed), kNonceBytes));
  const Cipher cipher(EVP_CIPHER_CTX_new());
  int length = 0;
  MustBeOne(
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), Data(sealed)));
  MustBeOne(EVP_EncryptUpdate(cipher.get(), nullptr, &length, Data(context),
                              static_cast<int>(context.size())));
  MustBeOne(EVP_EncryptUpdate(cipher.get(), Data(sealed) + kNonceBytes, &length, Data(plain),
                              static_cast<int>(plain.size())));
  MustBeOne(EVP_EncryptFinal_ex(cipher.get(), Data(sealed) + kNonceBytes + length, &length));
  MustBeOne(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes,
                                Data(sealed) + kNonceBytes + plain.size()));
  return sealed;
}

absl::StatusOr<std::string> SecretBox::Open(std::string_view sealed,
                                            std::string_view context) const {
  const absl::Status wrong = absl::DataLossError("a sealed secret does not open with this key");
  if (sealed.size() < kNonceBytes + kTagBytes) return wrong;
  const std::string_view body = sealed.substr(kNonceBytes, sealed.size() - kNonceBytes - kTagBytes);
  std::string tag(sealed.substr(sealed.size() - kTagBytes));
  std::string plain(body.size(), '\0');
  const Cipher cipher(EVP_CIPHER_CTX_new());
  int length = 0;
  MustBeOne(
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), Data(sealed)));
  MustBeOne(EVP_DecryptUpdate(cipher.get(), nullptr, &length, Data(context),
                              static_cast<int>(context.size())));
  MustBeOne(EVP_DecryptUpdate(cipher.get(), Data(plain), &length, Data(body),
                              static_cast<int>(body.size())));
  MustBeOne(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, tag.data()));
  if (EVP_DecryptFinal_ex(cipher.get(), Data(plain) + length, &length) != 1) return wrong;
  return plain;
}

// ---- Signatures (signing.h).

namespace {

struct KeyFree {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct DigestFree {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, KeyFree>;
using Digest = std::unique_ptr<EVP_MD_CTX, DigestFree>;

}  // namespace

SigningKey::SigningKey(const Bytes32& seed) : seed_(seed) {
  const Key key(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed_.data(), seed_.size()));
  size_t length = public_key_.size();
  MustBeOne(EVP_PKEY_get_raw_public_key(key.get(), public_key_.data(), &length));
}

Signature SigningKey::Sign(std::string_view message) const {
  const Key key(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed_.data(), seed_.size()));
  const Digest context(EVP_MD_CTX_new());
  MustBeOne(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()));
  Signature signature{};
  size_t length = signature.size();
  MustBeOne(
      EVP_DigestSign(context.get(), signature.data(), &length, Data(message), message.size()));
  return signature;
}

bool IsSignatureOf(const Bytes32& public_key, std::string_view message,
                   const Signature& signature) {
  const Key key(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, public_key.data(), public_key.size()));
  const Digest context(EVP_MD_CTX_new());
  if (key == nullptr) return false;
  MustBeOne(EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()));
  return EVP_DigestVerify(context.get(), signature.data(), signature.size(), Data(message),
                          message.size()) == 1;
}

}  // namespace astragal::base
