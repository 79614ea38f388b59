"""A certificate of one's own making for `--https`: for this machine's names and addresses, and nobody else's."""

import contextlib
import datetime
import ipaddress
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.errors import StorageError, UsageError

_VALID_DAYS = 397
"""Phones refuse certificates that are valid for much longer."""
_RENEW_DAYS = 14


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files that the server needs."""

    cert: Path
    key: Path
    """Readable by its owner only."""
    fingerprint: str
    """SHA-256 of the certificate, as browsers show it."""


def own_certificate(folder: Path, addresses: Sequence[str]) -> Certificate:
    """The certificate in `folder`, made anew when it lacks an address or is about to end.

    Raises UsageError `https_needs_extra` without the package `cryptography`, StorageError when it cannot be written.
    """
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
    except ImportError as error:
        raise UsageError("https_needs_extra") from error
    cert_path, key_path = folder / "certificate.pem", folder / "key.pem"
    names = sorted({"localhost", socket.gethostname(), f"{socket.gethostname().split('.')[0]}.local"} - {""})
    wanted = {*names, "127.0.0.1", "::1", *addresses}
    with contextlib.suppress(OSError, ValueError):
        there = x509.load_pem_x509_certificate(cert_path.read_bytes())
        kept = there.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        covered = set(kept.get_values_for_type(x509.DNSName)) | {
            str(address) for address in kept.get_values_for_type(x509.IPAddress)
        }
        left = there.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
        if wanted <= covered and left.days >= _RENEW_DAYS and key_path.is_file():
            return Certificate(cert_path, key_path, _words(there.fingerprint(hashes.SHA256())))
    return _make(cert_path, key_path, names, sorted(wanted - set(names)))


def _make(cert_path: Path, key_path: Path, names: Sequence[str], addresses: Sequence[str]) -> Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Mexican Train Companion")])
    now = datetime.datetime.now(datetime.UTC)
    alternatives: list[x509.GeneralName] = [x509.DNSName(one) for one in names]
    alternatives += [x509.IPAddress(ipaddress.ip_address(one)) for one in addresses]
    cert = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))  # phones whose clock is a little behind
        .not_valid_after(now + datetime.timedelta(days=_VALID_DAYS))
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    try:
        key_path.parent.mkdir(parents=True, exist_ok=True)
        for path in (cert_path, key_path):  # never an old certificate beside a new key
            path.unlink(missing_ok=True)
        with os.fdopen(os.open(key_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
        cert_path.write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    except OSError as error:
        raise StorageError("file_not_written", path=str(cert_path), reason=error.strerror or str(error)) from error
    return Certificate(cert_path, key_path, _words(cert.fingerprint(hashes.SHA256())))


def _words(digest: bytes) -> str:
    return ":".join(f"{byte:02X}" for byte in digest)
