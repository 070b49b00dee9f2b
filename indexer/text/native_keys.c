/* Hashes of shingles and words, and what keys are made of. */
#include "native.h"

static Py_ssize_t
shingles_of_row(const uint64_t *units, Py_ssize_t count, Py_ssize_t width, uint64_t salt,
                uint64_t *out)
{
    uint64_t hash = 0, first = 1;
    if (count == 0)
        return 0;
    if (count < width)
        width = count;
    for (Py_ssize_t i = 0; i < width; i++)
        hash = hash * BASE + units[i];
    for (Py_ssize_t i = 1; i < width; i++)
        first *= BASE;
    salt += (uint64_t)width;
    out[0] = mixed(hash ^ salt);
    for (Py_ssize_t i = width; i < count; i++) {
        hash = (hash - units[i - width] * first) * BASE + units[i];
        out[i - width + 1] = mixed(hash ^ salt);
    }
    return count - width + 1;
}

static PyObject *
shingles(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[4]; /* units, bounds, out, bounds of out */
    Py_ssize_t width, done = 0;
    unsigned long long salt;
    if (!PyArg_ParseTuple(args, "y*y*nKw*w*", &b[0], &b[1], &width, &salt, &b[2], &b[3]))
        return NULL;
    Py_ssize_t rows = COUNT(b[1]) - 1;
    if (width < 1 || !are_rows(PLACES(b[1]), rows, COUNT(b[0])) || COUNT(b[2]) < COUNT(b[0]) ||
        COUNT(b[3]) != rows + 1 || !is_apart(b, 3) || !is_apart(b, 4))
        return refused(b, 4, "shingles");
    int64_t *bounds = b[3].buf;
    bounds[0] = 0;
    for (Py_ssize_t row = 0; row < rows; row++) {
        Py_ssize_t start = PLACES(b[1])[row], stop = PLACES(b[1])[row + 1];
        done += shingles_of_row(NUMBERS(b[0]) + start, stop - start, width, salt,
                                (uint64_t *)b[2].buf + done);
        bounds[row + 1] = done;
    }
    release(b, 4);
    return PyLong_FromSsize_t(done);
}

/* The smallest value of each of `size` bins: the high half of a hash chooses the bin, the low half
   is the value (one-permutation hashing). */
static PyObject *
minima(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[3]; /* values, bounds, out */
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "y*y*nw*", &b[0], &b[1], &size, &b[2]))
        return NULL;
    Py_ssize_t rows = COUNT(b[1]) - 1;
    if (size < 1 || !are_rows(PLACES(b[1]), rows, COUNT(b[0])) || b[2].len % (4 * rows + !rows) ||
        (rows ? b[2].len / 4 / rows != size : b[2].len) || !is_apart(b, 3))
        return refused(b, 3, "minima");
    uint32_t *out = b[2].buf;
    memset(out, 0xFF, (size_t)b[2].len);
    for (Py_ssize_t row = 0; row < rows; row++, out += size)
        for (int64_t at = PLACES(b[1])[row]; at < PLACES(b[1])[row + 1]; at++) {
            uint64_t value = NUMBERS(b[0])[at];
            uint64_t bin = (value >> 32) * (uint64_t)size >> 32;
            if ((uint32_t)value < out[bin])
                out[bin] = (uint32_t)value;
        }
    release(b, 3);
    Py_RETURN_NONE;
}

