"""Where this machine can be reached: its addresses in the house, and a free port."""

import contextlib
import ipaddress
import socket
import struct
import sys

from companion.app.serving import DEFAULT_PORT, EVERYWHERE
from companion.errors import UsageError

_PORTS_TRIED = 50

_PROBES = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "198.51.100.1")
"""Somewhere in each range that houses use, and somewhere outside: asking for the way there sends nothing."""


def lan_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine in its networks, the most likely one first; empty without a network."""
    found: dict[str, None] = {}
    for probe in reversed(_PROBES):
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.connect((probe, 9))
            found[udp.getsockname()[0]] = None
    with contextlib.suppress(OSError):
        found.update(dict.fromkeys(socket.gethostbyname_ex(socket.gethostname())[2]))
    found.update(dict.fromkeys(_of_interfaces()))
    return tuple(address for address in found if _is_of_a_house(address))


def _is_of_a_house(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_unspecified or ip.is_multicast)


def _of_interfaces() -> list[str]:
    """The address of each network card; only Linux tells it in this way."""
    found: list[str] = []
    if sys.platform == "linux":
        import fcntl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            for _, name in socket.if_nameindex():
                with contextlib.suppress(OSError):  # a card without an address
                    request = struct.pack("256s", name.encode()[:15])
                    found.append(socket.inet_ntoa(fcntl.ioctl(udp.fileno(), 0x8915, request)[20:24]))  # SIOCGIFADDR
    return found


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on a free port: the one that was named, or the first free one from `DEFAULT_PORT` on.

    Raises UsageError `port_taken` (`port`), `port_forbidden` (`port`) or `host_unknown` (`host`).
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise UsageError("host_unknown", host=host) from error
    wanted = [port] if port is not None else range(DEFAULT_PORT, DEFAULT_PORT + _PORTS_TRIED)
    for number in wanted:
        sock = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":  # where it would let two servers share one port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((address[0], number, *address[2:]))
            sock.listen(128)
        except PermissionError as error:
            sock.close()
            raise UsageError("port_forbidden", port=number) from error
        except OSError as error:
            sock.close()
            if number == wanted[-1]:
                if error.errno in _NO_SUCH_ADDRESS:
                    raise UsageError("host_unknown", host=host) from error
                raise UsageError("port_taken", port=number) from error
        else:
            return sock
    raise AssertionError("no port was tried")


_NO_SUCH_ADDRESS = (99, 49, 10049)
"""EADDRNOTAVAIL on Linux, macOS, Windows."""


def urls(host: str, port: int, secure: bool, addresses: tuple[str, ...]) -> tuple[str, ...]:
    """What other phones can type; empty when only this machine can come in."""
    scheme = "https" if secure else "http"
    if host in (EVERYWHERE, "", "::"):
        return tuple(f"{scheme}://{address}:{port}" for address in addresses)
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host).is_loopback:
            return ()
    if host == "localhost":
        return ()
    return (f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}",)
