#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads traces with a parser that is not rill's, and checks what the format of trace events
asks of each event."""
import collections
import json
import sys

NEEDED = {
    "M": {"name": str, "pid": int},
    "X": {"name": str, "cat": str, "pid": int, "tid": int, "ts": (int, float),
          "dur": (int, float)},
    "s": {"name": str, "cat": str, "pid": int, "tid": int, "ts": (int, float), "id": int},
    "f": {"name": str, "cat": str, "pid": int, "tid": int, "ts": (int, float), "id": int,
          "bp": str},
}
NAMES = {"process_name", "thread_name", "process_sort_index", "thread_sort_index", "trace"}


def fail(event, why):
    sys.exit(f"{why}: {json.dumps(event)}")


def ns(us):
    return round(us * 1000)


def check_event(event):
    for key, kind in NEEDED.get(event.get("ph"), {"a known phase": None}).items():
        if key not in event or not isinstance(event[key], kind):
            fail(event, f"there is no good {key}")
    if event["ph"] == "M" and event["name"] not in NAMES:
        fail(event, "no viewer knows this name")
    if event.get("dur", 0) < 0 or event.get("ts", 0) < 0:
        fail(event, "time goes back")
    if event.get("id", 0) >= 2 ** 53:
        fail(event, "JavaScript has no such number")


def check_row(events):
    """Events of a row are behind each other, or within each other."""
    open_ends = []
    for event in sorted(events, key=lambda e: (ns(e["ts"]), -ns(e["dur"]))):
        begin, end = ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        if open_ends and open_ends[-1] < end:
            fail(event, "this overlaps the one before it")
        open_ends.append(end)


def check_arrows(events, rows):
    ends = collections.defaultdict(list)
    for event in events:
        ends[event["cat"], event["id"]].append(event)
        around = [x for x in rows[event["pid"], event["tid"]]
                  if ns(x["ts"]) <= ns(event["ts"]) <= ns(x["ts"]) + ns(x["dur"])]
        if not around:
            fail(event, "there is nothing where this arrow ends")
    for arrow in ends.values():
        if sorted(e["ph"] for e in arrow) != ["f", "s"]:
            fail(arrow, "an arrow has two ends")


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            events = json.load(file)
        rows = collections.defaultdict(list)
        named = set()
        for event in events:
            check_event(event)
            if event["ph"] == "X":
                rows[event["pid"], event["tid"]].append(event)
            if event["name"] == "thread_name":
                named.add((event["pid"], event["tid"]))
        for row, spans in rows.items():
            if row not in named:
                fail(spans[0], "its row has no name")
            check_row(spans)
        if len(events) < 5000:
            check_arrows([e for e in events if e["ph"] in "sf"], rows)
        print(f"{len(events)} events in {len(rows)} rows")


main()
