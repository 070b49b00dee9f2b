/* A skeleton in the making, as `native_skeleton.c` and `native_letters.c` see it. */
#include "native.h"

enum { LIMIT = 0x110000, SPACE = 0x20, LINE = 0x0A };

/* Kinds and traits of code points, as in `table.py` and `skeleton_table.py`. */
enum { OTHER, LETTER, DIGIT, UNIT, KIND = 3, BEGINS = 4, ENDS = 8, LOOKS = 16 };

/* What was undone, a bit each, in the order of the steps: `_BITS` in `skeleton.py`. */
enum { LOOK_ALIKES = 1, SPACED = 2, STRAY = 4, PINYIN = 8, DIGITS = 16, STRETCHED = 32, APART = 64 };

/* Of letters and digits: what stands here, and what begins here. */
enum { IS_LETTER = 1, IS_KEPT = 2, WORD = 4, STRETCH = 8, SAME = 16 };

enum { RUN = 4, SCATTERED = 3, STRAY_SHARE = 16, LONGEST_STRETCH = 60, LONGEST_SYLLABLE = 6 };

typedef struct {
    const uint8_t *kind, *traits, *known, *follows;
    const uint32_t *look, *left, *right, *whole;
    const uint32_t *spelled, *syllables; /* ascending, and the Han character of each */
    Py_ssize_t pairs, spelled_count;
} Tables;

/* One text in the making. */
typedef struct {
    const Tables *tables;
    const int64_t *sources;
    uint8_t *marks; /* what was undone at each place of the prepared texts */
    int changed;
    uint32_t *codes;
    int64_t *at; /* the place of each code in the prepared texts */
    uint8_t *kept;
    int64_t *places; /* of letters, digits and units */
    uint8_t *traits;
    int64_t *among, *inside; /* of letters and digits, among `places` and among `codes` */
    uint32_t *values;
    uint8_t *flags;
    Py_ssize_t count, place_count, letter_count;
} Draft;

/* A code point, as an index of the tables. */
static inline uint32_t
within(uint32_t code)
{
    return code < LIMIT ? code : LIMIT - 1;
}

static inline void
note(Draft *draft, int what, int64_t code)
{
    draft->marks[draft->at[code]] |= (uint8_t)what;
}

void join_spaced(Draft *draft);
void pass_over_strays(Draft *draft);
void read_pinyin(Draft *draft);
void read_words(Draft *draft);
