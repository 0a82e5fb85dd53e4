"""What Studio shows in the compared pictures: a project with clips, runs and their evaluation, fixed."""

from pictures_data import NOW

PROJECT = "gym"
PATH = f"/api/v1/studio/projects/{PROJECT}"
CLASSES = ["squats", "jumping_jacks", "other_action"]
KINDS = {"squats": "counted", "jumping_jacks": "counted", "other_action": "none"}
PARAMETERS = {"duration": 2.0, "frameRate": 15, "iterations": 80, "batchSize": 32, "augmentation": "default",
              "algorithm": "tcn", "validation": "auto", "seed": 1}

EMPTY = {"items": 0, "seconds": 0, "classes": [], "findings": []}


def project(name, number, state="idle", items=18):
    """A project of the list."""
    return {"id": name.lower().split()[0], "name": name, "created": "2026-11-02T10:00:00Z",
            "modified": f"2026-11-{number:02}T16:20:00Z", "classes": CLASSES if items else [], "kinds": KINDS,
            "items": items, "seconds": items * 7.5, "runs": 3 if items else 0, "state": state}


PROJECTS = {"projects": [project("Gym", 19), project("Physiotherapy exercises of the knee after surgery", 12,
                                                     "training", 240), project("New", 3, items=0)],
            "deleted": [{"id": "old", "name": "First attempt", "deleted": "2026-11-15T08:00:00Z"}]}
FINDINGS = [
    {"severity": "error", "kind": "leak", "message": "squats-1.mp4 is in training and validation.",
     "file": "squats-1.mp4"},
    {"severity": "warning", "kind": "smallClass", "message": "jumping_jacks has 3 clips; 10 or more are better."},
    {"severity": "warning", "kind": "shortClip", "message": "jacks.mp4 is shorter than a window.",
     "file": "jacks.mp4"},
    {"severity": "warning", "kind": "lowFrameRate", "message": "squats-2.mp4 has 15 frames a second.",
     "file": "squats-2.mp4"}]


def well(*counts, findings=()):
    """A well with so many clips of each class."""
    return {"items": sum(counts), "seconds": 7.5 * sum(counts), "findings": list(findings),
            "classes": [{"label": label, "kind": KINDS[label], "items": count, "seconds": 7.5 * count}
                        for label, count in zip(CLASSES, counts) if count]}


def detail(empty=False):
    """The project itself."""
    wells = {"training": well(8, 3, 4, findings=FINDINGS), "validation": well(2, 1),
             "testing": EMPTY, "leftOut": well(1)}
    return {"id": PROJECT, "name": "Gym", "created": "2026-11-02T10:00:00Z", "modified": NOW,
            "parameters": {"iterations": 80}, "effective": PARAMETERS,
            "metadata": {"author": "Ada", "license": "CC BY 4.0", "description": "Squats and jumping jacks.",
                         "version": "1"},
            "wells": {name: EMPTY for name in wells} if empty else wells, "checking": False,
            "media": 0 if empty else 2, "readOnly": False,
            "estimate": None if empty else {"extractionSeconds": 0, "trainingSeconds": 95}}


def files(films):
    """The names of the project's videos, and their films."""
    return dict(zip(("squats-1.mp4", "jacks.mp4"), films))


def item(number, file, label, start=None, end=None, seconds=7.4):
    """A clip."""
    return {"id": f"item{number}", "well": "training", "file": file, "label": label, "start": start,
            "end": end, "seconds": seconds if end is None else end - start, "person": "Ada" if number == 0 else None,
            "kind": "video", "playable": True, "problem": None}


ITEMS = [item(0, "squats-1.mp4", "squats"), item(1, "squats-1.mp4", "squats", 1.0, 3.5),
         item(2, "jacks.mp4", "jumping_jacks"), item(3, "jacks.mp4", "jumping_jacks", 0.5, 2.5),
         item(4, "squats-1.mp4", "other_action", 4.0, 6.0)]
SEGMENTS = {"version": "still", "segments": [
    {"id": "item1", "label": "squats", "start": 1.0, "end": 3.5, "well": "training"},
    {"id": "item4", "label": "other_action", "start": 4.0, "end": 6.0, "well": "training"}]}


