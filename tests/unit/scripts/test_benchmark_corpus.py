"""The texts that bench measures on: the same at every run, and of the size they are said to be."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from mappings.errors import InputRefused
from scripts.benchmark import made_texts
from scripts.benchmark.texts_of_corpus import (
    Corpus,
    Made,
    Recombined,
    comments,
    document,
    edited,
    from_file,
    open_corpus,
    unmarked,
)


@pytest.fixture(scope="module")
def made() -> Corpus:
    return Made()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    texts = [f"第{n}条新闻说今天的天气很好，公园里的人也很多。" * 40 for n in range(30)]
    path.write_bytes(b"".join(orjson.dumps({"id": str(n), "text": text}) + b"\n"
                              for n, text in enumerate(texts)))  # fmt: skip
    return path


def test_an_article_is_always_the_same(made: Corpus) -> None:
    assert made.text(5) == Made().text(5)
    assert made.text(5) != made.text(6)
    assert made.text(5) != made.unseen(5)


def test_articles_have_about_1400_characters(made: Corpus) -> None:
    lengths = [len(made.text(n)) for n in range(100)]
    assert 1_300 < sum(lengths) / 100 < 1_500
    assert min(lengths) > 900


def test_the_vocabulary_is_large() -> None:
    assert made_texts.vocabulary_size() > 30_000


def test_every_article_quotes_the_sample(made: Corpus) -> None:
    assert all(any(part in made.text(n) for part in made_texts.quotations()) for n in range(5))


def test_a_file_gives_its_own_articles_and_then_new_ones(file: Path) -> None:
    corpus = from_file(file)
    source = "\n".join(orjson.loads(line)["text"] for line in file.read_bytes().splitlines())
    assert corpus.text(0) in source and corpus.unseen(0) in source
    assert corpus.articles is not None and corpus.articles < 10_000
    assert corpus.text(corpus.articles - 1) in source
    beyond = corpus.text(10_000)
    assert beyond not in source
    assert len(beyond) >= 1_400 and beyond == corpus.text(10_000)


def test_real_text_is_the_default() -> None:
    corpus = open_corpus(None)
    article = corpus.text(0)
    assert corpus.articles is not None and corpus.articles > 500
    assert "１９９８年" in article and "/" not in article
    assert 700 < len(article) <= 1_400


def test_marks_of_words_are_taken_away() -> None:
    assert unmarked("１／２/m  和/c  ３//m  。/w\n") == "１／２和３/。"


def test_recombined_texts_share_sentences_and_are_always_the_same(made: Corpus) -> None:
    corpus = Recombined(made, 20)
    texts = [corpus.text(n) for n in range(200)]
    assert texts[:5] == [Recombined(made, 20).text(n) for n in range(5)]
    assert corpus.text(0) != corpus.unseen(0) and corpus.articles is None
    sentences = [part for text in texts for part in made_texts.sentences(text)]
    assert len(set(sentences)) < len(sentences)
    assert min(map(len, texts)) >= 45 and max(map(len, texts)) <= 840


def test_a_file_without_articles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_text('{"text": "短"}\n', encoding="utf-8")
    with pytest.raises(InputRefused, match="less than two articles"):
        from_file(path)


def test_a_light_copy_differs_in_few_characters(made: Corpus) -> None:
    text = made.text(1)
    copy = edited(text, 7)
    assert copy != text and copy == edited(text, 7)
    assert abs(len(copy) - len(text)) <= 0.03 * len(text) + 1
    grams = [{t[i : i + 4] for i in range(len(t) - 3)} for t in (text, copy)]
    assert len(grams[0] & grams[1]) / len(grams[0] | grams[1]) > 0.6


def test_comments_have_ten_characters(made: Corpus) -> None:
    assert {len(text) for text in comments(made, 300)} == {10}


def test_documents_hold_their_text(made: Corpus) -> None:
    one = document(made, 3)
    assert one.body["text"] == one.text == made.text(3)


def test_a_line_without_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"text": "一"}\n{"body": "二"}\n', encoding="utf-8")
    with pytest.raises(InputRefused, match=r"other\.jsonl:2"):
        from_file(path)
