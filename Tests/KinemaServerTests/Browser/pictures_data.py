"""What the live page shows in the compared pictures: a fixed session, its history, named sources."""

import base64
import json
import subprocess

# The time of all pictures, and the page's clock.
NOW = "2026-11-20T14:05:11Z"
SIZE = (640, 360)
RATE = 15

LABELS = {"squats": "Squats", "lunges": "Lunges", "plank": "Plank", "push_ups": "Push-ups"}


class Film:
    """A synthetic person who does an exercise: the video, and the exact poses of each frame."""

    def __init__(self, program, folder, action, seed=1):
        self.path = f"{folder}/{action}-{seed}.mp4"
        poses = f"{folder}/{action}-{seed}.jsonl"
        subprocess.run(
            [program, "synth", "--output", self.path, "--poses", poses, "--actions", action,
             "--repetitions", "3", "--fps", str(RATE), "--size", "x".join(map(str, SIZE)),
             "--seed", str(seed)], check=True, capture_output=True)
        with open(poses, encoding="utf-8") as file:
            self.frames = [json.loads(line) for line in file]
        with open(self.path, "rb") as file:
            self.video = file.read()

    @property
    def seconds(self):
        """How long it is."""
        return round(len(self.frames) / RATE, 3)

    def picture(self, index):
        """A frame as JPEG."""
        return subprocess.run(
            ["ffmpeg", "-v", "error", "-i", self.path, "-vf", f"select=eq(n\\,{index})", "-frames:v", "1",
             "-q:v", "2", "-f", "mjpeg", "-"], check=True, capture_output=True).stdout

    def persons(self, index, joints, shift=0.0):
        """The people of a frame as the live protocol has them, moved to the right by a share of it."""
        found = []
        for person in self.frames[index]["persons"]:
            x, y, width, height = person["box"]
            found.append({
                "id": person["id"], "confidence": 0.98, "box": [x + shift, y, width, height],
                "joints": [[person["joints"][name][0] + shift, person["joints"][name][1], 1]
                           for name in joints],
                "action": None, "count": 0, "tempo": None,
                "posture": {"kind": "standing", "probability": 0.94}})
        return found


def action(label, confidence=0.93):
    """What the newest window says."""
    others = [name for name in LABELS if name != label][:2]
    rest = 1 - confidence
    return {"status": "action", "label": label, "text": LABELS[label], "confidence": confidence,
            "top": [[label, confidence], [others[0], round(rest * 0.7, 3)], [others[1], round(rest * 0.2, 3)]]}


def ready(model, settings=None):
    """The session begins."""
    return {"type": "ready", "session": "still", "historyID": 7, "model": model, "frameRate": 30,
            "source": {"kind": "server", "id": "synthetic"},
            "settings": {
                "model": model["id"], "isClassifying": True, "isCounting": True, "countsPairs": False,
                "isLifting": False, "ignoredJoints": [], "confidenceThreshold": None, "stride": None,
                "maximumPersonCount": 2, "isRecording": False, "profile": 1, **(settings or {})}}


def frame(sequence, persons, **values):
    """A frame of somebody who stands ready; `values` change it."""
    return {"type": "frame", "sequence": sequence, "time": sequence * 100.0, "width": SIZE[0],
            "height": SIZE[1], "persons": persons, "prominent": persons[0]["id"] if persons else None,
            "isPinned": False, "hint": None, "hintText": None, "hintParts": [], "dropped": 0,
            "serverTime": 11.2, "action": {"status": "lowConfidence", "label": None,
                                           "text": "Low Confidence", "confidence": 0.3, "top": []},
            "count": 0, "countedLabel": None, "counts": {}, "tempo": None, "activity": "ready", **values}


def working(sequence, persons, label="squats", repetitions=7, seconds=None, **values):
    """A frame of a set under way: of so many repetitions, or held for so many seconds."""
    kind = "counted" if seconds is None else "timed"
    return frame(sequence, persons, action=action(label), activity="set", count=repetitions,
                 countedLabel=label, counts={label: repetitions}, tempo=24.1,
                 set={"id": 2, "label": label, "kind": kind, "repetitions": repetitions,
                      "seconds": seconds or 18.4}, **values)


def bodies(demonstration, joints):
    """A person in three dimensions who does an exercise, frame by frame."""
    left, right = joints.index("leftHip"), joints.index("rightHip")
    found = []
    for frame_joints in demonstration["frames"]:
        middle = [(a + b) / 2 for a, b in zip(frame_joints[left], frame_joints[right])]
        knee = round(100 + 70 * abs(len(found) % 30 - 15) / 15, 1)
        found.append({
            "person": 1, "joints": [[round(value - other, 4) for value, other in zip(joint, middle)] + [0.03]
                                    for joint in frame_joints],
            "floor": round(-middle[1], 4), "angles": {"leftKnee": [knee, 4.2], "rightKnee": [knee - 6, 4.2]}})
    return found