/* For each row the bits that are set in more than half of its values, by weight. */
static PyObject *
outweighing_bits(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[4]; /* values, weights, bounds, out */
    if (!PyArg_ParseTuple(args, "y*y*y*w*", &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    Py_ssize_t rows = COUNT(b[2]) - 1;
    if (COUNT(b[0]) != COUNT(b[1]) || !are_rows(PLACES(b[2]), rows, COUNT(b[0])) ||
        COUNT(b[3]) != rows || !is_apart(b, 4))
        return refused(b, 4, "outweighing_bits");
    for (Py_ssize_t row = 0; row < rows; row++) {
        uint64_t sums[64] = {0}, total = 0; /* of signed weights: they may wrap */
        uint64_t out = 0;
        for (int64_t at = PLACES(b[2])[row]; at < PLACES(b[2])[row + 1]; at++) {
            uint64_t value = NUMBERS(b[0])[at];
            uint64_t weight = NUMBERS(b[1])[at];
            total += weight;
            for (int bit = 0; bit < 64; bit++)
                sums[bit] += weight & -(value >> bit & 1);
        }
        for (int bit = 0; bit < 64; bit++)
            out |= (uint64_t)((int64_t)(2 * sums[bit]) > (int64_t)total) << bit;
        ((uint64_t *)b[3].buf)[row] = out;
    }
    release(b, 4);
    Py_RETURN_NONE;
}

/* The low 6 * characters bits of each value, in the base64url alphabet. */
static PyObject *
spelled(PyObject *Py_UNUSED(module), PyObject *args)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    Py_buffer values;
    int characters;
    char word[11];
    if (!PyArg_ParseTuple(args, "y*i", &values, &characters))
        return NULL;
    if (characters < 1 || characters > (int)sizeof word)
        return refused(&values, 1, "spelled");
    PyObject *out = PyList_New(COUNT(values));
    for (Py_ssize_t i = 0; out != NULL && i < COUNT(values); i++) {
        uint64_t value = NUMBERS(values)[i];
        for (int place = characters; place-- > 0; value >>= 6)
            word[place] = alphabet[value & 63];
        PyObject *text = PyUnicode_FromStringAndSize(word, characters);
        if (text == NULL)
            Py_CLEAR(out);
        else
            PyList_SET_ITEM(out, i, text);
    }
    PyBuffer_Release(&values);
    return out;
}

/* ---- MurmurHash3, x64, 128 bits, of which the first 64 ---- */

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

/* ---- words ---- */

enum { ALONE, ALNUM, MARK };

static inline int
class_of(uint32_t code)
{
    if (code < 0x80 && ((code | 0x20) - 'a' < 26 || code - '0' < 10))
        return ALNUM;
    return code && code < 0x80 && strchr("+#&._%-", (int)code) ? MARK : ALONE;
}

/* The tokens between edges in which a mark that may be in words stands beside another one, or beside
   a letter or digit of ASCII. */
static PyObject *
connected(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[2]; /* codes, edges */
    if (!PyArg_ParseTuple(args, "y*y*", &b[0], &b[1]))
        return NULL;
    const uint32_t *codes = b[0].buf;
    const int64_t *edges = PLACES(b[1]);
    Py_ssize_t tokens = COUNT(b[1]) - 1;
    if (!are_rows(edges, tokens, b[0].len / 4))
        return refused(b, 2, "connected");
    PyObject *out = PyList_New(0);
    for (Py_ssize_t token = 0; out != NULL && token < tokens; token++)
        for (int64_t at = edges[token]; at + 1 < edges[token + 1]; at++) {
            if (codes[at] >= 0x80 || class_of(codes[at]) * class_of(codes[at + 1]) < MARK)
                continue;
            PyObject *number = PyLong_FromSsize_t(token);
            if (number == NULL || PyList_Append(out, number) < 0)
                Py_CLEAR(out);
            Py_XDECREF(number);
            break;
        }
    release(b, 2);
    return out;
}

/* ---- repeated characters ---- */

enum { NEAR = 7, LEAST = 3 };

static inline int
is_han(uint32_t code)
{
    return code >= 0x4E00 && code <= 0x9FD5;
}

static int
is_repeated(const uint32_t *codes, Py_ssize_t at, Py_ssize_t count)
{
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
    Py_buffer codes;
    if (!PyArg_ParseTuple(args, "y*", &codes))
        return NULL;
    const uint32_t *values = codes.buf;
    Py_ssize_t count = codes.len / 4, start = 0;
    PyObject *out = PyList_New(0);
    for (Py_ssize_t at = 0; out != NULL && at <= count; at++) {
        if (at < count && is_han(values[at]) && is_repeated(values, at, count))
            continue;
        if (at - start >= LEAST) {
            PyObject *stretch = Py_BuildValue("nn", start, at);
            if (stretch == NULL || PyList_Append(out, stretch) < 0)
                Py_CLEAR(out);
            Py_XDECREF(stretch);
        }
        start = at + 1;
    }
    PyBuffer_Release(&codes);
    return out;
}

PyMethodDef key_functions[] = {
    {"shingles", shingles, METH_VARARGS, NULL},
    {"minima", minima, METH_VARARGS, NULL},
    {"outweighing_bits", outweighing_bits, METH_VARARGS, NULL},
    {"spelled", spelled, METH_VARARGS, NULL},
    {"piece_hashes", piece_hashes, METH_VARARGS, NULL},
    {"byte_hashes", byte_hashes, METH_VARARGS, NULL},
    {"connected", connected, METH_VARARGS, NULL},
    {"repeated", repeated, METH_VARARGS, NULL},
    {NULL},
};
