import Testing

/// All tests that open sockets, one after the other: their clients and servers share few threads.
@Suite("The server and its clients", .serialized)
enum SocketRealTimeTests {}
