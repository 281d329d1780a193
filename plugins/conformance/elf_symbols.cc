#include "plugins/conformance/elf_symbols.h"

#include <link.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"

namespace astragal::conformance {
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

// Copies a struct out of the file if it lies inside.
template <typename T>
bool Read(absl::string_view bytes, uint64_t offset, T& out) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof out) return false;
  std::memcpy(&out, bytes.data() + offset, sizeof out);
  return true;
}

std::string NameAt(absl::string_view bytes, uint64_t offset) {
  if (offset >= bytes.size()) return "";
  const absl::string_view rest = bytes.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

void ReadTable(absl::string_view bytes, const Section& table, const Section& names,
               ElfSymbols& symbols) {
  for (uint64_t offset = sizeof(Symbol); offset < table.sh_size; offset += sizeof(Symbol)) {
    Symbol symbol;
    if (!Read(bytes, table.sh_offset + offset, symbol)) return;
    const std::string name = NameAt(bytes, names.sh_offset + symbol.st_name);
    const bool visible = (symbol.st_other & 3) != STV_HIDDEN;
    if (name.empty() || !visible || ELF64_ST_TYPE(symbol.st_info) == STT_SECTION) continue;
    const bool undefined = symbol.st_shndx == SHN_UNDEF;
    if (symbol.st_shndx == SHN_ABS) continue;  // the name of a symbol version
    (undefined ? symbols.imported : symbols.exported).push_back(name);
  }
}

// By subject, separated by spaces. C++ names are those of libstdc++ and libc++ (mangled, by
// prefix).
struct Subject {
  const char* name;
  const char* symbols;
  const char* prefixes;
};

constexpr Subject kSubjects[] = {
    {"clock",
     "time gettimeofday clock clock_gettime clock_getres timespec_get times nanosleep usleep sleep "
     "clock_nanosleep ftime setitimer getitimer alarm timer_create localtime localtime_r gmtime "
     "gmtime_r mktime strftime tzset difftime",
     "_ZNSt6chrono _ZNSt3__16chrono"},
    {"randomness",
     "rand srand rand_r random srandom random_r initstate setstate drand48 erand48 lrand48 nrand48 "
     "mrand48 jrand48 srand48 seed48 lcong48 getrandom getentropy arc4random arc4random_buf "
     "arc4random_uniform",
     "_ZNSt13random_device _ZNSt3__113random_device"},
    {"environment",
     "getenv secure_getenv setenv putenv unsetenv clearenv environ __environ getpid getppid gettid "
     "getuid geteuid getgid gethostname uname getcwd chdir sysconf getauxval sched_getcpu isatty "
     "getlogin getpwuid",
     ""},
    {"locale",
     "setlocale newlocale uselocale duplocale localeconv nl_langinfo strcoll strxfrm strcoll_l "
     "strtod strtof strtold atof isalpha isdigit isalnum isspace isupper islower ispunct isprint "
     "iscntrl isxdigit toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc "
     "mbtowc "
     "wctomb mbstowcs wcstombs mbrtowc wcrtomb towupper towlower iswalpha gettext setlocale",
     "_ZNSt6locale _ZNKSt6locale _ZNSt3__16locale"},
    {"files",
     "open open64 openat openat64 __open_2 __open64_2 creat fopen fopen64 freopen fdopen read "
     "pread "
     "pread64 fread fgets fgetc getc getline fclose close unlink remove rename mkdir rmdir opendir "
     "readdir readdir64 stat stat64 fstat fstat64 lstat lstat64 access readlink realpath mmap "
     "mmap64 "
     "tmpfile mkstemp shm_open memfd_create ioctl fcntl fcntl64 stdin",
     "_ZNSt13basic_filebuf _ZNSt14basic_ifstream _ZNSt14basic_ofstream _ZNSt13basic_fstream "
     "_ZNSt10filesystem _ZSt3cin"},
    {"network",
     "socket connect bind listen accept accept4 send sendto sendmsg recv recvfrom recvmsg "
     "getaddrinfo gethostbyname socketpair",
     ""},
    {"threads",
     "pthread_create thrd_create pthread_mutex_lock pthread_rwlock_wrlock pthread_cond_wait "
     "sem_wait "
     "pthread_setspecific",
     "_ZNSt6thread _ZNSt3__16thread"},
    {"processes",
     "fork vfork clone execv execve execvp execl execlp execle posix_spawn posix_spawnp system "
     "popen "
     "waitpid wait kill raise signal sigaction sigprocmask exit _exit _Exit quick_exit atexit "
     "dlopen "
     "dlsym syscall prctl ptrace setrlimit setrlimit64 longjmp _longjmp __longjmp_chk",
     ""},
    {"output",
     "printf puts putchar putc fputs fputc fprintf vprintf vfprintf fwrite fflush write writev "
     "pwrite "
     "perror stdout stderr __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk syslog dprintf "
     "__dprintf_chk",
     "_ZSt4cout _ZSt4cerr _ZSt4clog _ZNSt8ios_base4Init"},
};

using Reasons = std::map<std::string, absl::string_view, std::less<>>;

const Reasons& ForbiddenNames() {
  static const Reasons* const names = [] {
    auto* list = new Reasons;
    for (const Subject& subject : kSubjects) {
      for (absl::string_view name : absl::StrSplit(subject.symbols, ' ', absl::SkipEmpty())) {
        list->emplace(std::string(name), subject.name);
      }
    }
    return list;
  }();
  return *names;
}

}  // namespace

ElfSymbols ReadElfSymbols(absl::string_view bytes) {
  ElfSymbols symbols;
  Header header;
  if (!Read(bytes, 0, header) || header.e_shentsize != sizeof(Section)) return symbols;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Section table;
    Section names;
    if (!Read(bytes, header.e_shoff + i * sizeof(Section), table)) break;
    if (table.sh_type != SHT_DYNSYM) continue;
    if (Read(bytes, header.e_shoff + table.sh_link * sizeof(Section), names)) {
      ReadTable(bytes, table, names, symbols);
    }
  }
  return symbols;
}

absl::string_view ForbiddenImport(absl::string_view symbol) {
  const Reasons& names = ForbiddenNames();
  const auto it = names.find(std::string(symbol));
  if (it != names.end()) return it->second;
  for (const Subject& subject : kSubjects) {
    for (absl::string_view prefix : absl::StrSplit(subject.prefixes, ' ', absl::SkipEmpty())) {
      if (absl::StartsWith(symbol, prefix)) return subject.name;
    }
  }
  return "";
}

}  // namespace astragal::conformance
