"""What the scripts beside this one share: pieces of work, whose outcomes a test compares."""

import dataclasses
import enum
import json
import os
import sys
import traceback
from datetime import datetime

_outcomes = {}


def work(function):
    """Does a piece of work at once; its outcome goes by the name of the function.

    The outcome is what it returns, or ``{"error": class, "message": text}``.
    """
    try:
        outcome = plain(function())
    except BaseException as error:  # also the SystemExit of a command line
        traceback.print_exc()
        outcome = {"error": type(error).__name__, "message": str(error)}
    _outcomes[function.__name__] = outcome
    return function


def outcome_of(function):
    """What a piece of work came to."""
    return _outcomes[function.__name__]


def plain(value):
    """A value as JSON has it: members of classes by name, times as text."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


#: What the test has handed over.
given = json.load(sys.stdin)

# Clients write to standard output, some past `sys`; only the outcomes belong there.
_stdout = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def report():
    """Hands the outcomes over; the last line of a script."""
    json.dump(_outcomes, _stdout, default=str)
    _stdout.flush()
