"""No script gives a silent 0 or a silent 1: the tokenizer reads it, or there is a warning; with "auto" it reads all."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint.compat import jiwer
from bleuprint.compat import sacrebleu as sacrebleu_drop_in
from bleuprint.compat.rouge_score import rouge_scorer
from bleuprint.corpora import build_index
from bleuprint.dataset import DatasetItem, FileStream
from bleuprint.errors import InputWarning, MergeError, OptionError, TokenizerWarning
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.pairwise import pairwise
from bleuprint.runners import MetricRunner, replay
from bleuprint.runners.streaming import score_stream
from tests.support.cli import invoke, succeed

# Twelve words each: six of a text, one to put in, and five of another text.
SPACED = {
    "Latin": "the old cat sleeps under table beside green birds sing every morning",
    "Vietnamese": "hôm nay trời đẹp chúng tôi đi những con chim hát líu",
    "Greek": "η γάτα κοιμάται κάτω από τραπέζι δίπλα πουλιά τραγουδούν κάθε πρωί χαρούμενα",
    "Cyrillic": "старая кошка спит под большим столом рядом зелёные птицы поют каждое утро",
    "Armenian": "կատուն քնում է մեծ սեղանի տակ մոտ թռչունները երգում են ամեն առավոտ",
    "Hebrew": "החתול הזקן ישן מתחת לשולחן הגדול ליד ציפורים ירוקות שרות בכל בוקר",
    "Arabic": "القطة القديمة تنام تحت الطاولة الكبيرة بجانب طيور خضراء تغني كل صباح",
    "Persian": "گربه پیر زیر میز بزرگ می‌خوابد کنار پرندگان سبز هر صبح آواز",
    "Syriac": "ܩܛܘ ܥܬܝܩܐ ܕܡܟ ܬܚܝܬ ܦܬܘܪܐ ܪܒܐ ܥܠ ܨܦܪܐ ܝܪܘܩܐ ܙܡܪ ܟܠ ܨܦܪܝܢ",
    "Thaana": "ބުޅާ މޭޒު ދަށުގައި ނިދާ މުސްކުޅި ބޮޑު ކައިރީގައި ދޫނިތައް ކޮންމެ ހެނދުނަކު ލަވަ ކިޔައެވެ",
    "Devanagari": "बूढ़ी बिल्ली बड़ी मेज़ के नीचे पास हरे पक्षी रोज़ सुबह गाते",
    "Bengali": "বুড়ো বিড়াল বড় টেবিলের নিচে ঘুমায় পাশে সবুজ পাখি প্রতিদিন সকালে গান",
    "Gurmukhi": "ਬੁੱਢੀ ਬਿੱਲੀ ਵੱਡੇ ਮੇਜ਼ ਦੇ ਹੇਠਾਂ ਕੋਲ ਹਰੇ ਪੰਛੀ ਰੋਜ਼ ਸਵੇਰੇ ਗਾਉਂਦੇ",
    "Gujarati": "ઘરડી બિલાડી મોટા ટેબલ નીચે સૂએ પાસે લીલાં પક્ષી રોજ સવારે ગાય",
    "Odia": "ବୁଢ଼ା ବିଲେଇ ବଡ଼ ଟେବୁଲ ତଳେ ଶୋଇଛି ପାଖରେ ସବୁଜ ପକ୍ଷୀ ପ୍ରତିଦିନ ସକାଳେ ଗାଆନ୍ତି",
    "Tamil": "வயதான பூனை பெரிய மேசை கீழே தூங்குகிறது அருகில் பச்சை பறவைகள் தினமும் காலையில் பாடும்",
    "Telugu": "ముసలి పిల్లి పెద్ద బల్ల కింద నిద్రిస్తుంది పక్కన ఆకుపచ్చ పక్షులు ప్రతి ఉదయం పాడతాయి",
    "Kannada": "ಹಳೆಯ ಬೆಕ್ಕು ದೊಡ್ಡ ಮೇಜಿನ ಕೆಳಗೆ ಮಲಗಿದೆ ಪಕ್ಕದಲ್ಲಿ ಹಸಿರು ಹಕ್ಕಿಗಳು ಪ್ರತಿ ಬೆಳಿಗ್ಗೆ ಹಾಡುತ್ತವೆ",
    "Malayalam": "വയസ്സൻ പൂച്ച വലിയ മേശയുടെ താഴെ ഉറങ്ങുന്നു അരികിൽ പച്ച പക്ഷികൾ എല്ലാ രാവിലെയും പാടുന്നു",
    "Sinhala": "වයසක පූසා ලොකු මේසය යට නිදාගනී අසල කොළ කුරුල්ලෝ සෑම උදෑසනක ගයති",
    "Georgian": "ბებერი კატა დიდი მაგიდის ქვეშ სძინავს გვერდით მწვანე ჩიტები ყოველ დილით მღერიან",
    "Hangul": "늙은 고양이가 큰 책상 아래에서 잔다 옆에서 초록색 새들이 매일 아침 노래한다",
    "Ethiopic": "አሮጌ ድመት በትልቅ ጠረጴዛ ስር ይተኛል አጠገብ አረንጓዴ ወፎች በየ ጠዋቱ ይዘምራሉ",
    "Cherokee": "ᎠᎦᏴᎵ ᏪᏌ ᎦᎵᎭ ᎭᏫᎾᏗᏢ ᎡᏆ ᎦᏍᎩᎶ ᎾᎥᎢ ᎢᏤᎢᏳᏍᏗ ᏥᏍᏆ ᎠᏂᏃᎩᏍᎪ ᏂᎪᎯᎸ ᏑᎾᎴᎢ",
    "Canadian syllabics": "ᐳᓰ ᓂᐹᐤ ᒪᐢᑎᑫ ᐊᑖᒥᕽ ᑭᓯᐤ ᐊᓄᐦᒡ ᒌᑭ ᐱᔦᓰᓴᐠ ᓂᑲᒧᐘᐠ ᑕᐦᑐ ᑮᓴᐸ ᐊᐢᑭᐦᑕᑿ",
    "Mongolian": "ᠬᠥᠭᠰᠢᠨ ᠮᠤᠤᠷ ᠲᠣᠮᠣ ᠰᠢᠷᠡᠭᠡᠨ ᠳᠣᠣᠷ᠎ᠠ ᠤᠨᠲᠠᠨ᠎ᠠ ᠬᠠᠵᠠᠭᠤ ᠨᠣᠭᠣᠭᠠᠨ ᠰᠢᠪᠠᠭᠤ ᠥᠷᠯᠦᠭᠡ ᠪᠦᠷᠢ ᠳᠠᠭᠤᠯᠠᠨ᠎ᠠ",
    "N'Ko": "ߢߊ߲ߞߎߡߊ ߞߘߐ ߦߋ߫ ߛߎߣߐ߮ ߕߊߓߊߟߌ߫ ߖߎ߬ߡߊ ߝߍ߬ ߞߐ߬ߣߐ ߟߎ߬ ߦߋ ߘߐ߲ߞߟߌ ߟߊ",
    "Tifinagh": "ⴰⵎⵓⵛⵛ ⴰⵡⵙⵙⴰⵔ ⵉⵟⵟⵙ ⴷⴷⴰⵡ ⵜⴰⴷⴰⴱⵓⵜ ⵜⴰⵎⵇⵔⴰⵏⵜ ⵜⴰⵎⴰ ⵉⴳⴹⴰⴹ ⵉⵣⴳⵣⴰⵡⵏ ⵙⵡⴰⵍⵏ ⴽⵓ ⵜⵉⴼⴰⵡⵜ",
    "Ol Chiki": "ᱯᱩᱥᱤ ᱢᱟᱨᱮ ᱞᱟᱛᱟᱨ ᱨᱮ ᱡᱟᱹᱯᱤᱫ ᱟᱠᱟᱱᱟ ᱥᱩᱨ ᱪᱮᱬᱮ ᱦᱟᱹᱨᱤᱭᱟᱹᱲ ᱥᱮᱨᱮᱧ ᱫᱤᱱᱟᱹᱢ ᱥᱮᱛᱟᱜ",
    "Vai": "ꕉꕜ ꕮꘋ ꔔꘋ ꖸ ꔰ ꗋꘋ ꗏ ꕪꔳ ꖏ ꖢ ꕴ ꖃ",
    "Adlam": "𞤔𞤢𞤬𞤢 𞤲𞤢𞤴𞥆𞤫 𞤣𞤢𞤲𞤮𞤮 𞤤𞤫𞤴 𞤼𞤢𞤦𞤢𞤤 𞤥𞤢𞤱𞤲𞤢 𞤳𞤢𞤪𞤢 𞤨𞤮𞤤𞥆𞤭 𞤱𞤢𞤳𞤮𞤮 𞤴𞤭𞤥𞤮𞤮 𞤩𞤭𞤥𞤦𞤭 𞤳𞤢𞤤𞤢",
    "Coptic": "ⲡⲉⲙⲟⲩ ⲛ̀ⲛⲟϭ ⲉϥⲉⲛⲕⲟⲧ ϩⲁ ⲧⲧⲣⲁⲡⲉⲍⲁ ⲙ̀ⲙⲏⲛⲉ ϩⲁⲧⲉⲛ ⲛⲓϩⲁⲗⲁϯ ⲉⲩϩⲱⲥ ϧⲉⲛ ϣⲱⲣⲡ ⲛⲓⲃⲉⲛ",
    "Meetei Mayek": "ꯍꯧꯗꯣꯡ ꯑꯍꯜ ꯇꯦꯕꯜ ꯃꯈꯥꯗ ꯇꯨꯝꯂꯤ ꯆꯥꯎꯕ ꯅꯥꯛꯇ ꯎꯆꯦꯛ ꯑꯁꯪꯕ ꯅꯣꯡꯃ ꯑꯌꯨꯛ ꯏꯁꯩ",
    "Lisu": "ꓐꓲ ꓠꓬ ꓡꓯ ꓢꓴ ꓔꓳ ꓗꓰ ꓘꓲ ꓟꓱ ꓞꓴ ꓙꓳ ꓛꓬ ꓝꓲ",
}  # fmt: skip
UNSPACED = {
    "Chinese": "这只 老猫 今天 早上 睡在 大桌子 椅子 绿色 小鸟 每年 春季 唱歌",
    "Traditional Chinese": "這隻 老貓 今天 早上 睡在 大桌子 椅子 綠色 小鳥 每年 春季 唱歌",
    "Japanese": "その 年寄りの 猫は 大きな テーブルの 下で 横で 緑の 小鳥が 毎朝 楽しそうに 歌います",
    "Thai": "แมวแก่ ตัวนั้น นอนหลับ อยู่ใต้ โต๊ะ ใหญ่ ข้าง นกสีเขียว ร้องเพลง ทุกเช้า อย่าง มีความสุข",
    "Lao": "ແມວເຖົ້າ ໂຕນັ້ນ ນອນຫຼັບ ຢູ່ກ້ອງ ໂຕະ ໃຫຍ່ ຂ້າງ ນົກສີຂຽວ ຮ້ອງເພງ ທຸກເຊົ້າ ຢ່າງ ມີຄວາມສຸກ",
    "Khmer": "ឆ្មាចាស់ នោះ កំពុងដេក នៅក្រោម តុ ធំ ក្បែរ បក្សីពណ៌បៃតង ច្រៀង រៀងរាល់ ព្រឹក សប្បាយ",
    "Burmese": "ကြောင်အို ကြီးသည် စားပွဲ အောက်တွင် အိပ်နေ သည် ဘေး ငှက်စိမ်း များ နေ့တိုင်း မနက် သီချင်းဆို",
    "Tibetan": "ཞི་མི་ རྒན་པ་ ཅོག་ཙེ་ ཆེན་པོའི་ འོག་ཏུ་ ཉལ་ འགྲམ་ བྱེའུ་ ལྗང་ཁུ་ ཞོགས་པ་ རེར་ གླུ་ལེན་",
    "Javanese": "ꦏꦸꦕꦶꦁ ꦠꦸꦮ ꦠꦸꦫꦸ ꦲꦶꦁ ꦔꦶꦱꦺꦴꦂ ꦩꦺꦗ ꦱꦤ꧀ꦝꦶꦁ ꦩꦤꦸꦏ꧀ ꦲꦶꦗꦺꦴ ꦔꦺꦴꦕꦺꦃ ꦱꦧꦼꦤ꧀ ꦲꦺꦱꦸꦏ꧀",
    "Balinese": "ᬫᬾᬂ ᬢᬸᬳ ᬲᬶᬭᬾᬧ᭄ ᬭᬶᬂ ᬩᭂᬢᭂᬦ᭄ ᬫᬾᬚ ᬲᬫ᭄ᬧᬶᬂ ᬓᭂᬤᬶᬲ᭄ ᬕᬤᬂ ᬫᬓᬶᬤᬸᬂ ᬲᬩᬭᬶ ᬲᭂᬫᭂᬂ",
    "Yi": "ꀊꑌ ꃀꃅ ꄉꇖ ꈐꏦ ꋌꐥ ꉢꆹ ꌠꄷ ꏂꃤ ꁍꂿ ꅉꀕ ꊿꎭ ꑿꒉ",
}  # fmt: skip
WORDS = {script: (" ", text.split()) for script, text in SPACED.items()} | {
    script: ("", text.split()) for script, text in UNSPACED.items()
}
METRICS: dict[str, Callable[..., Any]] = {
    "bleu": bp.corpus_bleu,
    "chrf": bp.corpus_chrf,
    "ter": bp.corpus_ter,
    "rouge": bp.corpus_rouge,
    "wer": bp.corpus_wer,
    "gleu": bp.corpus_gleu,
    "meteor": bp.corpus_meteor,
    "self-bleu": lambda texts, references, **options: bp.self_bleu([*texts, *references], **options),
}
RUSSIAN, ARABIC, CHINESE, JAPANESE, THAI, LATIN = (
    [separator.join(words[:6]), separator.join(words[1:7])]
    for separator, words in (WORDS[name] for name in ("Cyrillic", "Arabic", "Chinese", "Japanese", "Thai", "Latin"))
)


def texts_of(script: str) -> tuple[str, str, str]:
    """A text, the same with another word in it, and one with other words."""
    separator, words = WORDS[script]
    assert len(words) == 12, (script, len(words))
    return separator.join(words[:6]), separator.join([*words[:5], words[6]]), separator.join(words[7:])


def scored(metric: str, text: str, reference: str, **options: Any) -> tuple[float, list[str]]:
    """How good a metric finds a text, in [0, 1], and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = METRICS[metric]([text], [reference], **options).value
    assert all(issubclass(warning.category, InputWarning) for warning in caught)
    assert all(warning.filename == __file__ for warning in caught)
    good = registry.find(metric).higher_is_better or metric == "self-bleu"
    return (value if good else max(0.0, 1 - value)), [str(warning.message) for warning in caught]


