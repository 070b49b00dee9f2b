/* Letters between Han characters and in words: what disguises do to them, undone, as in
   `letter_runs.py` and `spaced_letters.py`, for one text. */
#include "native_draft.h"

/* Where the next word or stretch begins. */
static inline Py_ssize_t
end_of(const Draft *draft, Py_ssize_t start, uint8_t flag)
{
    Py_ssize_t stop = start + 1;
    while (stop < draft->letter_count && !(draft->flags[stop] & flag))
        stop++;
    return stop;
}

static inline Py_ssize_t
letters_in(const Draft *draft, Py_ssize_t start, Py_ssize_t stop)
{
    Py_ssize_t count = 0;
    for (; start < stop; start++)
        count += draft->flags[start] & IS_LETTER;
    return count;
}

static inline int
is_white(uint32_t code)
{
    return code == SPACE || code == LINE;
}

/* Whether white space stands between a letter and the next one. */
static int
has_white(const Draft *draft, Py_ssize_t letter)
{
    for (int64_t at = draft->inside[letter]; at < draft->inside[letter + 1]; at++)
        if (is_white(draft->codes[at]))
            return 1;
    return 0;
}

static inline int64_t
width_after(const Draft *draft, Py_ssize_t letter)
{
    const int64_t *inside = draft->inside + letter;
    return draft->sources[draft->at[inside[1]]] - draft->sources[draft->at[inside[0]]];
}

/* Single letters in a row become words. Where all gaps hold white space, wider ones part words; else
   white space does. */
static void
join_run(Draft *draft, Py_ssize_t start, Py_ssize_t stop)
{
    if (2 * letters_in(draft, start, stop) < stop - start)
        return;
    int64_t narrowest = INT64_MAX;
    Py_ssize_t white = 0;
    for (Py_ssize_t i = start; i < stop - 1; i++) {
        white += has_white(draft, i);
        if (width_after(draft, i) < narrowest)
            narrowest = width_after(draft, i);
    }
    int by_white = 2 * white < stop - start - 1;
    for (Py_ssize_t i = start; i < stop; i++) {
        note(draft, SPACED, draft->inside[i]);
        if (i == stop - 1)
            break;
        if (by_white ? has_white(draft, i) : width_after(draft, i) > narrowest)
            continue;
        draft->flags[i + 1] &= (uint8_t)~WORD;
        for (int64_t at = draft->inside[i] + 1; at < draft->inside[i + 1]; at++)
            draft->kept[at] = 0;
    }
}

void
join_spaced(Draft *draft)
{
    Py_ssize_t count = draft->letter_count, start = 0;
    while (start < count) { /* words of one letter, in one stretch */
        Py_ssize_t stop = start;
        while (stop < count && (draft->flags[stop] & WORD) &&
               (stop + 1 == count || (draft->flags[stop + 1] & WORD)) &&
               (stop == start || !(draft->flags[stop] & STRETCH)))
            stop++;
        if (stop - start >= RUN)
            join_run(draft, start, stop);
        start = stop > start ? stop : start + 1;
    }
}

/* Whether Han characters stand before and after a stretch, a bit each. */
static inline int
beside(const Draft *draft, Py_ssize_t start, Py_ssize_t stop)
{
    return (draft->among[start] > 0) | (draft->among[stop - 1] + 1 < draft->place_count) << 1;
}

static int
is_scattered(const Draft *draft)
{
    Py_ssize_t strays = 0;
    for (Py_ssize_t start = 0, stop; start < draft->letter_count; start = stop) {
        stop = end_of(draft, start, STRETCH);
        if (beside(draft, start, stop) == 3 && letters_in(draft, start, stop) == 1) {
            const int64_t *place = draft->places + draft->among[start];
            strays += place[0] - place[-1] == 1 && place[1] - place[0] == 1;
        }
    }
    return strays >= SCATTERED && strays * STRAY_SHARE >= draft->place_count;
}

void
pass_over_strays(Draft *draft)
{
    if (!is_scattered(draft))
        return;
    for (Py_ssize_t start = 0, stop; start < draft->letter_count; start = stop) {
        stop = end_of(draft, start, STRETCH);
        if (!beside(draft, start, stop) || letters_in(draft, start, stop) != 1)
            continue;
        Py_ssize_t letter = start;
        while (!(draft->flags[letter] & IS_LETTER))
            letter++;
        if (draft->values[letter] >= 0x80)
            continue;
        draft->flags[letter] &= (uint8_t)~(IS_LETTER | IS_KEPT);
        note(draft, STRAY, draft->inside[letter]);
    }
}

/* The Han character of a syllable, or 0. */
static uint32_t
syllable(const Tables *tables, const uint32_t *letters, Py_ssize_t size)
{
    uint32_t name = 0;
    Py_ssize_t low = 0, high = tables->spelled_count;
    for (Py_ssize_t i = 0; i < LONGEST_SYLLABLE; i++)
        name = name << 5 | (i < size ? letters[i] - 'a' + 1 : 0);
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        if (tables->spelled[middle] < name)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == tables->spelled_count || tables->spelled[low] != name)
        return 0;
    return within(tables->syllables[low]);
}

