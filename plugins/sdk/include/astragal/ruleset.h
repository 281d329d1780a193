/* The Astragal ruleset ABI, major version 1.
 *
 * A ruleset is a shared library that exports one function, astragal_ruleset_v1(), which returns a
 * table of pure functions over positions. Authors in C++ include <astragal/ruleset.hpp> instead and
 * never fill this table by hand; authors in other languages implement exactly what stands here.
 *
 * A position is a block of bytes of the size the ruleset declares. It holds the whole state, the
 * options included. No pointers, little-endian, no byte left to chance: equal positions have equal
 * bytes, so interchangeable pieces are kept sorted and padding is zero. The host allocates, copies,
 * compares, hashes and stores positions; nothing is ever freed across this border.
 *
 * Chance is explicit. When actor() says ASTRAGAL_CHANCE, the host draws an outcome of the throw
 * kind that chances() names and applies it like any action. A ruleset never draws by itself.
 *
 * Thread tag of every function in the table: [any-thread, pure]. It may be called from any thread,
 * on any number of positions at once, and reads and writes nothing but its arguments: no clock,
 * randomness, file, network, locale, environment or mutable global. One position is never written
 * by one thread while another uses it; several threads may read one position.
 *
 * Pointers passed in are never null, are aligned for their type (positions: to 8 bytes) and belong
 * to the caller; the callee keeps none of them after it returned. Pointers returned inside the
 * table live for ever. Text is UTF-8 without control characters (board text may contain '\n'),
 * never NUL-terminated across the border unless the field says so; lengths are in bytes.
 *
 * A function that fills an array writes at most `capacity` entries and returns the full count,
 * which never exceeds the limit the ruleset declares. Passing capacity 0 asks for the count alone.
 *
 * A function without an error to fill reports a broken invariant by a value outside of its range:
 * UINT32_MAX for a count, INT32_MIN for an int32_t.
 *
 * Every struct states its size first and only grows at the end; a reader looks at no field beyond
 * the size it was given. Structs that stand in arrays (settings, options, presets, throw kinds,
 * effects, places, pieces, throws, counters, seat results) keep their size within a major version,
 * because it is the stride. The callee fills struct_size of the entries it writes. C11, fixed-width
 * integers only.
 */
#ifndef ASTRAGAL_RULESET_H_
#define ASTRAGAL_RULESET_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASTRAGAL_ABI_MAJOR 1u
#define ASTRAGAL_ABI_MINOR 0u

/* Name of the one exported function; it carries the ABI's major version. */
#define ASTRAGAL_ENTRY_NAME "astragal_ruleset_v1"

/* Limits of the border. A ruleset that declares more is refused. */
#define ASTRAGAL_MAX_POSITION_BYTES 1024u
#define ASTRAGAL_MAX_SEATS 4u
#define ASTRAGAL_MAX_ACTIONS 4096u
#define ASTRAGAL_MAX_EFFECTS 256u
#define ASTRAGAL_MAX_PLACES 1024u
#define ASTRAGAL_MAX_PIECES 1024u
#define ASTRAGAL_MAX_THROWS 256u
#define ASTRAGAL_MAX_COUNTERS 64u
#define ASTRAGAL_MAX_OPTIONS 32u
#define ASTRAGAL_MAX_CHOICES 32u
#define ASTRAGAL_MAX_PRESETS 32u
#define ASTRAGAL_MAX_THROW_KINDS 16u
#define ASTRAGAL_MAX_OUTCOMES 1024u
#define ASTRAGAL_MAX_TOTAL_WEIGHT 65536u
#define ASTRAGAL_MAX_NAME_BYTES 64u      /* ids, labels, notation of one action or throw */
#define ASTRAGAL_MAX_SENTENCE_BYTES 512u /* summaries and descriptions */
#define ASTRAGAL_MAX_TEXT_BYTES 16384u   /* position text, board text */

/* What actor() returns when it is nobody's seat. Seats are 0 .. seats-1. */
#define ASTRAGAL_CHANCE (-1)
#define ASTRAGAL_OVER (-2)

