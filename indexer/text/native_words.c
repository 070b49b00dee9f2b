/* Words: where tokens begin and end, where they are cut in another way, and what they are hashed to. */
#include "native.h"

/* ---- tokens ---- */

/* The edges of tokens that stand one after the other, the first of which begins at 0. */
static PyObject *
token_edges(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer out;
    PyObject *tokens;
    if (!PyArg_ParseTuple(args, "O!w*", &PyList_Type, &tokens, &out))
        return NULL;
    Py_ssize_t count = PyList_GET_SIZE(tokens), edge = 0;
    if (COUNT(out) != count + 1)
        return refused(&out, 1, "token_edges");
    int64_t *edges = out.buf;
    edges[0] = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *token = PyList_GET_ITEM(tokens, i);
        if (!PyUnicode_Check(token)) {
            PyBuffer_Release(&out);
            return PyErr_Format(PyExc_TypeError, "token_edges: %R is no string", token);
        }
        edges[i + 1] = edge += PyUnicode_GET_LENGTH(token);
    }
    PyBuffer_Release(&out);
    Py_RETURN_NONE;
}

/* One number more in a list, which is let go of where there is no memory. */
static void
add_number(PyObject **list, Py_ssize_t value)
{
    PyObject *number = PyLong_FromSsize_t(value);
    if (number == NULL || PyList_Append(*list, number) < 0)
        Py_CLEAR(*list);
    Py_XDECREF(number);
}

static inline int
is_digit(Py_UCS1 code)
{
    return code >= '0' && code <= '9';
}

static inline int
is_alnum(Py_UCS1 code)
{
    return is_digit(code) || ((code | 0x20) >= 'a' && (code | 0x20) <= 'z');
}

static inline int
is_mark(Py_UCS1 code)
{
    return code && strchr("+#&._%-", code) != NULL;
}

/* Whether a token is like 3.5%, or v2.0: what jieba's model leaves in one piece. */
static int
is_one_part(const Py_UCS1 *codes, Py_ssize_t count)
{
    Py_ssize_t at = 0;
    while (at < count && is_alnum(codes[at]))
        at++;
    if (at && at + 1 < count && codes[at] == '.' && is_digit(codes[at + 1]))
        for (at += 2; at < count && is_digit(codes[at]);)
            at++;
    return at && at + (at < count && codes[at] == '%') == count;
}

/* Whether a mark that may be in words stands beside a letter or digit. */
static int
is_connected(const Py_UCS1 *codes, Py_ssize_t count)
{
    for (Py_ssize_t at = 1; at < count; at++)
        if ((is_alnum(codes[at - 1]) && is_mark(codes[at])) ||
            (is_mark(codes[at - 1]) && is_alnum(codes[at])))
            return 1;
    return 0;
}

/* The tokens of ASCII in which marks and letters are connected, and that are no one part. */
static PyObject *
connected(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *tokens, *out = NULL;
    if (PyArg_ParseTuple(args, "O!", &PyList_Type, &tokens))
        out = PyList_New(0);
    for (Py_ssize_t i = 0; out != NULL && i < PyList_GET_SIZE(tokens); i++) {
        PyObject *token = PyList_GET_ITEM(tokens, i);
        if (!PyUnicode_Check(token)) {
            PyErr_Format(PyExc_TypeError, "connected: %R is no string", token);
            Py_CLEAR(out);
        }
        else if (PyUnicode_IS_ASCII(token)) {
            const Py_UCS1 *codes = PyUnicode_1BYTE_DATA(token);
            Py_ssize_t count = PyUnicode_GET_LENGTH(token);
            if (is_connected(codes, count) && !is_one_part(codes, count))
                add_number(&out, i);
        }
    }
    return out;
}

/* ---- what the segmenters cut differently ---- */

static inline int
is_han(uint32_t code)
{
    return code >= 0x4E00 && code <= 0x9FD5;
}