def run(number, state, fraction=1.0, message=None, training=0.98, validation=0.91, snapshots=()):
    """A training run."""
    iteration = round(80 * fraction) if state != "failed" else 0
    is_over = state in ("done", "stopped")
    return {"id": number, "name": f"Run {number}", "created": f"2026-11-{16 + number:02}T20:00:00Z", "state": state,
            "parameters": PARAMETERS, "classes": CLASSES,
            "progress": {"fraction": fraction, "secondsLeft": None if is_over else 47.0,
                         "iteration": iteration, "iterationCount": 80},
            "best": 71 if is_over else None, "hasModel": is_over,
            "summary": {"training": training if is_over else None, "validation": validation if is_over else None,
                        "testing": None},
            "leaveOneOut": None, "message": message,
            "notes": ["The validation set has 3 clips: its figures vary by several percent."] if is_over else [],
            "findings": [], "snapshots": [{"iteration": one, "created": "2026-11-18T20:01:00Z", "bytes": 324_112}
                                          for one in snapshots]}


def history(count):
    """The curves of a run after so many epochs."""
    return [{"iteration": number, "trainingLoss": round(1.1 * 0.95 ** number + 0.05, 4),
             "trainingAccuracy": round(1 - 0.62 * 0.94 ** number, 4),
             "validationLoss": round(1.15 * 0.957 ** number + 0.14 + 0.03 * (number % 3), 4),
             "validationAccuracy": round(0.93 - 0.58 * 0.95 ** number - 0.01 * (number % 4), 4)}
            for number in range(1, count + 1)]


FAILED = run(1, "failed", message="squats-1.mp4 cannot be read: the file ends before its first frame.")
DONE = run(2, "done", snapshots=[40])
TRAINING = run(3, "training", 0.4)
RUNS = [TRAINING, DONE, FAILED]

MATRIX = [[92, 5, 3], [4, 61, 2], [6, 1, 47]]


