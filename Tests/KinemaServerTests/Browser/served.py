"""A server of a step's own, which can be killed and started again."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager

from browser import Failure


class Server:
    """A running `kinema studio`; its address stays the same when it is started again."""

    def __init__(self, options, folder, arguments=()):
        self.options = options
        self.folder = folder
        self.arguments = list(arguments)
        self.data = os.path.join(folder, "data")
        self.port = "0"
        self.process = None
        self.start()

    def start(self):
        """Starts it and waits for its address."""
        log = os.path.join(self.folder, "output")
        with open(log, "w", encoding="utf-8") as output:
            self.process = subprocess.Popen(
                [self.options.program, "studio", *self.arguments, "--port", self.port, "--data", self.data,
                 "--folder", self.folder], stdout=output, stderr=subprocess.STDOUT)
        for _ in range(600):
            with open(log, encoding="utf-8") as output:
                found = re.search(r"http://[^\s]*:(\d+)/", output.read())
            if found or self.process.poll() is not None:
                break
            time.sleep(0.1)
        if not found:
            raise Failure("the server printed no address")
        self.url, self.port = found.group(0), found.group(1)

    def kill(self):
        """Ends it as `kill -9` does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def put(self, project, files):
        """Puts files into a project's sources, as its owner may."""
        for file in files:
            shutil.copy(file, os.path.join(self.data, "projects", project, "sources"))


@contextmanager
def server(options):
    """A server for one step, with a data folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        own = Server(options, folder)
        try:
            yield own
        finally:
            own.process.terminate()
            own.process.wait()
