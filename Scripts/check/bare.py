"""Debian systems without anything of Kinema's, for what has to work on a fresh machine.

As root, in a mount namespace of its own, so that the mounts vanish with the process.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path


def enter_namespace(otherwise: str = "") -> None:
    """Starts the script again where its mounts concern nobody else.

    Where something is missing it ends with a sentence; `otherwise` says how to do without the script."""
    name = Path(sys.argv[0]).stem
    if os.geteuid() != 0:
        sys.exit(f"{name}: this takes root, for the Debian systems in which it works{otherwise}.")
    if shutil.which("debootstrap") is None:
        sys.exit(f"{name}: `debootstrap` is missing; install Debian's package of that name{otherwise}.")
    if os.environ.get("IN_NAMESPACE") is None:
        os.environ["IN_NAMESPACE"] = "yes"
        os.execvp("unshare", ["unshare", "--mount", "--", sys.executable, *sys.argv])


class Bare:
    """A Debian as debootstrap makes it, with a few packages more; each begins anew, from one that is kept."""

    def __init__(
        self, suite: str, packages: str, folder: Path, path: str, architecture: str = "",
        installed: str = "",
    ) -> None:
        """`packages` with commas between them come with the system; `installed`, with spaces, are what apt
        adds with all that they need. `path` is the `PATH` of commands inside. Another `architecture` than
        this machine's is emulated."""
        name = f"{suite}-{architecture}" if architecture else suite
        base = folder / f"{name}-base"
        self.variables = {"PATH": path, "HOME": "/root"}
        folder.mkdir(parents=True, exist_ok=True)
        # Another run would remove the system under this one; held until the process ends.
        self._lock = (folder / f"{name}.lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit(f"{Path(sys.argv[0]).stem}: another run uses the system {self._lock.name[:-5]}; wait for its end.")
        contents = f"{packages} {installed}"
        mark = base / "complete"
        if not mark.exists() or mark.read_text() != contents:
            subprocess.run(["rm", "-rf", "--one-file-system", base], check=True)
            command = ["debootstrap", "--variant=minbase", f"--include={packages}"]
            command += [f"--arch={architecture}"] if architecture else []
            subprocess.run([*command, suite, base], check=True, stdout=subprocess.DEVNULL)
            if installed:
                self._begin(base)
                self.run(
                    "apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq "
                    f"--no-install-recommends {installed}; apt-get clean")
                subprocess.run(["umount", "--recursive", base / "proc", base / "dev", base / "sys"], check=True)
            mark.write_text(contents)
        self.root = folder / name
        subprocess.run(["rm", "-rf", "--one-file-system", self.root], check=True)
        subprocess.run(["cp", "-a", base, self.root], check=True)
        self._begin(self.root)
        self.pip_variables = {k: v for k, v in os.environ.items() if k.startswith("PIP_")}
        for name in ("PIP_CERT", "PIP_FIND_LINKS"):
            file = self.pip_variables.pop(name, None)
            if file and Path(file).is_file():
                shutil.copy(file, self.root / "tmp")
                self.pip_variables[name] = f"/tmp/{Path(file).name}"

    def _begin(self, root: Path) -> None:
        self.root = root
        for kind in ("proc", "dev"):
            source = ["-t", "proc", "proc"] if kind == "proc" else ["--rbind", "/dev"]
            subprocess.run(["mount", *source, root / kind], check=True)
        # OpenVINO's plugin for 64-bit ARM reads the processor's description there, and crashes without it.
        self.mount(Path("/sys"), "/sys")
        shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")

    def mount(self, folder: Path, place: str, isWritable: bool = False) -> None:
        """Shows a folder of this machine inside, for reading or for writing too."""
        target = self.root / place.lstrip("/")
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "--rbind", folder, target], check=True)
        if not isWritable:
            subprocess.run(["mount", "-o", "remount,bind,ro", target], check=True)

    def arguments(self, command: str) -> list[str]:
        return ["chroot", str(self.root), "/bin/sh", "-ec", command]

    def run(self, command: str, expected: int = 0, fetches: bool = False) -> str:
        """Runs a command line inside; returns what it printed."""
        environment = self.variables | (self.pip_variables if fetches else {})
        outcome = subprocess.run(
            self.arguments(command), env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        if outcome.returncode != expected:
            name = Path(sys.argv[0]).stem
            sys.exit(f"{name}: `{command}` ended with {outcome.returncode}:\n{outcome.stdout[-6000:]}")
        return outcome.stdout
