"""An operator with HTTPS, under a name from a DNS server, which also has an IPv6 address at which nothing listens."""
import socket
import ssl

from lab import *

NAME = "operator.example"
ADDRESSES = {1: socket.inet_pton(socket.AF_INET, "127.0.0.1"), 28: socket.inet_pton(socket.AF_INET6, "::1")}  # by type: A, AAAA
queried = []  # types of records


class Named(Operator):
    @property
    def url(self):
        return f"https://{NAME}:{self.port}"


def serve():
    """Responds to every query of NAME with its addresses, to others that there are none (RFC 1035, section 4)."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    while True:
        query, client = server.recvfrom(512)
        end = query.index(b"\0", 12) + 5
        name, kind = query[12:end - 4], struct.unpack(">H", query[end - 4:end - 2])[0]
        is_known = name == b"".join(bytes([len(part)]) + part.encode() for part in NAME.split(".")) + b"\0" and kind in ADDRESSES
        queried.append(kind)
        record = struct.pack(">HHHIH", 0xC00C, kind, 1, 60, len(ADDRESSES[kind])) + ADDRESSES[kind] if is_known else b""
        server.sendto(query[:2] + struct.pack(">HHHHH", 0x8180, 1, is_known, 0, 0) + query[12:end] + record, client)


note("installed", install_board())
operator, bus = Named(), Bus()
threading.Thread(target=serve, daemon=True).start()
run("echo nameserver 127.0.0.1 >/etc/resolv.conf")
# A certificate of its own, which the guest trusts.
run(f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /tmp/key.pem -out /tmp/certificate.pem -days 2 "
    f"-subj /CN={NAME} -addext subjectAltName=DNS:{NAME} 2>/dev/null && cat /tmp/certificate.pem >>/etc/ssl/certs/ca-certificates.crt")
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain("/tmp/certificate.pem", "/tmp/key.pem")
operator.server.socket = tls.wrap_socket(operator.server.socket, server_side=True)
configure(operator)
start()
check("the picture is right", bus.wait(lambda picture: is_right(picture, operator), 15), bus.text())
check("the name was resolved by the DNS server", {1, 28} <= set(queried), queried)
finish()
