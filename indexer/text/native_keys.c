/* Hashes of shingles, and what keys are made of. */
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
   is the value (one-permutation hashing). How many bins are empty. */
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
    Py_ssize_t empty = 0;
    memset(out, 0xFF, (size_t)b[2].len);
    for (Py_ssize_t row = 0; row < rows; row++, out += size) {
        for (int64_t at = PLACES(b[1])[row]; at < PLACES(b[1])[row + 1]; at++) {
            uint64_t value = NUMBERS(b[0])[at];
            uint64_t bin = (value >> 32) * (uint64_t)size >> 32;
            if ((uint32_t)value < out[bin])
                out[bin] = (uint32_t)value;
        }
        for (Py_ssize_t bin = 0; bin < size; bin++)
            empty += out[bin] == UINT32_MAX;
    }
    release(b, 3);
    return PyLong_FromSsize_t(empty);
}

/* The hash of each band of values, which has as many as there are multipliers; a band has a salt. */
static PyObject *
bands(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[4]; /* values, multipliers, salts, out */
    if (!PyArg_ParseTuple(args, "y*y*y*w*", &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    Py_ssize_t width = COUNT(b[1]), each = COUNT(b[2]), count = COUNT(b[3]);
    if (!width || !each || count % each || CODE_COUNT(b[0]) % width ||
        CODE_COUNT(b[0]) / width != count || !is_apart(b, 4))
        return refused(b, 4, "bands");
    const uint32_t *values = CODES(b[0]);
    for (Py_ssize_t band = 0; band < count; band++) {
        uint64_t sum = NUMBERS(b[2])[band % each];
        for (Py_ssize_t i = 0; i < width; i++)
            sum += *values++ * NUMBERS(b[1])[i];
        ((uint64_t *)b[3].buf)[band] = mixed(sum);
    }
    release(b, 4);
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

/* For each value and each choice of blocks the bits of these, the first block highest. */
static PyObject *
block_bits(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[4]; /* values; shifts and widths of the first blocks, of the second, ...; out */
    Py_ssize_t choices;
    if (!PyArg_ParseTuple(args, "y*y*y*nw*", &b[0], &b[1], &b[2], &choices, &b[3]))
        return NULL;
    Py_ssize_t blocks = COUNT(b[1]);
    int fits = choices > 0 && blocks % choices == 0 && COUNT(b[2]) == blocks &&
               COUNT(b[3]) % choices == 0 && COUNT(b[3]) / choices == COUNT(b[0]) && is_apart(b, 4);
    for (Py_ssize_t i = 0; fits && i < blocks; i++)
        fits = NUMBERS(b[1])[i] < 64 && NUMBERS(b[2])[i] < 64;
    if (!fits)
        return refused(b, 4, "block_bits");
    uint64_t *out = b[3].buf;
    for (Py_ssize_t i = 0; i < COUNT(b[0]); i++)
        for (Py_ssize_t choice = 0; choice < choices; choice++) {
            uint64_t bits = 0;
            for (Py_ssize_t block = choice; block < blocks; block += choices) {
                uint64_t width = NUMBERS(b[2])[block], part = NUMBERS(b[0])[i] >> NUMBERS(b[1])[block];
                bits = bits << width | (part & (((uint64_t)1 << width) - 1));
            }
            *out++ = bits;
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

PyMethodDef key_functions[] = {
    {"shingles", shingles, METH_VARARGS, NULL},
    {"minima", minima, METH_VARARGS, NULL},
    {"bands", bands, METH_VARARGS, NULL},
    {"block_bits", block_bits, METH_VARARGS, NULL},
    {"outweighing_bits", outweighing_bits, METH_VARARGS, NULL},
    {"spelled", spelled, METH_VARARGS, NULL},
    {NULL},
};
