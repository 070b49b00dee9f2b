/* What the parts of `indexer.text.native` share; see native.c. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define NUMBERS(buffer) ((const uint64_t *)(buffer).buf)
#define PLACES(buffer) ((const int64_t *)(buffer).buf)
#define COUNT(buffer) ((buffer).len / 8)
#define CODES(buffer) ((const uint32_t *)(buffer).buf)
#define CODE_COUNT(buffer) ((buffer).len / 4)
#define BYTES(buffer) ((const uint8_t *)(buffer).buf)

static inline void
release(Py_buffer *buffers, int count)
{
    for (int i = 0; i < count; i++)
        PyBuffer_Release(&buffers[i]);
}

static inline PyObject *
refused(Py_buffer *buffers, int count, const char *function)
{
    release(buffers, count);
    return PyErr_Format(PyExc_ValueError, "%s: the arrays do not fit together", function);
}

/* Whether rows of values lie where bounds say. */
static inline int
are_rows(const int64_t *bounds, Py_ssize_t rows, Py_ssize_t values)
{
    if (rows < 0 || bounds[0] < 0 || bounds[rows] > values)
        return 0;
    for (Py_ssize_t row = 0; row < rows; row++)
        if (bounds[row] > bounds[row + 1])
            return 0;
    return 1;
}

/* Whether chosen rows are there. */
static inline int
are_among(const int64_t *chosen, Py_ssize_t count, Py_ssize_t rows)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (chosen[i] < 0 || chosen[i] >= rows)
            return 0;
    return 1;
}

static inline Py_ssize_t
longest_of(const int64_t *bounds, Py_ssize_t rows)
{
    Py_ssize_t longest = 0;
    for (Py_ssize_t row = 0; row < rows; row++)
        if (bounds[row + 1] - bounds[row] > longest)
            longest = bounds[row + 1] - bounds[row];
    return longest;
}

/* Whether the last of some buffers, which is written to, shares no memory with the others. */
static inline int
is_apart(const Py_buffer *buffers, int count)
{
    const char *start = buffers[count - 1].buf, *stop = start + buffers[count - 1].len;
    for (int i = 0; i < count - 1; i++) {
        const char *other = buffers[i].buf;
        if (start < other + buffers[i].len && other < stop)
            return 0;
    }
    return 1;
}

static inline uint64_t
mixed(uint64_t value)
{
    value ^= value >> 32;
    value *= 0xFF51AFD7ED558CCDu;
    return value ^ value >> 29;
}

static const uint64_t BASE = 0x9E3779B97F4A7C15u;

/* Grams are hashes that anybody can compute, so that whoever writes a text could choose grams that
   meet in one slot of a table; this odd number is not known outside of the process. */
extern uint64_t slot_multiplier;

/* The bits that a table of at least so many slots has, 16 or more of them; and where a value would
   be in one of so many bits. */
static inline int
bits_for(Py_ssize_t slots)
{
    int bits = 4;
    while (bits < 60 && ((Py_ssize_t)1 << bits) < slots)
        bits++;
    return bits;
}

static inline size_t
slot_for(uint64_t value, int bits)
{
    return (size_t)((value * slot_multiplier) >> (64 - bits));
}

extern PyMethodDef block_functions[], gram_functions[], key_functions[], kind_functions[],
    sample_functions[], sign_functions[], stretch_functions[], text_functions[], unit_functions[],
    word_functions[];
int add_gram_set(PyObject *module);
