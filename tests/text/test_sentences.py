import re
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkspot.text.sentences import split

LANGUAGES = [
    "en",
    "de",
    "fr",
    "ru",
    "uk",
    "ja",
    "zh",
    "th",
    "km",
    "my",
    "bo",
    "bn",
    "hy",
    "vi",
    "am",
    "xx",
    "zh-tw",
    "pt-BR",
]
# Letters of many scripts beside stops, quotation marks, brackets, list numbers and spaces.
ALPHABET = (
    "aBéßЖжΩω字あアกาລາកមမြབོकাবাሀայაאبت한0٣৪"
    + ".!?…。！？।॥۔؟։።።។៕།༎၊၏꧈՜"
    + "\"'“”«»「」（）()[]–-,;:、•*/\u200f\u00a0 \n"
)
PIECES = st.sampled_from(
    [*ALPHABET, "1. ", "a) ", "Dr. ", "z. B. ", "J. ", "Node.js", "3.14", "[1]", "“", "' ", "...", ". ", "。", "\n\n"]
)
PROSE = st.lists(PIECES, max_size=60).map("".join)


def sentences(text: str, language: str) -> list[str]:
    return [span.cut(text) for span in split(text, language)]


@settings(deadline=None)
@given(st.one_of(st.text(), PROSE, st.text(st.characters())), st.sampled_from(LANGUAGES))
def test_sentences_are_in_order_and_trimmed_and_only_white_space_stands_between_them(text: str, language: str) -> None:
    end = 0
    for span in split(text, language):
        assert text[end : span.start].strip() == ""
        assert span.cut(text)
        assert span.cut(text) == span.cut(text).strip()
        end = span.end
    assert text[end:].strip() == ""


@settings(deadline=None)
@given(PROSE, st.sampled_from(LANGUAGES))
def test_what_has_no_letter_is_no_sentence_beside_others(text: str, language: str) -> None:
    found = sentences(text.replace("\n", " "), language)
    assert len(found) <= 1 or all(re.search(r"[^\W\d_]", sentence) for sentence in found)


@settings(deadline=None)
@given(tag=st.text(max_size=20).filter(lambda tag: not tag.lower().startswith("hy")))  # no sentence of Armenian ends so
def test_any_language_tag_is_taken(tag: str) -> None:
    assert sentences("The ship left. The pier burnt.", tag) == ["The ship left.", "The pier burnt."]


@pytest.mark.parametrize("text", ["", " ", "\n\n \t\u3000\n", "\u00a0"])
def test_blank_text_has_no_sentences(text: str) -> None:
    assert split(text, "en") == []