def form(cue="Go lower."):
    """The form of the last repetition."""
    return {"type": "form", "number": 7, "label": "squats", "text": "Squats", "view": "side",
            "verdict": "fault" if cue else "good", "joint": "knee", "bottom": 121.4, "top": 171.2,
            "range": 49.8, "down": 1.2, "hold": 0.3, "up": 0.9, "difference": 4.1,
            "isOneSided": False, "cue": cue, "focus": "knee", "ago": [0.9, 0.1]}


SETS = [
    {"label": "squats", "text": "Squats", "start": 3.0, "end": 34.5, "repetitions": 10, "seconds": 31.5,
     "weight": 20, "form": {"count": 10, "joint": "knee", "bottom": 88.5, "top": 171.2, "range": 82.7,
                            "down": 1.2, "hold": 0.3, "up": 0.9, "difference": 4.1,
                            "cues": [{"text": "Go lower.", "count": 2}]}},
    {"label": "squats", "text": "Squats", "start": 94.0, "end": 121.5, "repetitions": 8, "seconds": 27.5,
     "target": {"repetitions": 10, "set": 2, "sets": 3, "isDone": False}},
    {"label": "plank", "text": "Plank", "start": 180.0, "end": 245.0, "repetitions": 0, "seconds": 65.0}]
ENTRIES = [
    {"label": "plank", "text": "Plank", "isModelLabel": True, "seconds": 65.0, "repetitions": 0},
    {"label": "squats", "text": "Squats", "isModelLabel": True, "seconds": 59.0, "repetitions": 18},
    {"label": "lunges", "text": "Lunges", "isModelLabel": True, "seconds": 21.0, "repetitions": 6}]
STRETCHES = [
    {"start": start, "end": end, "label": label, "text": LABELS[label], "isModelLabel": True, "person": 1,
     "repetitions": repetitions}
    for start, end, label, repetitions in [
        (3.0, 34.5, "squats", 10), (94.0, 121.5, "squats", 8), (130.0, 151.0, "lunges", 6),
        (180.0, 245.0, "plank", 0)]]


def summary(duration=290.0, sets=None):
    """The session so far."""
    return {"type": "summary", "duration": duration, "entries": ENTRIES, "timeline": STRETCHES,
            "sets": SETS if sets is None else sets}


STATISTICS = {"type": "statistics", "cameraFPS": 29.9, "analysedFPS": 29.8, "dropped": 3,
              "latency": {"p50": 38, "p95": 61}, "sessions": 1, "isRecording": True}


def challenge(state):
    """A challenge of two exercises in three sets."""
    def item(label, number, reached, item_state):
        return {"label": label, "text": LABELS[label], "repetitions": 10, "seconds": None,
                "doneRepetitions": reached, "doneSeconds": 3.0 * reached,
                "set": number, "sets": 2 if label == "squats" else 1,
                "weight": 12.5 if label == "squats" else None, "state": item_state}

    second = {"running": (4, "active"), "resting": (0, "active"), "finished": (10, "done")}[state]
    last = (6, "skipped") if state == "finished" else (0, "pending")
    return {"type": "challenge", "state": state, "index": 2 if state == "finished" else 1,
            "items": [item("squats", 1, 10, "done"), item("squats", 2, *second), item("lunges", 1, *last)],
            "rest": {"seconds": 60, "left": 41.3} if state == "resting" else None}


def record(number, day, name=None, duration=290.0, is_open=False):
    """A session of the history."""
    started = f"2026-11-{day:02}T09:30:00Z"
    return {"id": number, "name": name or started, "isNamed": name is not None, "startedAt": started,
            "duration": duration, "model": "Workout", "entries": ENTRIES, "sets": SETS, "isOpen": is_open,
            "hasRecording": False, "profile": 1 if number % 2 else None}


RECORDS = [record(9, 20, is_open=True, duration=93.2), record(8, 19, "Legs and a plank, the long way round"),
           record(7, 17), record(6, 12, "Monday")]


def event(number, kind, source, **values):
    """An event of a named source."""
    return {"schema": 1, "id": f"5f0c0000-0000-0000-0000-00000000000{number}",
            "time": f"2026-11-20T14:0{5 - number}:00Z",
            "source": source, "event": kind, "at": 60.0 * number, **values}


FALL = event(0, "fall", "Hall 2", person=3, posture="fallen",
             why={"speed": 1.4, "angle": 82, "down": 3.5})
