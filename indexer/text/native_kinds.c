/* What the kinds of code points tell: how a text is read, its exact form, its sentences. */
#include "native_draft.h"
#include <stdlib.h>

/* Buffers that begin with codes, their kinds and the bounds of rows. */
static inline int
are_kinds(const Py_buffer *b)
{
    return b[0].len == 4 * b[1].len && are_rows(PLACES(b[2]), COUNT(b[2]) - 1, b[1].len);
}

/* Whether each row has more words, of letters and digits side by side, than units. */
static PyObject *
spaced(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[3]; /* kinds, bounds, out */
    if (!PyArg_ParseTuple(args, "y*y*w*", &b[0], &b[1], &b[2]))
        return NULL;
    Py_ssize_t rows = COUNT(b[1]) - 1;
    if (!are_rows(PLACES(b[1]), rows, b[0].len) || b[2].len != rows || !is_apart(b, 3))
        return refused(b, 3, "spaced");
    for (Py_ssize_t row = 0; row < rows; row++) {
        Py_ssize_t words = 0, units = 0;
        int inside = 0;
        for (int64_t at = PLACES(b[1])[row]; at < PLACES(b[1])[row + 1]; at++) {
            uint8_t kind = BYTES(b[0])[at];
            int is_inside = kind == LETTER || kind == DIGIT;
            words += is_inside && !inside;
            units += kind == UNIT;
            inside = is_inside;
        }
        ((uint8_t *)b[2].buf)[row] = words > units;
    }
    release(b, 3);
    Py_RETURN_NONE;
}

/* ---- exact forms ---- */

/* Whether a mark changes the number that begins after it: between two digits, or a minus. */
static inline int
is_in_number(uint32_t code, uint8_t before, uint8_t after)
{
    return after == DIGIT && code > SPACE && (before == DIGIT || code == '-');
}

/* Letters, digits, and the marks that change a number; how many there are. */
static PyObject *
exact_codes(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[5]; /* codes, kinds, bounds; out, bounds of out */
    if (!PyArg_ParseTuple(args, "y*y*y*w*w*", &b[0], &b[1], &b[2], &b[3], &b[4]))
        return NULL;
    Py_ssize_t rows = COUNT(b[2]) - 1, count = 0;
    if (!are_kinds(b) || b[3].len < b[0].len || COUNT(b[4]) != rows + 1 || !is_apart(b, 4) ||
        !is_apart(b, 5))
        return refused(b, 5, "exact_codes");
    const uint32_t *codes = CODES(b[0]);
    const uint8_t *kinds = BYTES(b[1]);
    int64_t *bounds = b[4].buf;
    bounds[0] = 0;
    for (Py_ssize_t row = 0; row < rows; row++) {
        int64_t first = PLACES(b[2])[row], stop = PLACES(b[2])[row + 1];
        for (int64_t at = first; at < stop; at++)
            if (kinds[at] != OTHER || is_in_number(codes[at], at > first ? kinds[at - 1] : OTHER,
                                                   at + 1 < stop ? kinds[at + 1] : OTHER))
                ((uint32_t *)b[3].buf)[count++] = codes[at];
        bounds[row + 1] = count;
    }
    release(b, 5);
    return PyLong_FromSsize_t(count);
}

/* ---- sentences ---- */

typedef struct {
    int64_t start, stop;
} Span;

static int
by_length(const void *left, const void *right)
{
    const Span *one = left, *other = right;
    int64_t longer = (other->stop - other->start) - (one->stop - one->start);
    return longer ? (longer > 0) - (longer < 0) : (one->start > other->start) - (one->start < other->start);
}

/* Whether a sentence ends at a place of a text: a full stop between letters or digits is none. */
static inline int
is_end(const uint32_t *codes, const uint8_t *kinds, Py_ssize_t at, Py_ssize_t count)
{
    switch (codes[at]) {
    case 0x3002: /* the ideographic full stop */
    case '!':
    case '?':
    case LINE:
        return 1;
    case '.':
        return !at || at + 1 == count || kinds[at - 1] == OTHER || kinds[at + 1] == OTHER;
    default:
        return 0;
    }
}