def test_there_are_forty_scripts() -> None:
    assert len(WORDS) >= 40


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("script", WORDS)
def test_no_silent_zero_and_no_silent_one(script: str, metric: str) -> None:
    text, one_off, other = texts_of(script)
    perfect = 0.95 if metric == "meteor" else 1.0  # it takes something off for the order of the words
    score, warned = scored(metric, text, text)
    assert score >= perfect or warned
    score, warned = scored(metric, one_off, text)
    assert 0 < score < 1 or warned
    score, warned = scored(metric, other, text)
    assert score < 0.5 or warned


@pytest.mark.parametrize("metric", [name for name in METRICS if name != "chrf"])
@pytest.mark.parametrize("script", WORDS)
def test_auto_reads_every_script(script: str, metric: str) -> None:
    text, one_off, other = texts_of(script)
    identical, of_identical = scored(metric, text, text, tokenizer="auto")
    close, of_close = scored(metric, one_off, text, tokenizer="auto")
    far, of_far = scored(metric, other, text, tokenizer="auto")
    assert [*of_identical, *of_close, *of_far] == []
    assert identical >= (0.95 if metric == "meteor" else 1.0)
    assert far < close < identical


def test_text_with_spaces_in_a_script_that_the_tokenizer_reads_is_not_warned_of() -> None:
    for script in SPACED:
        for metric in METRICS:
            warned = scored(metric, *texts_of(script)[:2])[1]
            assert not warned or metric == "rouge", (script, metric)
    assert scored("rouge", *texts_of("Vietnamese")[:2])[1] == []
    assert scored("bleu", "这 只 老猫 今天 睡 在 这里", "这 只 老猫 今天 睡 在 那里")[1] == []  # split before
    assert scored("bleu", "Er sagte 你好 zu mir und ging nach Hause.", "Er sagte 你好 zu mir und ging.")[1] == []
    assert scored("bleu", "", "12 34 😀😀😀 ∑∑")[1] == []
    for metric in ("bleu", "wer", "rouge"):
        assert scored(metric, CHINESE[0], CHINESE[1], tokenizer="char")[1] == []


