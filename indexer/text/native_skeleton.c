/* Prepared texts and their skeletons: the steps of `preparation.py` and `skeleton.py`, text by text. */
#include "native_draft.h"

static const uint32_t DROP = 0xFFFFFFFFu;

/* ---- prepared texts ---- */

typedef struct {
    uint32_t *codes;
    int64_t *sources;
    Py_ssize_t count, room;
    int single_spaces, after_space;
} Prepared;

/* One code more, or none for white space after white space; whether there was room. */
static inline int
put(Prepared *text, uint32_t code, int64_t source)
{
    int space = code == SPACE || code == LINE;
    if (space && text->after_space && text->single_spaces) {
        if (code == LINE)
            text->codes[text->count - 1] = LINE;
        return 1;
    }
    if (text->count == text->room)
        return 0;
    text->after_space = space;
    text->codes[text->count] = code;
    text->sources[text->count++] = source;
    return 1;
}

/* The codes of texts by a table; how many, or -1 where marks join letters or room is too small. */
static PyObject *
prepared_codes(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[8]; /* original, bounds, table, expansions, their bounds; codes, sources, bounds */
    Prepared text = {0};
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*pw*w*w*", &b[0], &b[1], &b[2], &b[3], &b[4],
                          &text.single_spaces, &b[5], &b[6], &b[7]))
        return NULL;
    Py_ssize_t rows = COUNT(b[1]) - 1, longer = COUNT(b[4]) - 1, fits = 1;
    text.codes = b[5].buf, text.sources = b[6].buf, text.room = CODE_COUNT(b[5]);
    if (!are_rows(PLACES(b[1]), rows, CODE_COUNT(b[0])) || CODE_COUNT(b[2]) != LIMIT ||
        !are_rows(PLACES(b[4]), longer, CODE_COUNT(b[3])) || COUNT(b[6]) != text.room ||
        COUNT(b[7]) != rows + 1 || !is_apart(b, 6) || !is_apart(b, 7) || !is_apart(b, 8))
        return refused(b, 8, "prepared_codes");
    int64_t *bounds = b[7].buf;
    for (Py_ssize_t row = 0; fits && row < rows; row++) {
        bounds[row] = text.count;
        text.after_space = 0;
        for (int64_t at = PLACES(b[1])[row]; fits && at < PLACES(b[1])[row + 1]; at++) {
            uint32_t code = CODES(b[2])[within(CODES(b[0])[at])];
            if (code < LIMIT)
                fits = put(&text, code, at);
            else if (code != DROP) {
                fits = code - LIMIT < (uint64_t)longer; /* not so of JOINS */
                int64_t part = fits ? PLACES(b[4])[code - LIMIT] : 0;
                for (; fits && part < PLACES(b[4])[code - LIMIT + 1]; part++)
                    fits = put(&text, CODES(b[3])[part], at);
            }
        }
    }
    bounds[rows] = text.count;
    release(b, 8);
    return PyLong_FromSsize_t(fits ? text.count : -1);
}

/* ---- skeletons ---- */

/* Room for the longest text, in one piece; NULL where there is no memory. */
static void *
draft_of_length(Draft *draft, Py_ssize_t length)
{
    size_t room = (size_t)length + 1;
    char *memory = PyMem_Malloc(room * (4 * sizeof(int64_t) + 2 * sizeof(uint32_t) + 3));
    if (memory == NULL)
        return PyErr_NoMemory();
    draft->at = (int64_t *)memory;
    draft->places = draft->at + room;
    draft->among = draft->places + room;
    draft->inside = draft->among + room;
    draft->codes = (uint32_t *)(draft->inside + room);
    draft->values = draft->codes + room;
    draft->kept = (uint8_t *)(draft->values + room);
    draft->traits = draft->kept + room;
    draft->flags = draft->traits + room;
    return memory;
}

/* A letter or digit at a place among letters, digits and units, and where in the text that is. */
static inline void
add_letter(Draft *draft, Py_ssize_t place, Py_ssize_t here, uint8_t kind)
{
    Py_ssize_t letter = draft->letter_count++;
    int apart = !letter || place - draft->among[letter - 1] > 1;
    int begins = apart || here - draft->inside[letter - 1] > 1;
    draft->among[letter] = place, draft->inside[letter] = here;
    draft->values[letter] = draft->codes[here];
    draft->flags[letter] = (uint8_t)(IS_KEPT | (kind == LETTER ? IS_LETTER : 0) |
                                     (apart ? STRETCH : 0) | (begins ? WORD : 0));
}

/* One letter for all that look alike; what else stands where is found on the way. Counts are kept
   apart from the draft, which bytes that are written might be a part of, for all a compiler knows. */
static void
read_codes(Draft *draft, const uint32_t *prepared, int64_t start, int64_t stop)
{
    const Tables tables = *draft->tables;
    uint32_t *codes = draft->codes;
    int64_t *at = draft->at, *places = draft->places;
    uint8_t *kinds = draft->traits;
    Py_ssize_t here = 0, place = 0;
    draft->letter_count = 0;
    for (int64_t from = start; from < stop; from++) {
        uint32_t code = within(prepared[from]);
        uint8_t traits = tables.traits[code] | tables.kind[code];
        at[here] = from;
        if (traits >= LOOKS) {
            draft->changed = 1;
            if ((code = tables.look[code]) == DROP)
                continue;
            code = within(code);
            traits = tables.traits[code] | tables.kind[code];
            note(draft, LOOK_ALIKES, here);
        }
        codes[here] = code;
        if ((traits & KIND) != OTHER) {
            if ((traits & KIND) != UNIT)
                add_letter(draft, place, here, traits & KIND);
            kinds[place] = traits;
            places[place++] = here;
        }
        here++;
    }
    memset(draft->kept, 1, (size_t)here);
    draft->count = here, draft->place_count = place;
}