# A bar marks where sentences meet.
EXAMPLES = [
    ("en", "The ship left at 3.14 p.m. with Dr. Moss aboard.|Did it arrive?|Nobody knows."),
    ("en", "J. R. R. Tolkien is read, e.g. in schools.|It runs on Node.js v. 2.0 and later."),
    ("en", "1. First item is here.|2. Second item is there."),
    ("en", "The rain fell.[1]|The river rose.[2][3]|It fell again."),
    ("en", "The road was closed.|(The bridge had burnt down.)|Nobody came."),
    ("en", "About two in. of rain fell, approx. 50 mm.|It was a record."),
    ("en", "The book Who Goes There? was filmed twice."),
    ("en", "Call the method.|forEach() then visits each item."),
    ("en", "It needs System.IO and tabs.Tab to work.|Older ones do not."),
    ("en", "The film had ended ... and nobody clapped.|...which was sad."),
    ("en", 'She said "Stop."|Then she left.'),
    ("en", "The steps are (a) wash, (b) cut and (c) cook.|Serve hot."),
    ("en-US", "Mr. Hill came.|He stayed."),
    ("de", "Das gilt z. B. für Dr. Maier.|Am 3. Oktober kam er zurück."),
    ("fr", "M. Dupont est arrivé hier.|« Est-ce vrai ? »|Personne ne répond."),
    ("es", "El Sr. Ruiz llegó tarde.|¿Dónde estaba?|Nadie lo sabe."),
    ("pt-BR", "O Sr. Silva chegou.|Ele saiu cedo."),
    ("ru", "В 1990 г. он уехал в Москву.|А. С. Белов остался дома."),
    ("uk", "Місто стоїть на півн. сході країни.|А. І. Коваль жив тут.|Тут мешкає прибл. 1200 людей."),
    ("vi", "Tòa nhà nằm ở TP. Hồ Chí Minh.|PGS. TS. Nguyễn Văn An thiết kế nó."),
    ("vi", "Đó là nước lớn ở châu Á.|Thủ đô nằm bên sông."),
    ("el", "Πού είναι το λιμάνι;|Είναι κοντά.|Πάμε."),
    ("hy", "Երևանը մեծ քաղաք է։|Կա՜ն և փոքր քաղաքներ։"),
    ("ka", "თბილისი დედაქალაქია.|ის დიდი ქალაქია."),
    ("ar", "هل وصلت السفينة؟|نعم، وصلت أمس.|كان البحر هادئا."),
    ("ur", "شہر بڑا ہے۔|کیا دریا قریب ہے؟|ہاں۔"),
    ("he", "העיר גדולה.|הנהר קרוב אליה."),
    ("hi", "नदी लंबी है।|डॉ. वर्मा ने इसे नापा।|क्या वह गहरी है?"),
    ("bn", "নদীটি ৬.৩ কি.মি. দীর্ঘ।|ড. রহমান এটি মাপেন।|১. প্রথম সেতু পুরনো।"),
    ("am", "ከተማዋ ትልቅ ናት።|ወንዙ ቅርብ ነው፧|አዎ።"),
    ("ko", "배가 떠났다.|forEach는 함수이다.|정말인가?|그렇다."),
    ("ja", "船は「さようなら。」と言って出た。|2000年に戻った。|港は静かだ！"),
    ("ja", "色は明るい灰色です。|::placeholder は入力欄の要素です。"),
    ("ja", "古い橋が燃えた。|（理由は分からない。）|新しい橋は広い。"),
    ("zh", "船离开了港口。|2000年它回来了！|谁在船上？"),
    ("zh-tw", "他說：「船到了。」|大家都很高興。"),
    ("th", "เรือลำใหญ่ออกจากท่าเมื่อวานนี้ตอนเช้า และกลับมาตอนเย็น|ชาวบ้านทุกคนดีใจมากที่ได้เห็นเรือกลับมา"),
    ("th", "ดร. สมชายเกิดเมื่อ พ.ศ. 2500 ที่กรุงเทพ"),
    ("lo", "ເຮືອລຳໃຫຍ່ອອກຈາກທ່າເມື່ອວານນີ້ຕອນເຊົ້າ ແລະກັບມາຕອນແລງ|ຊາວບ້ານທຸກຄົນດີໃຈຫຼາຍທີ່ໄດ້ເຫັນເຮືອ"),
    ("km", "ទីក្រុងនេះធំ។|មានទន្លេ ភ្នំ ព្រៃ។ល។|មនុស្សច្រើនរស់នៅទីនេះ៕"),
    ("my", "မြို့၏ မြစ်သည် ရှည်သည်၊ ကျယ်သည်။|တံတားသည် ဟောင်းသည်။"),
    ("bo", "གྲོང་ཁྱེར་ཆེན་པོ་ཡིན།|གཙང་པོ་ཉེ་པོ་ཡིན།།|ཟམ་པ་རྙིང་པ་ཡིན།"),
]


@pytest.mark.parametrize(("language", "marked"), EXAMPLES)
def test_sentences_of_many_languages_are_told_apart(language: str, marked: str) -> None:
    expected = marked.split("|")
    is_unspaced = language[:2] in {"ja", "zh"}
    assert sentences(("" if is_unspaced else " ").join(expected), language) == expected


def test_a_forgotten_space_between_sentences_is_seen() -> None:
    assert sentences("It helps many children.Others wait.", "en") == ["It helps many children.", "Others wait."]


def test_a_quotation_mark_goes_with_what_it_opens() -> None:
    text = 'A 7" single was out. "Home" sold well.'
    assert sentences(text, "en") == ['A 7" single was out.', '"Home" sold well.']


def test_a_blank_line_ends_a_sentence_and_a_single_line_break_does_not() -> None:
    assert sentences("The old\nharbour\n \nThe pier", "en") == ["The old\nharbour", "The pier"]


def test_offsets_count_characters_also_beyond_the_basic_plane() -> None:
    text = "𠮷野家は😀です。次。"
    assert [(span.start, span.end) for span in split(text, "ja")] == [(0, 8), (8, 10)]


def test_a_wide_space_before_a_full_stop_does_no_harm() -> None:
    assert sentences("We chose plan B\u00a0. Then we left.", "en")


def test_lone_surrogates_and_nuls_are_text_like_any_other() -> None:
    assert sentences("One \ud800 two. Three\0 four.", "en") == ["One \ud800 two.", "Three\0 four."]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "unit",
    ["word ", "a", "1. ", "(a.) ", "。", "。1", "(", '"', "x. ", "ก ", "།", "\n", " ", "[1]", "“", "' ", "A. ", "... "],
)
def test_a_megabyte_of_anything_is_split_in_seconds(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    start = time.process_time()
    split(text, "en")
    assert time.process_time() - start < 10  # a quadratic rule takes hours


def test_a_paragraph_of_any_length_is_split_like_a_short_one() -> None:
    text = "The harbour froze in winter. " * 2_000
    assert sentences(text, "en") == ["The harbour froze in winter."] * 2_000


def test_a_sentence_of_any_length_stays_whole() -> None:
    sentence = "and so on, " * 10_000 + "to the end."
    assert sentences(f"It began. Then {sentence} It ended.", "en") == ["It began.", f"Then {sentence}", "It ended."]


def test_importing_the_module_does_not_import_sentencex() -> None:
    code = "import sys, linkspot.text.sentences; sys.exit('sentencex' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