def scores(divisor):
    """Figures of a level; one has fewer examples than another."""
    matrix = [[value // divisor for value in row] for row in MATRIX]
    classes = []
    for place, label in enumerate(CLASSES):
        support, found = sum(matrix[place]), sum(row[place] for row in matrix)
        precision, recall = matrix[place][place] / found, matrix[place][place] / support
        classes.append({"label": label, "precision": round(precision, 3), "recall": round(recall, 3),
                        "f1": round(2 * precision * recall / (precision + recall), 3), "support": support})
    right = sum(matrix[place][place] for place in range(3))
    return {"accuracy": round(right / sum(map(sum, matrix)), 3), "matrix": matrix, "classes": classes}


def example(number, label, predicted, confidence, file="squats-1.mp4", is_window=True):
    """A window, or a clip as a whole."""
    found = {"item": f"item{number}", "file": file, "start": 1.0 + number * 0.5, "end": 3.0 + number * 0.5,
             "label": label, "predicted": predicted, "confidence": confidence}
    if is_window:
        found.update(frames=30, probabilities={one: confidence if one == predicted else (1 - confidence) / 2
                                               for one in CLASSES})
    return found


EVALUATION = {
    "labels": CLASSES, "accuracy": 0.905, "frames": scores(1), "windows": scores(2), "videos": scores(3),
    "calibration": {"error": 0.042, "bins": [
        {"confidence": center, "accuracy": round(center - 0.05 + 0.02 * (number % 3), 3), "count": 12 * number}
        for number, center in enumerate((0.45, 0.55, 0.65, 0.75, 0.85, 0.95), 1)]},
    "clips": [example(0, "squats", "squats", 0.97, is_window=False),
              example(2, "jumping_jacks", "squats", 0.58, "jacks.mp4", is_window=False)],
    "examples": [example(0, "squats", "squats", 0.97), example(1, "squats", "jumping_jacks", 0.61),
                 example(2, "jumping_jacks", "jumping_jacks", 0.99, "jacks.mp4"),
                 example(4, "other_action", "squats", 0.74)],
    "mistakes": [example(4, "other_action", "squats", 0.74), example(1, "squats", "jumping_jacks", 0.61)]}


def timeline(seconds):
    """What the model predicts along a video."""
    windows = []
    for number in range(int(seconds / 0.5)):
        label = "squats" if number < 9 else "other_action"
        confidence = 0.55 + 0.04 * (number % 10)
        windows.append({"start": number * 0.5, "end": number * 0.5 + 0.5, "status": "action", "label": label,
                        "confidence": round(confidence, 3),
                        "probabilities": {one: round(confidence if one == label else (1 - confidence) / 2, 3)
                                          for one in CLASSES}})
    return {"windowSeconds": 2.0, "frameRate": 15, "windows": windows,
            "repetitions": [{"start": at, "end": at + 2.4} for at in (0.1, 2.5, 4.9)]}


OUTPUT = {
    "bytes": 324_112, "classes": CLASSES, "windowSize": 30, "frameRate": 15, "duration": 2.0,
    "metadata": {"author": "Ada", "license": "CC BY 4.0", "description": "Squats and jumping jacks.", "version": "1"},
    "layers": [{"kind": "convolution", "count": 12}, {"kind": "innerProduct", "count": 1}, {"kind": "softmax", "count": 1}],
    "snippets": {"python": 'import kinema\nprint(kinema.classify("workout.mp4", model="Gym.mlmodel").label)',
                 "swift": 'import CoreML\nlet model = try Gym(configuration: .init())',
                 "shell": "kinema classify workout.mp4 --model Gym.mlmodel"}}
FOLDER = {"path": "/videos", "folders": ["squats", "jumping jacks", "recordings of a year with a long name"], "files": 3,
          "contents": [{"name": "annotations.csv", "path": "/videos/annotations.csv", "kind": "annotations", "bytes": 2310},
                       {"name": "monday.mp4", "path": "/videos/monday.mp4", "kind": "video", "bytes": 48_200_311}]}
TAKES = {"takes": [
    {"id": "take1", "label": "squats", "state": "done", "fraction": 1, "file": "squats-1.mp4",
     "items": [ITEMS[1]], "repetitions": [{"start": 1.0, "end": 3.5}], "message": None}]}
UPLOADS = {"uploads": []}


def poses(film, joints, bodies):
    """The people of each frame of a film, and somebody in three dimensions."""
    return {"joints": joints, "frames": [
        {"time": round(frame["time"], 4), "people": [
            {"id": person["id"], "points": [value for name in joints for value in person["joints"][name]]}
            for person in frame["persons"]], "body": bodies[number % len(bodies)]}
        for number, frame in enumerate(film.frames)]}


def media(films):
    """The project's videos."""
    return {"media": [{"file": name, "seconds": film.seconds, "width": 640, "height": 360, "frameRate": 15,
                       "kind": "video", "bytes": len(film.video), "items": 3, "extracted": True, "problem": None}
                      for name, film in files(films).items()]}


def answers(films, joints, bodies):
    """The answers of Studio's interface by their paths with the definition that each fits, and its files."""
    found = files(films)
    table = {
        "/api/v1/studio/projects": (PROJECTS, "projectList"), PATH: (detail(), "projectDetail"),
        f"{PATH}/items": ({"total": len(ITEMS), "items": ITEMS}, "itemPage"),
        f"{PATH}/media": (media(films), "mediaList"), f"{PATH}/annotations": (SEGMENTS, "annotations"),
        f"{PATH}/uploads": (UPLOADS, "uploadList"), f"{PATH}/takes": (TAKES, "takeList"),
        f"{PATH}/jobs": ({"extraction": {"state": "idle", "fraction": 0, "secondsLeft": None, "file": None,
                                         "message": None}}, "jobs"),
        f"{PATH}/suggestions": ({"segments": [{"start": 3.6, "end": 3.9, "label": "squats", "confidence": 0.7,
                                               "count": 2, "kind": "repetitions"}]}, "suggestions"),
        f"{PATH}/runs": ({"runs": RUNS}, "runList"),
        f"{PATH}/runs/1": ({**FAILED, "history": []}, "run"),
        f"{PATH}/runs/2": ({**DONE, "history": history(80)}, "run"),
        f"{PATH}/runs/3": ({**TRAINING, "history": history(32)}, "run"),
        f"{PATH}/runs/2/evaluation": (EVALUATION, "evaluation"),
        f"{PATH}/runs/2/timeline": (timeline(films[0].seconds), "timeline"),
        f"{PATH}/runs/2/output": (OUTPUT, "output"), "/api/v1/studio/folders": (FOLDER, "folder"),
        "/api/v1/studio/projects/new": (detail(empty=True), "projectDetail")}
    for name in ("items", "media", "uploads", "takes", "jobs", "runs"):
        empty, kind = {"items": ({"total": 0, "items": []}, "itemPage"), "media": ({"media": []}, "mediaList"),
                       "runs": ({"runs": []}, "runList")}.get(name, table[f"{PATH}/{name}"])
        table[f"/api/v1/studio/projects/new/{name}"] = ({"takes": []} if name == "takes" else empty, kind)
    by_file = {name: poses(film, joints, bodies) for name, film in found.items()}
    table[f"{PATH}/poses"] = (by_file["squats-1.mp4"], "poses")
    served = {f"{PATH}/media/{name}": ("video/mp4", film.video) for name, film in found.items()}
    served[f"{PATH}/poses"] = lambda query: by_file.get(query.get("file"))
    return table, served