static inline int
is_rare(uint32_t code)
{
    return code >= 0x3400 && !is_han(code) &&
           (code <= 0x4DBF || (code >= 0x9FD6 && code <= 0x9FFF) ||
            (code >= 0xF900 && code <= 0xFAFF) || (code >= 0x20000 && code <= 0x3FFFF));
}

/* The places of rare characters. */
static PyObject *
rare(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer codes;
    if (!PyArg_ParseTuple(args, "y*", &codes))
        return NULL;
    PyObject *out = PyList_New(0);
    for (Py_ssize_t at = 0; out != NULL && at < codes.len / 4; at++)
        if (is_rare(((const uint32_t *)codes.buf)[at]))
            add_number(&out, at);
    PyBuffer_Release(&codes);
    return out;
}

enum { NEAR = 7, LEAST = 3 };

/* Whether the same Han character stands NEAR. */
static int
is_repeated(const uint32_t *codes, Py_ssize_t at, Py_ssize_t count)
{
    if (!is_han(codes[at]))
        return 0;
    for (Py_ssize_t step = 1; step <= NEAR; step++)
        if ((step <= at && codes[at - step] == codes[at]) ||
            (at + step < count && codes[at + step] == codes[at]))
            return 1;
    return 0;
}

/* Where LEAST Han characters or more in a row are each repeated NEAR. */
static PyObject *
repeated(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "y*", &b))
        return NULL;
    const uint32_t *codes = CODES(b);
    Py_ssize_t count = CODE_COUNT(b), start = 0;
    PyObject *out = PyList_New(0);
    while (out != NULL && start + LEAST <= count) {
        /* backwards, as most stretches that begin here are none: the next begins after what is not */
        Py_ssize_t last = start + LEAST - 1, stop = last + 1;
        while (last >= start && is_repeated(codes, last, count))
            last--;
        if (last >= start) {
            start = last + 1;
            continue;
        }
        while (stop < count && is_repeated(codes, stop, count))
            stop++;
        PyObject *stretch = Py_BuildValue("nn", start, stop);
        if (stretch == NULL || PyList_Append(out, stretch) < 0)
            Py_CLEAR(out);
        Py_XDECREF(stretch);
        start = stop + 1;
    }
    PyBuffer_Release(&b);
    return out;
}

/* ---- hashes: MurmurHash3, x64, 128 bits, of which the first 64 ---- */

static const uint64_t C1 = 0x87C37B91114253D5u, C2 = 0x4CF5AD432745937Fu;

static inline uint64_t
rotated(uint64_t value, int by)
{
    return value << by | value >> (64 - by);
}

static inline uint64_t
little_endian(const unsigned char *data, Py_ssize_t size)
{
    uint64_t value = 0;
    for (Py_ssize_t i = 0; i < size; i++)
        value |= (uint64_t)data[i] << 8 * i;
    return value;
}

static inline uint64_t
finished(uint64_t value)
{
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCDu;
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53u;
    return value ^ value >> 33;
}

static uint64_t
murmur(const unsigned char *data, Py_ssize_t size, uint64_t seed)
{
    uint64_t first = seed, second = seed;
    Py_ssize_t left = size;
    for (; left >= 16; data += 16, left -= 16) {
        first ^= rotated(little_endian(data, 8) * C1, 31) * C2;
        first = (rotated(first, 27) + second) * 5 + 0x52DCE729u;
        second ^= rotated(little_endian(data + 8, 8) * C2, 33) * C1;
        second = (rotated(second, 31) + first) * 5 + 0x38495AB5u;
    }
    if (left > 8)
        second ^= rotated(little_endian(data + 8, left - 8) * C2, 33) * C1;
    if (left)
        first ^= rotated(little_endian(data, left < 8 ? left : 8) * C1, 31) * C2;
    first ^= (uint64_t)size;
    second ^= (uint64_t)size;
    first += second;
    second += first;
    return finished(first) + finished(second);
}