@pytest.mark.parametrize(
    ("script", "metric", "chosen"),
    [
        ("Latin", "bleu", "13a"),
        ("Cyrillic", "bleu", "13a"),
        ("Chinese", "bleu", "zh"),
        ("Japanese", "bleu", "char"),
        ("Thai", "bleu", "char"),
        ("Hangul", "bleu", "13a"),
        ("Latin", "rouge", "rouge"),
        ("Cyrillic", "rouge", "unicode"),
        ("Chinese", "rouge", "unicode"),
        ("Khmer", "rouge", "unicode"),
        ("Tibetan", "rouge", "char"),
        ("Latin", "wer", "whitespace"),
        ("Chinese", "wer", "zh"),
        ("Arabic", "self-bleu", "nltk"),
        ("Chinese", "ter", "zh"),
    ],
)
def test_the_signature_records_what_auto_chose(script: str, metric: str, chosen: str) -> None:
    text, one_off, _ = texts_of(script)
    score = METRICS[metric]([one_off], [text], tokenizer="auto")
    assert f"|tokenizer:{chosen}" in score.signature
    assert score.value == METRICS[metric]([one_off], [text], tokenizer=chosen).value
    assert registry.from_signature(score.signature).options["tokenizer"] == chosen


@pytest.mark.parametrize("name", [name for name, kind in registry.scored_by_name().items()])
def test_auto_works_in_every_metric_that_has_a_tokenizer(name: str) -> None:
    kind = registry.find(name)
    if "tokenizer" not in registry.options_of(kind):
        with pytest.raises(OptionError):
            registry.resolve(name, {"tokenizer": "auto"})
        return
    metric = registry.resolve(name, {"tokenizer": "auto"})
    assert metric.options["tokenizer"] == "auto"
    texts = [*CHINESE, *texts_of("Chinese")]
    given: dict[str, Any] = {"references": texts[::-1]} if kind.needs_references else {}
    given |= {"sources": texts} if metric.needs_sources else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score = metric.corpus(texts, **given)
    chosen = registry.from_signature(metric.signature, tokenizer=score.definition.options["tokenizer"])
    assert chosen.options["tokenizer"] != "auto"
    assert chosen.corpus(texts, **given).value == score.value
    assert metric.signature == registry.from_signature(metric.signature).signature