/* The sentences of at least so many letters and digits; how many. `folded`: the number of letters
   and digits in all texts so far. */
static Py_ssize_t
find_sentences(const uint32_t *codes, const uint8_t *kinds, Py_ssize_t count, Py_ssize_t minimum,
               int64_t *folded, Span *out)
{
    Py_ssize_t found = 0;
    int64_t start = *folded;
    for (Py_ssize_t at = 0; at <= count; at++) {
        if (at < count && kinds[at] != OTHER)
            ++*folded;
        else if (at == count || is_end(codes, kinds, at, count)) {
            if (*folded - start >= minimum)
                out[found++] = (Span){start, *folded};
            start = *folded;
        }
    }
    qsort(out, (size_t)found, sizeof(Span), by_length);
    return found;
}

static PyObject *
list_of(const Span *spans, Py_ssize_t count)
{
    PyObject *out = PyList_New(count);
    for (Py_ssize_t i = 0; out != NULL && i < count; i++) {
        PyObject *span = Py_BuildValue("LL", (long long)spans[i].start, (long long)spans[i].stop);
        if (span == NULL)
            Py_CLEAR(out);
        else
            PyList_SET_ITEM(out, i, span);
    }
    return out;
}

/* For each row its sentences as [start, stop) among all letters and digits, longest first. */
static PyObject *
sentences(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[3]; /* codes, kinds, bounds */
    Py_ssize_t minimum;
    if (!PyArg_ParseTuple(args, "y*y*y*n", &b[0], &b[1], &b[2], &minimum))
        return NULL;
    const int64_t *bounds = PLACES(b[2]);
    Py_ssize_t rows = COUNT(b[2]) - 1;
    if (!are_kinds(b) || bounds[0] || minimum < 1)
        return refused(b, 3, "sentences");
    Span *spans = PyMem_Calloc((size_t)(longest_of(bounds, rows) / minimum) + 1, sizeof(Span));
    PyObject *out = spans == NULL ? PyErr_NoMemory() : PyList_New(rows);
    int64_t folded = 0;
    for (Py_ssize_t row = 0; out != NULL && row < rows; row++) {
        Py_ssize_t count =
            find_sentences(CODES(b[0]) + bounds[row], BYTES(b[1]) + bounds[row],
                           bounds[row + 1] - bounds[row], minimum, &folded, spans);
        PyObject *made = list_of(spans, count);
        if (made == NULL)
            Py_CLEAR(out);
        else
            PyList_SET_ITEM(out, row, made);
    }
    PyMem_Free(spans);
    release(b, 3);
    return out;
}

/* Where sentences begin and end among all letters and digits, the edges of rows among them. */
static PyObject *
sentence_edges(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[4]; /* codes, kinds, bounds; out */
    if (!PyArg_ParseTuple(args, "y*y*y*w*", &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    Py_ssize_t rows = COUNT(b[2]) - 1, count = 0;
    if (!are_kinds(b) || PLACES(b[2])[0] || COUNT(b[3]) < b[1].len + rows + 1 || !is_apart(b, 4))
        return refused(b, 4, "sentence_edges");
    int64_t folded = 0, *out = b[3].buf;
    out[count++] = 0;
    for (Py_ssize_t row = 0; row < rows; row++) {
        int64_t first = PLACES(b[2])[row], length = PLACES(b[2])[row + 1] - first;
        const uint32_t *codes = CODES(b[0]) + first;
        const uint8_t *kinds = BYTES(b[1]) + first;
        for (int64_t at = 0; at < length; at++)
            if (kinds[at] != OTHER)
                folded++;
            else if (is_end(codes, kinds, at, length))
                out[count++] = folded;
        out[count++] = folded;
    }
    release(b, 4);
    return PyLong_FromSsize_t(count);
}

PyMethodDef kind_functions[] = {
    {"spaced", spaced, METH_VARARGS, NULL},
    {"exact_codes", exact_codes, METH_VARARGS, NULL},
    {"sentences", sentences, METH_VARARGS, NULL},
    {"sentence_edges", sentence_edges, METH_VARARGS, NULL},
    {NULL},
};