/* Two parts side by side, what is gone between them aside, become the character; of pairs that
   overlap every other one does, from the first on. */
static void
put_together(Draft *draft)
{
    const Tables *tables = draft->tables;
    const uint8_t *traits = draft->traits;
    Py_ssize_t before = -1, taken = -1, count = draft->place_count;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (traits[i] == OTHER)
            continue;
        Py_ssize_t first = before;
        before = i;
        if (first < 0 || first == taken || !(traits[first] & traits[i] >> 1 & BEGINS))
            continue;
        int64_t left = draft->places[first], right = draft->places[i];
        uint64_t pair = (uint64_t)tables->left[draft->codes[left]] + tables->right[draft->codes[right]];
        if (pair >= (uint64_t)tables->pairs || !tables->known[pair])
            continue;
        note(draft, APART, left);
        draft->codes[left] = tables->whole[pair];
        draft->kept[right] = 0;
        draft->changed = 1;
        taken = i;
    }
}

/* What is left of a text; how many codes there are now. */
static Py_ssize_t
write_text(Draft *draft, uint32_t *codes, int64_t *at)
{
    Py_ssize_t count = 0, given = draft->count;
    const uint8_t *kept = draft->kept;
    for (Py_ssize_t i = 0; i < given; i++) { /* written over where it is not kept */
        codes[count] = draft->codes[i];
        at[count] = draft->at[i];
        count += kept[i];
    }
    draft->changed |= count < given;
    return count;
}

enum { TEXTS = 3, TABLES = 10, BUFFERS = TEXTS + TABLES + 4 };

/* Whether every code point has an entry in its tables, and outputs have room. */
static int
are_skeletons(const Py_buffer *b)
{
    const Py_buffer *table = b + TEXTS, *out = table + TABLES;
    Py_ssize_t count = CODE_COUNT(b[0]), rows = COUNT(b[2]) - 1;
    if (!are_rows(PLACES(b[2]), rows, count) || COUNT(b[1]) != count || table[0].len != LIMIT ||
        table[1].len != LIMIT || CODE_COUNT(table[2]) != LIMIT || CODE_COUNT(table[3]) != LIMIT ||
        CODE_COUNT(table[4]) != LIMIT || table[5].len != CODE_COUNT(table[6]) ||
        table[7].len != table[8].len || table[9].len != 1 << 14 || CODE_COUNT(out[0]) < count ||
        COUNT(out[1]) < count || COUNT(out[2]) != rows + 1 || out[3].len < count)
        return 0;
    for (int size = BUFFERS - 3; size <= BUFFERS; size++)
        if (!is_apart(b, size))
            return 0;
    return 1;
}

static Tables
tables_of(const Py_buffer *table)
{
    Tables tables = {
        .kind = BYTES(table[0]),
        .traits = BYTES(table[1]),
        .look = CODES(table[2]),
        .left = CODES(table[3]),
        .right = CODES(table[4]),
        .known = BYTES(table[5]),
        .whole = CODES(table[6]),
        .spelled = CODES(table[7]),
        .syllables = CODES(table[8]),
        .follows = BYTES(table[9]),
        .pairs = table[5].len,
        .spelled_count = CODE_COUNT(table[7]),
    };
    return tables;
}

/* The skeletons of texts; how many codes they have. None: no code changed. */
static PyObject *
skeleton_codes(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[BUFFERS]; /* codes, sources, bounds; tables; codes, at, bounds, marks */
    const Py_buffer *table = b + TEXTS, *out = table + TABLES;
    /* the tables are in no tuple: of what is in one CPython counts no more than the tuple, and notes
       buffers beyond the room that it has for them */
    if (!PyArg_ParseTuple(args, "y*y*y*w*w*w*w*y*y*y*y*y*y*y*y*y*y*", &b[0], &b[1], &b[2],
                          &b[13], &b[14], &b[15], &b[16], &b[3], &b[4], &b[5], &b[6], &b[7], &b[8],
                          &b[9], &b[10], &b[11], &b[12]))
        return NULL;
    if (!are_skeletons(b))
        return refused(b, BUFFERS, "skeleton_codes");
    Tables tables = tables_of(table);
    Draft draft = {.tables = &tables, .sources = PLACES(b[1]), .marks = out[3].buf};
    const int64_t *given = PLACES(b[2]);
    Py_ssize_t rows = COUNT(b[2]) - 1, count = 0;
    int64_t *bounds = out[2].buf;
    void *memory = draft_of_length(&draft, longest_of(given, rows));
    bounds[0] = 0;
    for (Py_ssize_t row = 0; memory != NULL && row < rows; row++) {
        read_codes(&draft, CODES(b[0]), given[row], given[row + 1]);
        join_spaced(&draft);
        pass_over_strays(&draft);
        read_pinyin(&draft);
        read_words(&draft);
        put_together(&draft);
        count += write_text(&draft, (uint32_t *)out[0].buf + count, (int64_t *)out[1].buf + count);
        bounds[row + 1] = count;
    }
    PyMem_Free(memory);
    release(b, BUFFERS);
    if (memory == NULL)
        return NULL;
    return draft.changed ? PyLong_FromSsize_t(count) : Py_NewRef(Py_None);
}

PyMethodDef text_functions[] = {
    {"prepared_codes", prepared_codes, METH_VARARGS, NULL},
    {"skeleton_codes", skeleton_codes, METH_VARARGS, NULL},
    {NULL},
};
