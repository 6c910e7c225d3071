"""An HTTP server on loopback for tests and measurements."""
import contextlib
import gzip
import http.server
import json
import os
import socket
import ssl
import subprocess
import sys
import threading


class Server:
    """Serves in threads. A subclass has `respond(handler)`. `tls`: the files of certificate and key: it serves https."""

    def __init__(self, port=0, tls=None):
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version, wbufsize = "HTTP/1.1", -1  # a response in one piece, as real servers send small ones

            def do_GET(self):
                owner.respond(self)

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True
            connections = set()

            def process_request(self, request, address):
                self.connections.add(request)
                super().process_request(request, address)

            def shutdown_request(self, request):
                self.connections.discard(request)
                super().shutdown_request(request)

            def handle_error(self, *request):
                if not isinstance(sys.exc_info()[1], OSError):  # a client has closed its connection
                    super().handle_error(*request)

        self.server = Listener(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            # The thread of the connection shakes hands.
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @staticmethod
    def send(handler, body, status=200, kind="application/json", level=None):
        """`body`: bytes, or a value for JSON. `level`: of gzip; None: it is not compressed."""
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        if level is not None:
            body = gzip.compress(body, level)
            handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def close(self):
        """Ends the server, and its connections: a browser opens some before it needs them."""
        self.server.shutdown()
        self.server.server_close()
        for connection in list(self.server.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def make_certificate(folder, host, name):
    """Writes a self-signed certificate for a host as NAME.pem and its key as NAME-key.pem. Returns both paths."""
    certificate, key = os.path.join(folder, f"{name}.pem"), os.path.join(folder, f"{name}-key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={host}", "-addext",
                    f"subjectAltName=DNS:{host}", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key