class TestAuto:
    def test_the_order_of_the_texts_does_not_matter_and_references_decide(self) -> None:
        mixed = [*LATIN * 3, *CHINESE]
        there, back = (bp.corpus_bleu(texts, texts, tokenizer="auto") for texts in (mixed, mixed[::-1]))
        assert there.signature == back.signature
        assert "tokenizer:zh" in bp.corpus_bleu(LATIN, CHINESE, tokenizer="auto").signature
        assert "tokenizer:13a" in bp.corpus_bleu(CHINESE, LATIN, tokenizer="auto").signature
        assert (
            "tokenizer:13a"
            in bp.corpus_bleu(["a 你", "b"], ["the 你 cat sat", "on the mat"], tokenizer="auto").signature
        )

    def test_streams_and_shards(self) -> None:
        whole = bp.BLEU(tokenizer="auto").corpus(CHINESE, CHINESE[::-1])
        first, second = (
            bp.BLEU(tokenizer="auto").update([a], [b]) for a, b in zip(CHINESE, CHINESE[::-1], strict=True)
        )
        assert first.signature == bp.BLEU(tokenizer="zh").signature
        states = [first.state(), second.state()]
        assert first.merge(second).compute().value == whole.value
        restored = bp.BLEU(tokenizer="auto").add_state(states[0]).add_state(states[1])
        assert restored.compute().value == whole.value
        other = bp.BLEU(tokenizer="auto").update(LATIN, LATIN)
        with pytest.raises(MergeError, match="tokenizer is zh in one and 13a in the other"):
            first.merge(other)
        with pytest.raises(MergeError, match="tokenizer is 13a in one and zh in the other"):
            other.add_state(states[0])
        assert other.reset().options["tokenizer"] == "auto"
        assert first.fresh().options["tokenizer"] == "auto"

    def test_runners(self, tmp_path: Path) -> None:
        metrics: dict[str, Metric[Any]] = {"bleu": bp.BLEU(tokenizer="auto"), "rouge": bp.ROUGE(tokenizer="auto")}
        result = bp.evaluate({"A": CHINESE, "B": CHINESE[::-1]}, CHINESE, metrics=metrics)
        assert [score.value for score in result.systems[0].scores] == [1.0, 1.0]
        assert "tokenizer:zh" in result.systems[1].score("bleu").signature
        assert replay(result).same
        assert bp.compare({"A": CHINESE * 4, "B": CHINESE[::-1] * 4}, CHINESE * 4, metrics=metrics)
        paths = [tmp_path / "hypotheses.txt", tmp_path / "references.txt"]
        for path in paths:
            path.write_text("\n".join(CHINESE) + "\n", encoding="utf-8")
        with FileStream({"A": str(paths[0])}, [str(paths[1])]) as stream:
            assert score_stream(stream, metrics)["A"]["bleu"].signature == result.systems[0].score("bleu").signature
        printed = succeed("score", str(paths[0]), "-r", str(paths[1]), "-m", "bleu,rouge", "-tok", "auto")
        assert "note:" not in printed.stderr
        assert "tok:zh" in printed.stdout
        assert "tokenizer:unicode" in printed.stdout

    def test_pools_of_several_systems_share_one_tokenizer(self) -> None:
        metric = bp.SelfBLEU(tokenizer="auto")
        result = bp.evaluate({"A": LATIN, "B": CHINESE}, metrics=[metric])
        one, other = (system.scores[0].signature for system in result.systems)
        assert one == other

    def test_insight_and_pairs(self) -> None:
        metric = bp.BLEU(tokenizer="auto")
        assert "tokenizer:zh" in bp.work(CHINESE[0], CHINESE[1], metric).signature
        assert "tokenizer:zh" in bp.work(CHINESE, None, registry.resolve("distinct", {"tokenizer": "auto"})).signature
        assert np.array_equal(pairwise(CHINESE, metric=metric), pairwise(CHINESE, metric=bp.BLEU(tokenizer="zh")))
        assert bp.choose([CHINESE], metric=metric) == bp.choose([CHINESE], metric=bp.BLEU(tokenizer="zh"))
        fitted = registry.resolve("nist", {"tokenizer": "auto"}).fit(CHINESE)  # type: ignore[attr-defined]
        assert fitted.options["tokenizer"] == "zh"

    def test_where_there_is_no_corpus_it_says_so(self) -> None:
        with pytest.raises(OptionError, match="tokenizer='auto' is chosen by metrics for the corpus that they read"):
            bp.tokenize("a b", "auto")
        assert bp.corpus_bleu([["a", "b", "c", "d"]], [["a", "b", "c", "d"]], tokenizer="auto").value == 1.0