/* Results of functions that can refuse. Anything but OK leaves the position as it was. */
enum {
  ASTRAGAL_OK = 0,
  ASTRAGAL_REFUSED = 1,     /* the caller's input: error says why, in words for a player */
  ASTRAGAL_UNSUPPORTED = 2, /* this ruleset does not know this operation */
  ASTRAGAL_FAULT = 3        /* a broken invariant inside the ruleset */
};

/* Filled by the callee on any result but ASTRAGAL_OK. Both strings are NUL-terminated. */
typedef struct astragal_error {
  uint32_t struct_size; /* set by the caller */
  char field[64];       /* the option or part of the text that is wrong; empty when there is none */
  char message[252];    /* one sentence a player understands */
} astragal_error;

/* ---- What a ruleset says about itself: constant data ------------------------------------------
 */

enum { ASTRAGAL_OPTION_CHOICE = 0, ASTRAGAL_OPTION_INTEGER = 1 };

enum {
  /* Changing it does not change who is favoured: games with different values share a rating pool.
   */
  ASTRAGAL_OPTION_KEEPS_BALANCE = 1u << 0,
  /* An INTEGER option whose value is the number of seats. At most one. Without one, the number of
     seats is max_seats and min_seats equals it. */
  ASTRAGAL_OPTION_SEATS = 1u << 1
};

typedef struct astragal_option {
  uint32_t struct_size;
  uint32_t kind; /* ASTRAGAL_OPTION_CHOICE or _INTEGER */
  uint32_t flags;
  uint32_t choice_count;      /* CHOICE: 1..ASTRAGAL_MAX_CHOICES */
  const char* name;           /* [a-z][a-z0-9_]*, NUL-terminated */
  const char* description;    /* one sentence, NUL-terminated */
  const char* const* choices; /* CHOICE: names [a-z0-9_]+, NUL-terminated */
  int64_t minimum;            /* INTEGER: smallest value allowed; CHOICE: 0 */
  int64_t maximum;            /* INTEGER: largest; CHOICE: choice_count - 1 */
  int64_t default_value;      /* INTEGER: the value; CHOICE: the index of the choice */
} astragal_option;

typedef struct astragal_setting {
  uint32_t option; /* index into astragal_about.options */
  uint32_t reserved;
  int64_t value;
} astragal_setting;

/* A named set of option values; options it does not name keep their defaults. */
typedef struct astragal_preset {
  uint32_t struct_size;
  uint32_t setting_count;
  const char* name;
  const char* description;
  const astragal_setting* settings;
} astragal_preset;

/* A fixed list of outcomes that chance decides among. Outcome k has weight weights[k] >= 1;
 * the probability is weights[k] / sum, and the sum is at most ASTRAGAL_MAX_TOTAL_WEIGHT. */
typedef struct astragal_throw_kind {
  uint32_t struct_size;
  uint32_t outcome_count;
  const char* name; /* [a-z][a-z0-9_]* */
  const char* description;
  const uint32_t* weights;
  const char* const* labels; /* one per outcome, for example "6-3"; NUL-terminated */
} astragal_throw_kind;

enum {
  ASTRAGAL_RULESET_HAS_LEAVE = 1u << 0,    /* games go on when a seat leaves; leave() works */
  ASTRAGAL_RULESET_HAS_DRAWS = 1u << 1,    /* with some option a game can end with shared places */
  ASTRAGAL_RULESET_WINNER_STARTS = 1u << 2 /* in a match the previous winner begins by default */
};