EVENTS = [FALL, event(1, "countReached", "Gym", person=1, action="squats", count=10),
          event(2, "entersZone", "Gym", person=2, zone="Mat"),
          event(3, "personEnters", "Front door", person=1)]


def source(name, state="live", persons=(), **values):
    """A named source as the wall shows it."""
    return {"name": name, "address": "rtsp://camera.local", "state": state, "activity": "moving",
            "framesPerSecond": 24.8, "message": None, "frameTime": NOW, "persons": list(persons),
            "action": None, "count": 0, "lying": False, "fallen": False, "zones": {}, "lastEvent": None,
            **values}


def seen(number, doing=None, count=0, posture="standing", zones=()):
    """A person before a named source."""
    return {"id": number, "action": doing, "count": count, "lying": posture == "fallen",
            "posture": posture, "zones": list(zones)}


STATE = {
    "schema": 1, "version": "0.1.0", "time": NOW, "sessions": 1, "waitingEvents": 0,
    "sources": [
        source("Gym", persons=[seen(1, "squats", 12, zones=["Mat"]), seen(2)], action="squats", count=12,
               zones={"Mat": 1}, lastEvent=EVENTS[1]),
        source("Hall 2", persons=[seen(3, posture="fallen")], lying=True, fallen=True, lastEvent=FALL),
        source("Front door", persons=[], lastEvent=EVENTS[3]),
        source("Workshop at the far end of the yard", "stale", message="Workshop is open, but has sent no picture for a while.",
               text={"sourceSilent": {"source": "Workshop"}}, frameTime=None, activity=None, framesPerSecond=None)]}
AREAS = {"zones": [{"name": "Mat", "polygon": [[0.3, 0.5], [0.75, 0.5], [0.8, 0.95], [0.25, 0.95]]}],
         "lines": [{"name": "Door", "from": [0.1, 0.3], "to": [0.1, 0.9]}],
         "masks": [[[0.8, 0.05], [0.97, 0.05], [0.97, 0.3], [0.8, 0.3]]], "minimumHeight": 0}
CAMERAS = {"schema": 1, "cameras": [
    {"name": "Hall camera", "host": "192.168.1.20", "message": None, "streams": [
        {"name": "Main", "address": "rtsp://192.168.1.20:554/Streaming/Channels/101?transportmode=unicast&profile=Profile_1",
         "size": "2560 × 1440"},
        {"name": "Sub", "address": "rtsp://192.168.1.20:554/Streaming/Channels/102", "size": None}]},
    {"name": "IPC-HFW1230S", "host": "192.168.1.31",
     "message": "192.168.1.31 asks for a login: give its ONVIF user and password.", "streams": []}]}
LOG = {"schema": 1, "events": [{"event": one, "picture": number < 2, "acknowledged": number > 1}
                               for number, one in enumerate(EVENTS)]}
ROUTINES = {"routines": [{"name": "Legs", "items": [
    {"label": "squats", "repetitions": 10, "sets": 3, "rest": 60, "weight": 20},
    {"label": "lunges", "repetitions": 8}]}]}
PROFILES = {"profiles": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bartholomew the Younger"}]}


def answers(film):
    """The answers of the live page's interface by their paths, and the definition that each fits."""
    pictures = [("image/jpeg", film.picture(index)) for index in (8, 20, 2, 30)]
    table = {
        "/api/v1/state": (STATE, "watch", "state"), "/api/v1/log": (LOG, "watch", "log"),
        "/api/v1/sources/Gym/areas": (AREAS, "watch", "areas"),
        "POST /api/v1/cameras": (CAMERAS, "watch", "cameras"),
        "/api/v1/profiles": (PROFILES, None, None), "/api/v1/routines": (ROUTINES, None, None),
        "/api/v1/history": ({"total": len(RECORDS), "sessions": RECORDS}, "live", "historyPage"),
        "/api/v1/history/8": ({**RECORDS[1], "timeline": STRETCHES}, "live", "sessionRecord")}
    files = {f"/api/v1/sources/{one['name']}/picture": picture
             for one, picture in zip(STATE["sources"], pictures)}
    files.update({f"/api/v1/log/{one['id']}/picture": picture for one, picture in zip(EVENTS, pictures)})
    return table, files


def messages(film, model, joints, body):
    """Each message that the page is given, for a comparison with the schema."""
    persons = film.persons(0, joints)
    return [ready(model), frame(1, persons), working(1, persons), working(1, persons, "plank", 0, 74.2),
            working(1, persons, body=body), form(), form(None), summary(), STATISTICS,
            *(challenge(state) for state in ("running", "resting", "finished"))]


def packed(jpeg):
    """A picture as text, for the page."""
    return base64.b64encode(jpeg).decode()