# What is scored at every door, and the tokenizer that cannot read it.
DOORS: dict[str, Callable[[list[str]], object]] = {
    "function": lambda texts: bp.corpus_rouge(texts, texts),
    "sentence": lambda texts: bp.sentence_rouge(texts[0], texts[0]),
    "sentences": lambda texts: bp.sentence_rouges(texts, texts),
    "class": lambda texts: bp.ROUGE().corpus(texts, texts),
    "sentence of a class": lambda texts: bp.ROUGE().sentence(texts[0], [texts[0]]),
    "update": lambda texts: bp.ROUGE().update(texts, texts),
    "statistics": lambda texts: bp.ROUGE().statistics(texts, texts),
    "a function as tokenizer": lambda texts: bp.ROUGE(tokenizer=lambda text: [w for w in text.split() if w.isascii()])
    .corpus(texts, texts),
    "evaluate": lambda texts: bp.evaluate({"A": texts, "B": texts}, texts, metrics=["rouge", "chrf"]),
    "compare": lambda texts: bp.compare({"A": texts * 5, "B": texts * 5}, texts * 5, metrics=["rouge"]),
    "runner": lambda texts: MetricRunner(["rouge"]).run_sync(
        [DatasetItem(actual_output=text, expected_output=text) for text in texts]
    ),
    "pairwise": lambda texts: pairwise(texts, metric="rouge"),
    "choose": lambda texts: bp.choose([texts], metric="rouge"),
    "work": lambda texts: bp.work(texts[0], texts[0], "rouge"),
    "rouge_score": lambda texts: rouge_scorer.RougeScorer(["rouge1"]).score(texts[0], texts[0]),
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("texts", [RUSSIAN, ARABIC, THAI, CHINESE], ids=["Russian", "Arabic", "Thai", "Chinese"])
def test_every_door_warns_once(door: str, texts: list[str]) -> None:
    with pytest.warns(TokenizerWarning, match="rouge: the tokenizer .* drops the letters of .* text") as caught:
        DOORS[door](texts)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_data_frames_warn() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"output": CHINESE, "reference": CHINESE})
    with pytest.warns(
        TokenizerWarning, match="bleu: the tokenizer 13a does not split Chinese text into words"
    ) as caught:
        assert bp.corpus_bleu(frame["output"], frame["reference"]).value == 0.0
    assert len(caught) == 1
    with pytest.warns(TokenizerWarning, match="bleu: the tokenizer 13a does not split Chinese"):
        bp.sentence_bleus(frame["output"], frame["reference"])