typedef struct astragal_about {
  uint32_t struct_size;
  uint32_t rules_version; /* from 1; replays of one version give the same bytes for ever */
  uint32_t flags;
  uint32_t position_size; /* bytes, 1 .. ASTRAGAL_MAX_POSITION_BYTES */
  const char* id;         /* [a-z][a-z0-9_]*, for example "long_narde" */
  const char* name;       /* for people, for example "Long Narde" */
  const char* summary;    /* one or two sentences */
  const char* notation;   /* how actions are written: a paragraph with examples */
  uint32_t min_seats;     /* 2 .. ASTRAGAL_MAX_SEATS */
  uint32_t max_seats;
  const char* const* seat_names; /* max_seats lower-case names, for example "white" */
  uint32_t option_count;
  uint32_t preset_count;
  uint32_t throw_kind_count;
  uint32_t piece_kind_count;
  const astragal_option* options;
  const astragal_preset* presets; /* the first is "standard": all defaults */
  const astragal_throw_kind* throw_kinds;
  const char* const* piece_kinds; /* names of what astragal_piece.kind means */
  /* The most that any position of this ruleset can need; each within the limits above. */
  uint32_t max_actions;
  uint32_t max_effects;
  uint32_t max_places;
  uint32_t max_pieces;
  uint32_t max_throws;
  uint32_t max_counters;
  uint64_t max_game_actions; /* actions and throws of one game; a longer one is a fault */
  /* Index of the option that says who begins and the number of its values that name seats: a match
     sets it to the previous winner. first_player_option < 0: there is none. The value for seat s is
     first_player_values[s]. */
  int32_t first_player_option;
  uint32_t reserved;
  const int64_t* first_player_values;
} astragal_about;

/* ---- What a position shows --------------------------------------------------------------------
 */

/* An action of the actor CHANCE: outcome number `outcome` of throw kind `kind`. */
#define ASTRAGAL_CHANCE_ACTION(kind, outcome) (((int64_t)(kind) << 16) | (int64_t)(outcome))
#define ASTRAGAL_CHANCE_KIND(action) ((uint32_t)((action) >> 16))
#define ASTRAGAL_CHANCE_OUTCOME(action) ((uint32_t)((action)&0xFFFF))

enum {
  ASTRAGAL_EFFECT_MOVE = 1,     /* piece goes from -> to */
  ASTRAGAL_EFFECT_ENTER = 2,    /* piece comes from the hand to `to` */
  ASTRAGAL_EFFECT_CAPTURE = 3,  /* piece of `seat` is taken from `from` (to: hand, or -1) */
  ASTRAGAL_EFFECT_BEAR_OFF = 4, /* piece leaves the board from `from` for good */
  ASTRAGAL_EFFECT_THROW = 5,    /* seat threw; amount is the value, piece numbers repeated ones */
  ASTRAGAL_EFFECT_DISCARD = 6,  /* a throw of `amount` of `seat` is lost unused */
  ASTRAGAL_EFFECT_PASS = 7,     /* seat had to act and nothing was legal: its turn ends */
  ASTRAGAL_EFFECT_EXTRA_THROW = 8, /* seat throws again */
  ASTRAGAL_EFFECT_PAY = 9,         /* seat pays amount (to: seat that receives, -1: pot) */
  ASTRAGAL_EFFECT_TAKE = 10,       /* seat takes amount from the pot */
  ASTRAGAL_EFFECT_FINISH = 11,     /* seat has its final place, amount = place from 1 */
  ASTRAGAL_EFFECT_TURN = 12,       /* seat is the next to throw or act */
  ASTRAGAL_EFFECT_STOP = 13        /* seat ended its turn by choice */
};

typedef struct astragal_effect {
  uint32_t struct_size;
  uint32_t kind;
  int32_t seat;  /* whose piece, coins, throw or turn */
  int32_t piece; /* index of the piece kind; -1 when no piece is concerned */
  int32_t from;  /* place id, -1 none */
  int32_t to;    /* place id, -1 none */
  int64_t amount;
} astragal_effect;

/* Place 1 is the best; seats that share a place have equal numbers; 0 while the game goes on. */
typedef struct astragal_seat_result {
  uint32_t struct_size;
  int32_t place;
  int64_t points; /* what the game is worth to this seat, in the points of a match */
} astragal_seat_result;

/* What the others would still score, together, if this seat stopped now. */
typedef struct astragal_concession {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t fewest; /* a resignation offers at least this */
  int64_t most;   /* a timeout costs this */
} astragal_concession;