/* The hashes of the pieces of a text in UTF-8 between edges, which are in characters. */
static PyObject *
piece_hashes(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[3]; /* text, edges, out */
    unsigned int seed;
    if (!PyArg_ParseTuple(args, "y*y*Iw*", &b[0], &b[1], &seed, &b[2]))
        return NULL;
    const unsigned char *data = b[0].buf;
    Py_ssize_t pieces = COUNT(b[1]) - 1, at = 0, character = -1, start = 0;
    if (pieces < 0 || COUNT(b[2]) != pieces || !are_rows(PLACES(b[1]), pieces, b[0].len) ||
        !is_apart(b, 3))
        return refused(b, 3, "piece_hashes");
    for (Py_ssize_t i = 0; i <= pieces; i++) {
        for (; at < b[0].len; at++) /* to the beginning of the character at the edge */
            if ((data[at] & 0xC0) != 0x80 && ++character == PLACES(b[1])[i])
                break;
        if (at == b[0].len && character + 1 != PLACES(b[1])[i])
            return refused(b, 3, "piece_hashes"); /* the text has fewer characters */
        if (i)
            ((uint64_t *)b[2].buf)[i - 1] = murmur(data + start, at - start, seed);
        start = at;
        character -= at < b[0].len; /* met again at the next edge */
    }
    release(b, 3);
    Py_RETURN_NONE;
}

/* The hashes of the pieces of some bytes between edges. */
static PyObject *
byte_hashes(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[3]; /* data, edges, out */
    unsigned int seed;
    if (!PyArg_ParseTuple(args, "y*y*Iw*", &b[0], &b[1], &seed, &b[2]))
        return NULL;
    Py_ssize_t pieces = COUNT(b[1]) - 1;
    if (pieces < 0 || COUNT(b[2]) != pieces || !are_rows(PLACES(b[1]), pieces, b[0].len) ||
        !is_apart(b, 3))
        return refused(b, 3, "byte_hashes");
    const int64_t *edges = PLACES(b[1]);
    for (Py_ssize_t i = 0; i < pieces; i++)
        ((uint64_t *)b[2].buf)[i] =
            murmur((unsigned char *)b[0].buf + edges[i], edges[i + 1] - edges[i], seed);
    release(b, 3);
    Py_RETURN_NONE;
}

/* ---- distinct words ---- */

/* Of rows of ascending values the distinct ones, in their place, and how often each occurs; how many
   there are. */
static PyObject *
tally(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[4]; /* bounds, values; counts, bounds of these */
    if (!PyArg_ParseTuple(args, "y*w*w*w*", &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    Py_ssize_t rows = COUNT(b[0]) - 1, found = 0;
    if (!are_rows(PLACES(b[0]), rows, COUNT(b[1])) || COUNT(b[2]) < COUNT(b[1]) ||
        COUNT(b[3]) != rows + 1 || !is_apart(b, 2) || !is_apart(b, 3) || !is_apart(b, 4))
        return refused(b, 4, "tally");
    uint64_t *values = b[1].buf;
    int64_t *counts = b[2].buf, *bounds = b[3].buf;
    bounds[0] = 0;
    for (Py_ssize_t row = 0; row < rows; row++) {
        for (int64_t at = PLACES(b[0])[row]; at < PLACES(b[0])[row + 1]; at++)
            if (found > bounds[row] && values[at] == values[found - 1])
                counts[found - 1]++;
            else {
                values[found] = values[at];
                counts[found++] = 1;
            }
        bounds[row + 1] = found;
    }
    release(b, 4);
    return PyLong_FromSsize_t(found);
}

PyMethodDef word_functions[] = {
    {"token_edges", token_edges, METH_VARARGS, NULL},
    {"connected", connected, METH_VARARGS, NULL},
    {"rare", rare, METH_VARARGS, NULL},
    {"repeated", repeated, METH_VARARGS, NULL},
    {"piece_hashes", piece_hashes, METH_VARARGS, NULL},
    {"byte_hashes", byte_hashes, METH_VARARGS, NULL},
    {"tally", tally, METH_VARARGS, NULL},
    {NULL},
};