def test_what_is_made_from_texts_warns_too(tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("\n".join(CHINESE), encoding="utf-8")
    makers: dict[str, Callable[[], object]] = {
        "language model": lambda: bp.LanguageModel.train(CHINESE * 3, order=2, discount_fallback=True),
        "index": lambda: bp.NgramIndex.build(CHINESE),
        f"index of {tmp_path / 'texts'}": lambda: build_index(tmp_path / "texts", tmp_path / "made.bpi"),
    }
    for user, make in makers.items():
        with pytest.warns(TokenizerWarning, match=" does not split Chinese text into words") as caught:
            make()
        assert len(caught) == 1
        assert str(caught[0].message).startswith(f"{user}: the tokenizer ")
        assert str(caught[0].message).endswith("; pass another one, such as tokenizer='char'")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bp.LanguageModel.train(RUSSIAN * 3, order=2, discount_fallback=True)
        bp.NgramIndex.build(CHINESE, tokenizer="char")


def test_drop_ins_keep_their_numbers_and_warn() -> None:
    with pytest.warns(TokenizerWarning, match="drops the letters of non-Latin text"):
        assert rouge_scorer.RougeScorer(["rouge1"]).score(RUSSIAN[0], RUSSIAN[0])["rouge1"].fmeasure == 0.0
    with pytest.warns(TokenizerWarning, match="does not split Chinese text into words"):
        assert sacrebleu_drop_in.corpus_bleu(CHINESE, [CHINESE]).score == 0.0
    with pytest.warns(TokenizerWarning, match="wer: .*does not split Chinese text into words") as caught:
        assert jiwer.wer(CHINESE, CHINESE[::-1]) == 1.0
    assert len(caught) == 1
    with pytest.warns(TokenizerWarning, match="does not split Thai, Lao, Burmese or Khmer text into words"):
        jiwer.process_words(THAI[0], THAI[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jiwer.cer(CHINESE, CHINESE) == 0.0
        assert jiwer.wer(RUSSIAN, RUSSIAN) == 0.0
        assert sacrebleu_drop_in.corpus_bleu(CHINESE, [CHINESE], tokenize="zh").score == pytest.approx(100)


def test_one_warning_names_all_metrics_and_the_result_keeps_it() -> None:
    with pytest.warns(TokenizerWarning) as caught:
        result = bp.evaluate(CHINESE, CHINESE, metrics=["bleu", "gleu", "chrf", "rouge"])
    assert [str(warning.message) for warning in caught] == [
        "bleu, gleu: the tokenizer 13a does not split Chinese text into words, so a whole line is one token; use "
        "bleuprint's tokenizer='auto', which takes zh here (command line: -tok auto)",
        "rouge: the tokenizer rouge drops the letters of Chinese text, so hardly anything is left to compare; use "
        "bleuprint's tokenizer='auto', which takes unicode here (command line: -tok auto)",
    ]
    assert list(result.notes)[:2] == [str(warning.message) for warning in caught]


def test_the_command_line_prints_the_warning_as_a_note(tmp_path: Path) -> None:
    for name, texts in {"russian": RUSSIAN, "chinese": CHINESE, "japanese": JAPANESE}.items():
        (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    russian = [str(tmp_path / "russian"), "-r", str(tmp_path / "russian"), "-m", "rouge"]
    done = succeed("score", *russian)
    assert done.stderr.count("note: rouge: the tokenizer rouge drops the letters of non-Latin text") == 1
    assert "()" not in done.stderr
    saved = succeed("score", *russian, "--json", str(tmp_path / "result.json"))
    assert saved.stderr.count("note:") == 1
    assert succeed("score", *russian, "--quiet").stderr == ""
    strict = invoke("score", *russian, "--strict")
    assert strict.exit_code == 2
    assert "drops the letters of non-Latin text" in strict.stderr
    assert "(an error because of --strict)" in strict.stderr
    japanese = succeed("score", str(tmp_path / "japanese"), "-r", str(tmp_path / "japanese"), "-m", "bleu,gleu")
    assert "note: bleu, gleu: the tokenizer 13a does not split Japanese text" in japanese.stderr
    assert "which takes char here" in japanese.stderr
    diversity = succeed("score", str(tmp_path / "chinese"), "-m", "self-bleu")
    assert "note: self-bleu: the tokenizer nltk does not split Chinese text" in diversity.stderr