enum { /* shapes */
       ASTRAGAL_SHAPE_SQUARE = 0,
       ASTRAGAL_SHAPE_TRIANGLE_UP = 1, /* a backgammon point whose tip is up */
       ASTRAGAL_SHAPE_TRIANGLE_DOWN = 2,
       ASTRAGAL_SHAPE_CIRCLE = 3,
       ASTRAGAL_SHAPE_TRAY = 4 /* holds pieces that are not on the board: hand, borne off */
};

enum { /* marks, or-ed together */
       ASTRAGAL_MARK_START = 1u << 0,
       ASTRAGAL_MARK_SAFE = 1u << 1,    /* no capture here (X-marked boxes) */
       ASTRAGAL_MARK_PENALTY = 1u << 2, /* landing costs (wedges) */
       ASTRAGAL_MARK_EXTRA = 1u << 3,   /* landing gives another turn (rounded squares) */
       ASTRAGAL_MARK_CENTRE = 1u << 4,  /* middle squares, keeps */
       ASTRAGAL_MARK_HOME = 1u << 5,
       ASTRAGAL_MARK_DARK = 1u << 6 /* drawn in the darker of two colours */
};

/* One place where a piece can stand. Coordinates are thousandths of a unit square, x to the right,
 * y down; the board's extent is that of its places. Constant for given options. */
typedef struct astragal_place {
  uint32_t struct_size;
  int32_t id;   /* >= 0, distinct */
  int32_t x, y; /* centre */
  int32_t width, height;
  uint32_t shape;
  uint32_t marks;
  int32_t seat; /* whose tray, start or home it is; -1 nobody's */
  uint32_t reserved;
  char label[16]; /* NUL-terminated; what the notation calls it, may be empty */
} astragal_place;

/* `count` pieces of one seat and kind on one place. Ordered by place, then seat, then kind. */
typedef struct astragal_piece {
  uint32_t struct_size;
  int32_t place; /* an id of places(); trays included, so that the counts are conserved */
  int32_t seat;
  int32_t kind; /* index into piece_kinds */
  int32_t count;
  uint32_t reserved;
} astragal_piece;

/* A throw that was made in this turn, in the order thrown where that is known. */
typedef struct astragal_throw {
  uint32_t struct_size;
  int32_t seat;
  int64_t value;
  int32_t used; /* 0: still to use, 1: used */
  uint32_t reserved;
} astragal_throw;

/* A named integer, for example coins of a seat, the pot, throws left. */
typedef struct astragal_counter {
  uint32_t struct_size;
  int32_t seat; /* -1: the table's */
  int64_t value;
  char name[32]; /* [a-z][a-z0-9_]*, NUL-terminated */
} astragal_counter;

/* ---- The table ------------------------------------------------------------------------------- */

