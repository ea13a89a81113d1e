"""torchmetrics: BLEU, chrF, TER, ROUGE, WER, CER, MER, WIL, SQuAD, exact match of strings, as the functions give it."""

from protocol import UNSUPPORTED, answer, first_references, same_options
from torchmetrics.functional import text


def bleu(case):
    options = case.options
    if not same_options(case, smoothing="none", effective_order=False):
        return UNSUPPORTED
    tokenize = {"tokenize": options["tokenizer"], "lowercase": options["lowercase"]}
    return text.sacre_bleu_score(case.hypotheses, case.references, n_gram=options["max_order"], **tokenize).item()


def chrf(case):
    options = case.options
    return text.chrf_score(
        case.hypotheses,
        case.references,
        n_char_order=options["char_order"],
        n_word_order=options["word_order"],
        beta=float(options["beta"]),
        lowercase=options["lowercase"],
        whitespace=options["whitespace"],
    ).item()


def ter(case):
    options = case.options
    return text.translation_edit_rate(
        case.hypotheses,
        case.references,
        normalize=options["normalized"],
        no_punctuation=options["no_punct"],
        lowercase=options["lowercase"],
    ).item()


def rouge(case):
    kind = case.options["type"]
    if kind == "rougeLsum":  # for which it splits sentences with a model that NLTK would download
        return UNSUPPORTED
    field = "fmeasure" if case.options["measure"] == "f" else case.options["measure"]
    settings = {"rouge_keys": kind, "use_stemmer": case.options["stemmer"], "accumulate": "best"}
    return text.rouge_score(case.hypotheses, case.references, **settings)[kind + "_" + field].item()


def wer(case):
    functions = {"wer": "word_error_rate", "cer": "char_error_rate", "mer": "match_error_rate"}
    rate = getattr(text, functions.get(case.options["rate"], "word_information_lost"))
    return rate(case.hypotheses, first_references(case)).item()


def squad(case):
    if case.options["normalizer"] != "squad":
        return UNSUPPORTED
    outputs = [{"prediction_text": output, "id": str(at)} for at, output in enumerate(case.hypotheses)]
    answers = [
        {"answers": {"answer_start": [0] * len(group), "text": group}, "id": str(at)}
        for at, group in enumerate(case.references)
    ]
    found = text.squad(outputs, answers)
    return found["f1" if case.metric == "squad-f1" else "exact_match"].item() / 100


METRICS = {"bleu": bleu, "chrf": chrf, "ter": ter, "rouge": rouge, "wer": wer, "squad-f1": squad, "exact-match": squad}
answer(METRICS)
