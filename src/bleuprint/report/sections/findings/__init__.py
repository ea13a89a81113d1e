"""What the page says first: three sentences at most, each with a link to its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from bleuprint.report.figures import join_names
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.replay import rank_systems
from bleuprint.report.sections.buckets import bucket_values
from bleuprint.report.sections.history import History, changes
from bleuprint.report.sections.scores import intervals
from bleuprint.report.sections.scores.sweep import sweeps_of
from bleuprint.report.sections.systems.compared import comparison_of
from bleuprint.results import Result
from bleuprint.results.comparison import flips_in_words
from bleuprint.runners.guards import unknown_share

_MOST = 3
_NAMED = 3  # systems that a sentence names before it counts the others
_SHORT = 0.95  # a brevity penalty below this is worth a sentence
_SMALLEST = 10  # segments of a bucket that is worth a sentence


Finding = tuple[str, str]  # a sentence, and the section that shows it


def find(page: Page) -> tuple[Finding, ...]:
    """The first findings that the result allows."""
    return tuple(islice(_findings(page), _MOST)) if page.metrics else ()


def _findings(page: Page) -> Iterator[Finding]:
    result, head = page.result, page.metrics[0]
    yield _standing(result, head)
    yield from _flips(result, head)
    if page.history is not None:
        yield from _since(page.history, head)
    little = {score.metric for system in result.systems for score in system.scores if unknown_share(score)}
    others = [other for other in page.metrics[1:] if other.name not in little]
    if len(result.systems) > 1 and others:
        yield _agreement(result, head, others)
    yield from _short(result, head)
    yield from _weakest(page, head)


def _standing(result: Result, head: MetricHead) -> Finding:
    """Who leads, and whether that may be chance; with which alpha, if another would give another order."""
    order = rank_systems(result, head.name)
    best, others = order[0], order[1:]
    value, other = head.digits(best.score(head.name).value), ""
    for sweep in sweeps_of(result):
        if sweep.metric == head.name:
            value = f"{value}, alpha {sweep.alpha:g}"
            leaders = dict.fromkeys(name for name, _, _ in sweep.winners() if name != best.name)
            other = f" With another alpha, {' or '.join(leaders)} leads." if leaders else ""
    if not others:
        interval = intervals(result, head.name).get(best.name)
        if interval is None:
            return f"{best.name} reaches {head.name} {value}.", "scores"
        ends = f"{head.digits(interval[0])} to {head.digits(interval[1])}"
        text = f"{best.name} reaches {head.name} {value}; the {100 * interval[2]:g} % confidence interval is {ends}."
        return text, "scores"
    compared = comparison_of(result, head.name)
    if compared is None:
        return f"{best.name} has the best {head.name}, {value}. The differences were not tested.{other}", "scores"
    pairs = {system.name: compared.find_pair(best.name, system.name) for system in others}
    tied = [name for name, pair in pairs.items() if pair is not None and pair.better is None]
    if not tied:
        whom = (
            others[0].name if len(others) == 1 else "both others" if len(others) == 2 else f"all {len(others)} others"
        )
        text = f"{best.name} leads in {head.name} ({value}), ahead of {whom} beyond chance.{other}"
    else:
        rivals = join_names(tied, _NAMED)
        text = f"{best.name} leads in {head.name} ({value}), but {rivals} cannot be told apart from it.{other}"
    return text, "systems"


def _flips(result: Result, head: MetricHead) -> Iterator[Finding]:
    """Which items only one of two systems passes."""
    compared = comparison_of(result, head.name)
    for pair in () if compared is None or len(result.systems) != 2 else compared.pairs:
        if sentence := flips_in_words(pair):
            yield sentence, "items"


def _since(history: History, head: MetricHead) -> Iterator[Finding]:
    """What the best system gained or lost since the run before."""
    best = rank_systems(history.latest, head.name)[0]
    for change in changes(history, head):
        if change.name == best.name and change.before is not None:
            text = f"Since {list(history.earlier)[-1]}, {best.name} changed by {change.difference}: {change.words}."
            yield text, "history"


def _agreement(result: Result, first: MetricHead, others: Sequence[MetricHead]) -> Finding:
    """Whether the other metrics put the same system first."""
    best = rank_systems(result, first.name)[0].name
    leaders = {head.name: rank_systems(result, head.name)[0].name for head in others}
    leads = result.system(best)
    differing = {
        name: leader
        for name, leader in leaders.items()
        if result.system(leader).score(name).value != leads.score(name).value
    }
    if not differing:
        also = f"{join_names([head.name for head in others], _NAMED)} also {'puts' if len(others) == 1 else 'put'}"
        return f"The metrics agree: {also} {best} first.", "scores"
    named = join_names([f"{name} puts {leader} first" for name, leader in differing.items()], _NAMED)
    return f"The metrics disagree: {named}.", "scores"


def _short(result: Result, head: MetricHead) -> Iterator[Finding]:
    """The system whose outputs are too short, if the brevity penalty says so."""
    penalties = {
        system.name: penalty
        for system in result.systems
        if isinstance(penalty := system.score(head.name).parts.get("brevity_penalty"), float)
    }
    if penalties and min(penalties.values()) < _SHORT:
        name = min(penalties, key=penalties.__getitem__)
        loss = 100 * (1 - penalties[name])
        text = f"The outputs of {name} are too short: the brevity penalty takes {loss:.0f} % of its {head.name}."
        yield text, "origin"


def _weakest(page: Page, head: MetricHead) -> Iterator[Finding]:
    """The part of the corpus in which the best system is furthest below its score."""
    best = rank_systems(page.result, head.name)[0]
    if not page.result.has_texts:
        return
    whole, sign = best.score(head.name).value, 1 if head.higher_is_better else -1
    lowest = None
    for grouping in page.groupings:
        for place, value in enumerate(bucket_values(page.result, best, head.name, grouping)):
            size = grouping.of.count(place)
            if size >= _SMALLEST and (lowest is None or sign * value < sign * lowest[0]):
                lowest = value, grouping.name, grouping.labels[place], size
    if lowest is None or sign * (whole - lowest[0]) <= 0:
        return
    value, name, label, size = lowest
    what = f"{name} {label}" if name != "length" else f"references of {label} tokens"
    text = f"{best.name} is weakest on {what}: {head.name} {head.digits(value)} over {size:,} segments."
    yield text, "buckets"