typedef struct astragal_ruleset {
  uint32_t struct_size;
  uint32_t abi_major; /* ASTRAGAL_ABI_MAJOR */
  uint32_t abi_minor;
  uint32_t reserved;
  const astragal_about* about;

  /* The first position for these option values, about->option_count of them in declared order, each
     within its declared bounds. Refuses combinations that do not fit (error.field: option name). */
  int32_t (*start)(const int64_t* options, void* position, astragal_error* error);

  /* Any bytes may come in: OK if and only if they are a position this ruleset can reach or accepts
     as set up. Every other function may rely on it. */
  int32_t (*check)(const void* position, astragal_error* error);

  /* Seat to act, ASTRAGAL_CHANCE or ASTRAGAL_OVER. */
  int32_t (*actor)(const void* position);

  /* Number of seats of this game. */
  uint32_t (*seats)(const void* position);

  /* The option values of this position, about->option_count of them in declared order. */
  void (*options)(const void* position, int64_t* out);

  /* Legal actions of the seat to act: non-negative, ascending, distinct, each can be completed to a
     legal turn. Empty when actor() is no seat, and only then. */
  uint32_t (*actions)(const void* position, int64_t* out, uint32_t capacity);

  /* Index of the throw kind that is thrown now; -1 when actor() is not CHANCE. */
  int32_t (*chances)(const void* position);

  /* Checks that `action` is legal for `actor` and carries it out, together with everything that
     follows without a decision (a forced pass, a discarded throw, the next turn). For
     ASTRAGAL_CHANCE the action is ASTRAGAL_CHANCE_ACTION(kind, outcome). */
  int32_t (*apply)(void* position, int32_t actor, int64_t action, astragal_error* error);

  /* The seat is gone for good in a game that goes on without it. UNSUPPORTED without HAS_LEAVE.
     There are no effects to report: the host tells watchers who left and shows the position. */
  int32_t (*leave)(void* position, int32_t seat, astragal_error* error);

  /* Fills one entry per seat; all places are 0 unless the game is over (or the seat has finished).
   */
  void (*result)(const void* position, astragal_seat_result* out);

  /* Canonical notation of an action of `actor` or of a throw; an action parse() would not return
     gives 0. At most ASTRAGAL_MAX_NAME_BYTES. */
  uint32_t (*format)(const void* position, int32_t actor, int64_t action, char* out,
                     uint32_t capacity);

  /* Reads what format() writes, and variants a player would type. Legality is checked by apply(),
     not here, but the error explains to a player what cannot be read. */
  int32_t (*parse)(const void* position, int32_t actor, const char* text, uint32_t length,
                   int64_t* action, astragal_error* error);

  /* The whole position as one line of text, options that differ from their defaults included. */
  uint32_t (*format_position)(const void* position, char* out, uint32_t capacity);
  int32_t (*parse_position)(const char* text, uint32_t length, void* position,
                            astragal_error* error);

  /* What apply() of a legal action or throw would do, in order, forced consequences included. */
  uint32_t (*effects)(const void* position, int32_t actor, int64_t action, astragal_effect* out,
                      uint32_t capacity);

  /* REFUSED when the game is over or the seat is out of it. */
  int32_t (*concession)(const void* position, int32_t seat, astragal_concession* out);

  uint32_t (*places)(const void* position, astragal_place* out, uint32_t capacity);
  uint32_t (*pieces)(const void* position, astragal_piece* out, uint32_t capacity);
  uint32_t (*throws)(const void* position, astragal_throw* out, uint32_t capacity);
  uint32_t (*counters)(const void* position, astragal_counter* out, uint32_t capacity);

  /* A plain-text board for terminals, logs and goldens; lines end with '\n'. */
  uint32_t (*text)(const void* position, char* out, uint32_t capacity);

  /* Optional, may be null: an estimate of the seat's chance to win, 0 .. 1000. Cheap. */
  int32_t (*evaluate)(const void* position, int32_t seat);

  /* Optional, may be null: a feature by versioned id, for example "astragal.mirror/1"; null when
     the ruleset does not have it. The returned table lives for ever. */
  const void* (*extension)(const char* id);
} astragal_ruleset;

/* Extension "astragal.mirror/1": the same position seen from the other side of the table. For a
 * ruleset whose rules are symmetric, mirroring commutes with apply(). */
#define ASTRAGAL_EXTENSION_MIRROR "astragal.mirror/1"
typedef struct astragal_mirror {
  uint32_t struct_size;
  uint32_t reserved;
  void (*position)(const void* position, void* mirrored);
  int32_t (*seat)(const void* position, int32_t seat);
  int64_t (*action)(const void* position, int32_t actor, int64_t action);
} astragal_mirror;

#if defined(_WIN32)
#error "Rulesets are ELF shared libraries"
#else
#define ASTRAGAL_EXPORT __attribute__((visibility("default")))
#endif

typedef const astragal_ruleset* (*astragal_entry)(void);

/* The one exported function. Returns a table that lives for ever; never null. */
ASTRAGAL_EXPORT const astragal_ruleset* astragal_ruleset_v1(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ASTRAGAL_RULESET_H_ */
