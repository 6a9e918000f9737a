"""Synthetic documents with the statistics that the proposal reports of its corpus (docs/formats/04 §2): at least 98 % of the
adds are of known terms, about 56 % of those look-ups are of terms of at most 5 bytes, and the vocabulary grows to millions.

Words are drawn by real frequencies (wordfreq, English). Taken as they are, 73 % of the tokens would have at most 5 bytes: the
frequencies are flattened by an exponent, which makes the most frequent words, the short ones, rarer. About one token in
seventy is a made-up rare word, which goes on for ever as names and numbers do in real text.
"""
import python_packages

python_packages.need("numpy", "wordfreq")

import numpy  # noqa: E402
import wordfreq  # noqa: E402

from lines import write_lines  # noqa: E402

DOCS = 1_000_000
FLATTENING = 0.815
RARE = 1 / 75
RARE_WORDS = 400_000_000
CONSONANTS, VOWELS = "tnshrdlcmwfgypbvkjxqz", "eaoiu"
SYLLABLES = [c + v for c in CONSONANTS for v in VOWELS]


def rare_word(number):
    """Pronounceable, four to five syllables."""
    parts = []
    while number > 0:
        number, s = divmod(number, len(SYLLABLES))
        parts.append(SYLLABLES[s])
    return "".join(parts)


def make(path):
    frequencies = [(w, f) for w, f in wordfreq.get_frequency_dict("en", "best").items() if w.isalnum()]
    words = [w for w, _ in frequencies]
    weights = numpy.array([f for _, f in frequencies]) ** FLATTENING
    cumulative = numpy.cumsum(weights / weights.sum())
    rng = numpy.random.default_rng(42)

    def documents():
        for _ in range(DOCS):
            count = max(8, int(rng.normal(150, 45)))
            ranks = numpy.searchsorted(cumulative, rng.random(count + 4))
            tokens = [words[min(r, len(words) - 1)] for r in ranks.tolist()]
            rare = rng.binomial(count, RARE)
            for at, number in zip(rng.integers(count, size=rare).tolist(), rng.integers(RARE_WORDS // 4, RARE_WORDS, size=rare).tolist()):
                tokens[at] = rare_word(number)
            body = tokens[:count]
            for i in range(0, count, 12):
                body[i] = body[i].capitalize()
                if i:
                    body[i - 1] += ".,.;"[i // 12 % 4]
            yield " ".join(tokens[count:]).title(), " ".join(body)

    write_lines(path, documents())
