"""Serves an H.264 MP4 file with GStreamer's RTSP server, as cameras do, over and over.

Usage: rtsp_server.py MOVIE.mp4 PORT tcp|udp

With port 0 any free one is taken. Prints the port. Who wants the stream, rtsp://…/camera, must log in as
somebody with the password secret (digest). It ends with its standard input.
"""

import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

movie, port, transport = sys.argv[1:]
Gst.init(None)

factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f"( filesrc location={movie} ! qtdemux ! rtph264pay config-interval=-1 name=pay0 )")
factory.set_protocols(
    GstRtsp.RTSPLowerTrans.UDP if transport == "udp" else GstRtsp.RTSPLowerTrans.TCP
)
permissions = GstRtspServer.RTSPPermissions()
for permission in ("media.factory.access", "media.factory.construct"):
    permissions.add_permission_for_role("viewer", permission, True)
factory.set_permissions(permissions)

token = GstRtspServer.RTSPToken()
token.set_string("media.factory.role", "viewer")
authentication = GstRtspServer.RTSPAuth()
authentication.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
authentication.add_digest("somebody", "secret", token)

server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(port)
server.set_auth(authentication)
server.get_mount_points().add_factory("/camera", factory)
server.attach(None)
print(server.get_bound_port(), flush=True)

loop = GLib.MainLoop()
threading.Thread(target=lambda: (sys.stdin.read(), loop.quit()), daemon=True).start()
loop.run()