/* Whether some syllables could be in a run, going by which letters follow each other in them. */
static int
may_spell(const Draft *draft, Py_ssize_t start, Py_ssize_t stop)
{
    for (Py_ssize_t i = start; i < stop; i++) {
        uint32_t letter = draft->values[i], next = i + 1 < stop ? draft->values[i + 1] : 0;
        if (letter < 'a' || letter > 'z' || next > 'z' || !draft->tables->follows[letter << 7 | next])
            return 0;
    }
    return 1;
}

/* A run of letters that spells syllables becomes the fewest of them, of these the longest first. */
static void
read_run(Draft *draft, Py_ssize_t start, Py_ssize_t stop)
{
    Py_ssize_t size = stop - start, fewest[LONGEST_STRETCH + 1], step[LONGEST_STRETCH];
    uint32_t codes[LONGEST_STRETCH];
    if (!may_spell(draft, start, stop))
        return;
    fewest[size] = 0;
    for (Py_ssize_t from = size - 1; from >= 0; from--) {
        fewest[from] = PY_SSIZE_T_MAX;
        Py_ssize_t most = size - from < LONGEST_SYLLABLE ? size - from : LONGEST_SYLLABLE;
        for (Py_ssize_t length = most; length > 0; length--) {
            Py_ssize_t rest = fewest[from + length];
            if (rest == PY_SSIZE_T_MAX || fewest[from] <= rest + 1)
                continue;
            uint32_t code = syllable(draft->tables, draft->values + start + from, length);
            if (code)
                fewest[from] = rest + 1, step[from] = length, codes[from] = code;
        }
    }
    if (fewest[0] == PY_SSIZE_T_MAX)
        return;
    for (Py_ssize_t i = start; i < stop; i++) {
        draft->flags[i] &= (uint8_t)~(IS_LETTER | IS_KEPT);
        note(draft, PINYIN, draft->inside[i]);
    }
    for (Py_ssize_t from = 0; from < size; from += step[from]) {
        draft->values[start + from] = codes[from];
        draft->flags[start + from] |= IS_KEPT;
    }
    for (Py_ssize_t i = start; i < stop; i++)
        draft->traits[draft->among[i]] = draft->tables->traits[draft->values[i]] | UNIT;
}

void
read_pinyin(Draft *draft)
{
    for (Py_ssize_t start = 0, stop; start < draft->letter_count; start = stop) {
        stop = end_of(draft, start, STRETCH);
        if (!beside(draft, start, stop) || stop - start > LONGEST_STRETCH ||
            letters_in(draft, start, stop) < 2)
            continue;
        for (Py_ssize_t run = start, end; run < stop; run = end) {
            uint8_t letter = draft->flags[run] & IS_LETTER;
            end = run + 1;
            while (end < stop && !(draft->flags[end] & WORD) &&
                   (draft->flags[end] & IS_LETTER) == letter)
                end++;
            if (letter && end - run > 1)
                read_run(draft, run, end);
        }
    }
}

/* The letter that a digit is written for; 6 is left as it is. */
static inline uint32_t
letter_for(uint32_t value)
{
    static const char letters[] = "oizeas6tbg";
    return value < '0' || value > '9' ? value : (uint32_t)letters[value - '0'];
}

/* Digits and letters of a stretch that has letters, word by word; a digit alone stays. */
static void
read_word(Draft *draft, Py_ssize_t start, Py_ssize_t stop, int has_letters)
{
    int in_word = letters_in(draft, start, stop) > 0;
    for (Py_ssize_t i = start; i < stop; i++) {
        uint8_t *flags = draft->flags + i;
        uint32_t *value = draft->values + i, read = letter_for(*value);
        if (has_letters && (*flags & (IS_LETTER | IS_KEPT)) == IS_KEPT && read != *value) {
            *value = read;
            if (in_word)
                note(draft, DIGITS, draft->inside[i]);
        }
        if (*value == 'l')
            *value = 'i';
    }
    for (Py_ssize_t i = start + 1; i < stop; i++) /* written several times in a row */
        if (draft->values[i] == draft->values[i - 1] && (draft->flags[i - 1] & IS_KEPT) &&
            (draft->flags[i] & IS_KEPT) && (in_word || (draft->flags[i] & IS_LETTER)))
            draft->flags[i] |= SAME;
    for (Py_ssize_t i = start + 1; i < stop; i++)
        if ((draft->flags[i] & SAME) && (draft->flags[i - 1] & SAME) &&
            (i + 1 == stop || !(draft->flags[i + 1] & SAME)))
            note(draft, STRETCHED, draft->inside[i]);
    for (Py_ssize_t i = start + 1; i < stop; i++)
        if (draft->flags[i] & SAME)
            draft->flags[i] &= (uint8_t)~IS_KEPT;
}

void
read_words(Draft *draft)
{
    for (Py_ssize_t start = 0, stop; start < draft->letter_count; start = stop) {
        stop = end_of(draft, start, STRETCH);
        int has_letters = letters_in(draft, start, stop) > 0;
        for (Py_ssize_t word = start, end; word < stop; word = end) {
            end = end_of(draft, word, WORD);
            read_word(draft, word, end, has_letters);
        }
    }
    for (Py_ssize_t i = 0; i < draft->letter_count; i++) {
        int64_t here = draft->inside[i];
        if (draft->codes[here] != draft->values[i]) {
            draft->codes[here] = draft->values[i];
            draft->changed = 1;
        }
        if (!(draft->flags[i] & IS_KEPT)) {
            draft->kept[here] = 0;
            draft->traits[draft->among[i]] = OTHER;
        }
    }
}
