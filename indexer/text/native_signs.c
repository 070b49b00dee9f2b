/* Signs that a text may be in a disguise, as in `indexer/meant/shown_signs.py`: most texts show none, and
   are not looked at any further. */
#include "native.h"

#define HAN 0x3000     /* where the code points of Chinese begin */
#define BEYOND 0x1F1E6 /* and where the letters of flags begin */

enum { TOLD = 3, SPOTS = 2, WIDEST = 80 };

/* In the order of `Shown`. */
enum {
    TURNED = 1 << 0,
    EMOJI = 1 << 1,
    STROKES = 1 << 2,
    TONES = 1 << 3,
    LOOKS = 1 << 4,
    SIGNS = 1 << 5,
    MASKED = 1 << 6,
    MARKUP = 1 << 7,
    GRID = 1 << 8,
};

typedef struct {
    const void *data;
    int kind;
    Py_ssize_t size;
} Text;

static inline Py_UCS4
at(const Text *text, Py_ssize_t place)
{
    return PyUnicode_READ(text->kind, text->data, place);
}

static inline int
is_digit(Py_UCS4 code)
{
    return code >= '0' && code <= '9';
}

static inline int
is_ascii_letter(Py_UCS4 code)
{
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

/* A digit or a letter of the Latin alphabet. */
static inline int
is_in_word(Py_UCS4 code)
{
    return is_digit(code) || is_ascii_letter(code) ||
           (code >= 0xC0 && code <= 0x24F && code != 0xD7 && code != 0xF7);
}

/* Whether a syllable of pinyin may end with it. */
static inline int
ends_syllable(Py_UCS4 code)
{
    if (code == 0xFC || code == 0xDC)
        return 1;
    return code && code < 0x80 && strchr("aegionruvAEGIONRUV", (int)code) != NULL;
}

static int
is_among_signs(const Text *signs, Py_UCS4 code)
{
    for (Py_ssize_t i = 0; i < signs->size; i++)
        if (at(signs, i) == code)
            return 1;
    return 0;
}

/* Whether signs that begin there stand between letters or digits. */
static int
is_inside(const Text *text, const Text *signs, Py_ssize_t start)
{
    if (!start || !is_in_word(at(text, start - 1)))
        return 0;
    Py_ssize_t stop = start + 1;
    while (stop < text->size && is_among_signs(signs, at(text, stop)))
        stop++;
    return stop < text->size && is_in_word(at(text, stop));
}

#define COUNT_OF(type) \
    for (Py_ssize_t place = 0; place < text->size; place++) \
        count += ((const type *)text->data)[place] == (type)code;

static Py_ssize_t
count_of(const Text *text, Py_UCS4 code)
{
    Py_ssize_t count = 0;
    if ((text->kind == PyUnicode_1BYTE_KIND && code > 0xFF) ||
        (text->kind == PyUnicode_2BYTE_KIND && code > 0xFFFF))
        return 0;
    if (text->kind == PyUnicode_1BYTE_KIND)
        COUNT_OF(Py_UCS1)
    else if (text->kind == PyUnicode_2BYTE_KIND)
        COUNT_OF(Py_UCS2)
    else
        COUNT_OF(Py_UCS4)
    return count;
}

/* Whether a third of a text is a character that stands at a third or two thirds of it. */
static int
has_strokes(const Text *text)
{
    if (text->size < 24)
        return 0;
    for (int i = 0; i < 6; i++)
        if (3 * count_of(text, at(text, (i / 3 + 1) * text->size / 3 + i % 3)) >= text->size)
            return 1;
    return 0;
}

/* Whether the first lines of a text are as wide as each other, and no wider than a grid. */
static int
is_grid(const Text *text)
{
    Py_ssize_t width = 0;
    while (width <= WIDEST && width < text->size && at(text, width) != '\n')
        width++;
    if (width < 2 || width > WIDEST || 2 * width + 1 >= text->size)
        return 0;
    for (Py_ssize_t place = width + 1; place < 2 * width + 1; place++)
        if (at(text, place) == '\n')
            return 0;
    return at(text, 2 * width + 1) == '\n';
}

static int
begins_with(const Text *text, Py_ssize_t start, const char *known)
{
    for (Py_ssize_t i = 0; known[i]; i++)
        if (start + i >= text->size || at(text, start + i) != (Py_UCS4)known[i])
            return 0;
    return 1;
}

/* Whether a reference, a tag or an address seems to begin there. */
static int
begins_markup(const Text *text, Py_ssize_t start)
{
    Py_UCS4 code = at(text, start);
    if (code == ':')
        return begins_with(text, start, "://");
    if (code == 'w')
        return begins_with(text, start, "www.");
    if ((code != '&' && code != '<' && code != '[') || start + 1 == text->size)
        return 0;
    Py_UCS4 next = at(text, start + 1);
    if (code == '&')
        return next == '#' || is_ascii_letter(next);
    if (code == '<')
        return next == '/' || next == '!' || is_ascii_letter(next);
    if (next == '/')
        next = start + 2 < text->size ? at(text, start + 2) : 0;
    return next && next < 0x80 && strchr("abcefilqrsuABCEFILQRSU", (int)next) != NULL;
}

typedef struct {
    int found;
    Py_ssize_t markup, spots, toned;
} Seen;

static void
look_at(const Text *text, const Text *signs, Py_ssize_t place, Seen *seen)
{
    Py_UCS4 code = at(text, place);
    if (code == 0x202E)
        seen->found |= TURNED;
    if (code == 0x20E3 || (code >= BEYOND && code <= 0x1F1FF))
        seen->found |= EMOJI;
    if (code >= 0x370 && code <= 0x52F)
        seen->found |= LOOKS;
    seen->markup += begins_markup(text, place);
    if (code >= '1' && code <= '5' && place && ends_syllable(at(text, place - 1)) &&
        (place + 1 == text->size || !is_digit(at(text, place + 1))))
        seen->toned++;
    if (seen->spots < SPOTS && !is_in_word(code) && is_among_signs(signs, code))
        seen->spots += is_inside(text, signs, place);
}

/* Most characters are letters that tell nothing. */
#define LOOK_AT(type) \
    for (Py_ssize_t place = 0; place < text->size; place++) { \
        Py_UCS4 code = ((const type *)text->data)[place]; \
        if (code < 0x80 ? telling[code] : code < HAN || code >= BEYOND) \
            look_at(text, signs, place, &seen); \
    }

/* The signs that a text shows, a bit for each. */
static int
shown(const Text *text, const Text *signs, const Text *masks, int is_ascii)
{
    Seen seen = {0, 0, 0, 0};
    char telling[0x80] = {0};
    for (const char *each = "12345&<[:w"; *each; each++)
        telling[(int)*each] = 1;
    for (Py_ssize_t i = 0; i < signs->size; i++)
        if (at(signs, i) < 0x80)
            telling[at(signs, i)] = 1;
    if (text->kind == PyUnicode_1BYTE_KIND)
        LOOK_AT(Py_UCS1)
    else if (text->kind == PyUnicode_2BYTE_KIND)
        LOOK_AT(Py_UCS2)
    else
        LOOK_AT(Py_UCS4)
    for (Py_ssize_t i = 0; i < masks->size; i++) {
        Py_ssize_t count = count_of(text, at(masks, i));
        if (count >= TOLD && 20 * count >= text->size)
            seen.found |= MASKED;
    }
    return seen.found | (has_strokes(text) ? STROKES : 0) |
           (seen.toned >= TOLD && !is_ascii ? TONES : 0) | (seen.spots >= SPOTS ? SIGNS : 0) |
           (seen.markup >= TOLD ? MARKUP : 0) | (is_grid(text) ? GRID : 0);
}

static PyObject *
shown_signs(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *given[3];
    if (!PyArg_ParseTuple(args, "UUU", &given[0], &given[1], &given[2]))
        return NULL;
    Text texts[3]; /* the text, signs for letters, letters that mask others */
    for (int i = 0; i < 3; i++)
        texts[i] = (Text){PyUnicode_DATA(given[i]), PyUnicode_KIND(given[i]),
                          PyUnicode_GET_LENGTH(given[i])};
    int is_ascii = PyUnicode_IS_ASCII(given[0]);
    return PyLong_FromLong(shown(&texts[0], &texts[1], &texts[2], is_ascii));
}

PyMethodDef sign_functions[] = {
    {"shown_signs", shown_signs, METH_VARARGS, NULL},
    {NULL},
};
