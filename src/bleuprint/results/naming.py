"""How papers write a metric: its name, and its signature in the short form."""

from __future__ import annotations

from bleuprint import signature
from bleuprint.errors import BleuprintError, SignatureError
from bleuprint.metrics import cards, registry

# Options that a short signature always shows, as it does all numbers: without them, a score means little.
_ALWAYS = ("tokenizer", "smoothing")
_USUAL = ("resamples:", "alpha:0.05", "interval:bca", "mode:bleuprint", "power:0.8")  # settings of a comparison


def paper_name(label: str, written: str) -> str:
    """The name in a paper of the metric with this name in a result and this signature; its own if it has no card.

    >>> paper_name("bleu", "bleu.1|max_order:2"), paper_name("chrf", "chrf.1|word_order:2")
    ('BLEU-2', 'chrF++')
    >>> paper_name("rouge", "rouge.1|types:rougeL+rouge1"), paper_name("my score", "bleu.1|max_order:4")
    ('ROUGE-L', 'my score')
    """
    try:
        parsed = signature.parse(written)
    except SignatureError:
        return label
    card, (name, _, given) = cards.find(parsed.metric), label.partition(":")
    order, order_of_set = parsed.options.get("max_order"), f"{parsed.metric}-{parsed.options.get('max_order')}"
    if card is None or name not in {parsed.metric, order_of_set}:
        return label
    title = card.written
    if title.endswith("-n"):
        title = f"{title[:-1]}{order}"
    elif name == order_of_set or (order is not None and f"|max_order:{order}|" not in card.signature):
        title += f"-{order}"
    elif parsed.metric == "chrf" and parsed.options.get("word_order"):
        title = "chrF++" if parsed.options["word_order"] == 2 else "chrF+"
    elif parsed.metric == "rouge":  # whose score is that of the first type
        title = str(parsed.options.get("types")).partition("+")[0].replace("rouge", "ROUGE-")
    said = ("max_order=", "word_order=", "profile=chrf++", "types=")
    more = [option for option in given.split(",") if option and "=" in option and not option.startswith(said)]
    return f"{title} ({', '.join(more)})" if more else title


def short_signature(text: str) -> str:
    """Return sacrebleu's signature if it says everything, else every number, the tokenizer and what is not the default.

    It ends with the versions of sacrebleu, whose notation it is, and of bleuprint, which computed the score.

    >>> short_signature("gleu.1|lowercase:no|max_order:2|min_order:1|tokenizer:13a#references:1|bleuprint:0.1.0")
    'gleu|max_order:2|min_order:1|tokenizer:13a|references:1|bleuprint:0.1.0'
    >>> from bleuprint import corpus_bleu
    >>> short_signature(corpus_bleu(["a"], ["a"]).signature)
    'bleu|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|sacrebleu:2.6.0|bleuprint:0.1.0'
    """
    fields, _, facts = text.partition("#")
    if fields.startswith("compare|"):
        return "|".join([*(field for field in fields.split("|") if not field.startswith(_USUAL)), facts])
    try:
        recorded = signature.parse(text)
        registry.from_signature(text)
        defaults = registry.resolve(recorded.metric).definition.resolved_options(sentence=False)
    except BleuprintError:  # a model, which a signature only names, or a metric of another version
        return text
    theirs = sacrebleu_signature(text)
    if theirs is not None:
        own = [fact for fact in facts.split("|") if fact.startswith("bleuprint:")]
        return "|".join([recorded.metric, theirs.replace("|version:", "|sacrebleu:"), *own])
    numbers = {name for name, value in recorded.options.items() if type(value) in {int, float}}
    others = {name for name, value in recorded.options.items() if name in _ALWAYS or defaults.get(name) != value}
    shown = {name: recorded.options[name] for name in numbers | others}
    own = signature.write(recorded.metric, recorded.version, shown, {}).split("|")[1:]
    return "|".join(filter(None, [recorded.metric, *own, facts]))


def sacrebleu_signature(written: str) -> str | None:
    """The signature that sacrebleu prints for these options; None if sacrebleu has no such metric or options.

    >>> from bleuprint import corpus_chrf
    >>> sacrebleu_signature(corpus_chrf(["a"], ["a"]).signature)
    'nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0'
    """
    parsed = signature.parse(written)
    references = parsed.facts.get("references", "")
    try:
        definition = registry.from_signature(written).definition
    except BleuprintError:  # of a metric or tokenizer that is not here
        return None
    if parsed.options.get("beta", 2) != 2:
        return None  # sacrebleu's signature does not record beta
    count = int(references) if references.isdigit() else None
    score = definition.score_type(definition, (), False, count, 0.0)
    return getattr(score, "sacrebleu_signature", None)
