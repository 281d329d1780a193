// Why a library file was not taken as a ruleset: one word per way to be wrong.
#ifndef ASTRAGAL_PLUGINS_HOST_REFUSAL_H_
#define ASTRAGAL_PLUGINS_HOST_REFUSAL_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace astragal::host {

enum class Refusal {
  kUnreadable,         // cannot be opened or read
  kNotRegularFile,     // a folder, pipe, device or socket
  kWorldWritable,      // anybody could have written the file, or exchange it in its folder
  kTooLarge,           // above kMaxLibraryBytes
  kNotElf,             // no ELF header
  kNotLibrary,         // ELF, but not a shared library
  kWrongArchitecture,  // for another machine, word size or byte order
  kTruncated,          // shorter than its own headers say
  kStoreFailed,        // the copy could not be written to the store
  kMissingDependency,  // needs a library that is not there
  kUndefinedSymbol,    // needs a symbol that nobody defines
  kCannotLoad,         // the dynamic linker refuses for another reason
  kNoEntry,            // no astragal_ruleset_v1
  kWrongAbiMajor,      // made for another major version of the ABI
  kNullTable,          // the entry returns null, or its table says nothing about itself
  kShortStruct,        // a struct smaller than this ABI's
  kNullFunction,       // a function that must be there is null
  kBadAbout,           // what it says about itself is out of limits or malformed
  kWritesOutput,       // wrote to standard output or error while it was checked
  kExited,             // ended the process that checked it
  kCrashed,            // crashed in the process that checked it
  kTimedOut,           // did not finish in the time it is given
  kStartsThreads,      // left threads running in the process that checked it
  kLeavesProcesses,    // left processes running after it was checked
  kBrokeContract,      // loaded, but a trial game broke the contract
  kProbeFailed,        // the check itself could not run
};

// The word in capitals, for example "NOT_ELF": for logs, the admin service and tests.
absl::string_view RefusalName(Refusal refusal);
// The reverse; kProbeFailed for a word that is none.
Refusal RefusalFromName(absl::string_view name);

// InvalidArgument with the refusal as payload; `detail` is one sentence for an operator.
absl::Status RefusalError(Refusal refusal, absl::string_view detail);
// The refusal of a status that is not OK; kProbeFailed when it carries none.
Refusal RefusalOf(const absl::Status& status);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_REFUSAL_H_
