"""Every kind of picture comes out upright and in RGB, and every bad file is refused for its own reason."""

import io
import struct
import threading
import tracemalloc
import zlib
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageOps

from companion.errors import PhotoError
from companion.vision import photo as module
from companion.vision.photo import GROUND_RGB, MAX_PX, MAX_SIDE_PX, Photo

DATA = Path(__file__).parent / "data"
CORNERS = {"red": (220, 30, 20), "green": (30, 200, 40), "blue": (20, 40, 210), "yellow": (230, 220, 20)}


def flag(width: int = 96, height: int = 64) -> Image.Image:
    """Four fields: red and green above, blue and yellow below."""
    image = Image.new("RGB", (width, height))
    for n, colour in enumerate(CORNERS.values()):
        x, y = n % 2 * width // 2, n // 2 * height // 2
        image.paste(colour, (x, y, x + width // 2, y + height // 2))
    return image


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def fields(photo: Photo) -> list[str]:
    """The names of the colours in the middle of the four fields."""
    h, w = photo.height, photo.width
    names = []
    for y, x in ((h // 4, w // 4), (h // 4, 3 * w // 4), (3 * h // 4, w // 4), (3 * h // 4, 3 * w // 4)):
        pixel = photo.pixels[y, x].astype(int)
        name = min(CORNERS, key=lambda colour: int(np.abs(pixel - CORNERS[colour]).sum()))
        assert np.abs(pixel - CORNERS[name]).max() < 45, pixel
        names.append(name)
    return names


def refused(data: bytes) -> str:
    with pytest.raises(PhotoError) as caught:
        Photo.from_bytes(data)
    return caught.value.key


# --- what can be read -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "BMP"])
def test_red_is_red_in_every_format(kind: str) -> None:
    """The canary: with red and blue exchanged anywhere, every colour model downstream would be wrong."""
    photo = Photo.from_bytes(encoded(flag(), kind))
    assert (photo.width, photo.height) == (96, 64)
    assert fields(photo) == ["red", "green", "blue", "yellow"]


def test_heic() -> None:
    photo = Photo.from_path(DATA / "flag.heic")
    assert (photo.width, photo.height) == (96, 64)
    assert fields(photo) == ["red", "green", "blue", "yellow"]


def test_heic_taken_upright() -> None:
    photo = Photo.from_path(DATA / "flag-orientation-6.heic")
    assert (photo.width, photo.height) == (64, 96)
    assert fields(photo) == ["blue", "red", "yellow", "green"]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation(orientation: int, kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"lossless": True} if kind == "WEBP" else {"quality": 98, "subsampling": 0} if kind == "JPEG" else {}
    data = encoded(flag(), kind, exif=exif, **options)
    upright = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))))
    assert np.array_equal(Photo.from_bytes(data).pixels, upright)


@pytest.mark.parametrize("orientation", [0, 9, 77])
def test_an_orientation_that_does_not_exist_is_ignored(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert fields(Photo.from_bytes(encoded(flag(), "JPEG", exif=exif)))[0] == "red"


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_a_damaged_exif_block_does_not_spoil_the_picture() -> None:
    assert fields(Photo.from_bytes(encoded(flag(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff")))[0] == "red"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "BMP"])
def test_grey(kind: str) -> None:
    photo = Photo.from_bytes(encoded(Image.linear_gradient("L"), kind))
    assert photo.pixels.shape == (256, 256, 3)
    assert np.abs(photo.pixels[:, 100].astype(int) - np.arange(256)[:, np.newaxis]).max() <= 2


def test_black_and_white() -> None:
    image = Image.new("1", (40, 40))
    image.paste(1, (20, 0, 40, 40))
    assert Photo.from_bytes(encoded(image, "PNG")).pixels[5, [5, 35]].tolist() == [[0] * 3, [255] * 3]


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_grey_of_16_bits(kind: str) -> None:
    values = np.linspace(0, 65535, 256).astype(np.uint16)[np.newaxis].repeat(32, axis=0)
    photo = Photo.from_bytes(encoded(Image.fromarray(values), kind))
    assert np.abs(photo.pixels[3, :, 0].astype(int) - np.arange(256)).max() <= 1


def png_of_16_bits(colour: int, pixels: NDArray[np.uint16]) -> bytes:
    """Pillow cannot write colour with 16 bits a channel."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 16, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def test_colour_of_16_bits() -> None:
    pixels = np.asarray(flag(), dtype=np.uint16) * 257
    assert fields(Photo.from_bytes(png_of_16_bits(2, pixels))) == ["red", "green", "blue", "yellow"]


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(0, 1, 256, dtype=np.float32),
        np.linspace(0, 255, 256, dtype=np.float32),
        np.linspace(0, 1_000_000, 256).astype(np.int32),
    ],
)
def test_grey_of_32_bits(values: NDArray[np.generic]) -> None:
    photo = Photo.from_bytes(encoded(Image.fromarray(values[np.newaxis].repeat(32, axis=0)), "TIFF"))
    assert np.abs(photo.pixels[3, :, 0].astype(int) - np.arange(256)).max() <= 1


def test_a_fraction_that_is_no_number_is_black() -> None:
    values = np.full((32, 32), 0.5, dtype=np.float32)
    values[0, 0] = np.nan
    pixels = Photo.from_bytes(encoded(Image.fromarray(values), "TIFF")).pixels
    assert pixels[0, 0, 0] == 0
    assert pixels[1, 1, 0] == 128


def test_cmyk() -> None:
    for kind in ("JPEG", "TIFF"):
        assert fields(Photo.from_bytes(encoded(flag().convert("CMYK"), kind)))[0] == "red"


def test_lab() -> None:
    from PIL import ImageCms

    lab = ImageCms.profileToProfile(
        flag(), ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB"
    )
    assert fields(Photo.from_bytes(encoded(lab, "TIFF"))) == ["red", "green", "blue", "yellow"]


def test_palette() -> None:
    for kind in ("PNG", "BMP"):
        image = flag().quantize(8)
        assert fields(Photo.from_bytes(encoded(image, kind))) == ["red", "green", "blue", "yellow"]


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_what_is_transparent_shows_the_ground(mode: str) -> None:
    """A cut-out tile must not lie on the black (or white) that the transparent pixels happen to hold."""
    image = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    image.paste((240, 240, 240, 255), (0, 0, 30, 40))
    photo = Photo.from_bytes(encoded(image.convert(mode), "PNG"))
    assert np.abs(photo.pixels[5, 5].astype(int) - 240).max() <= 1
    assert photo.pixels[5, 50].tolist() == list(GROUND_RGB)


def test_half_transparent_is_mixed() -> None:
    image = Image.new("RGBA", (60, 40), (0, 0, 0, 128))
    mixed = np.array(GROUND_RGB) * 127 / 255
    assert np.abs(Photo.from_bytes(encoded(image, "WEBP", lossless=True)).pixels[5, 5] - mixed).max() <= 1.5


def test_a_palette_with_one_transparent_colour() -> None:
    image = flag().quantize(4)
    index = image.getpixel((80, 50))
    photo = Photo.from_bytes(encoded(image, "PNG", transparency=index))
    assert photo.pixels[50, 80].tolist() == list(GROUND_RGB)
    assert photo.pixels[5, 5, 0] > 200


def test_an_alpha_channel_left_empty_is_ignored() -> None:
    image = flag()
    image.putalpha(0)
    assert fields(Photo.from_bytes(encoded(image, "PNG"))) == ["red", "green", "blue", "yellow"]


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_the_first_picture_of_several(kind: str) -> None:
    others = [Image.new("RGB", (96, 64), "white")] * 2
    data = encoded(flag(), kind, save_all=True, append_images=others)
    assert fields(Photo.from_bytes(data)) == ["red", "green", "blue", "yellow"]


def test_the_jpeg_with_an_attachment_that_phones_write() -> None:
    data = encoded(flag(), "MPO", save_all=True, append_images=[Image.new("RGB", (48, 32))])
    assert fields(Photo.from_bytes(data)) == ["red", "green", "blue", "yellow"]


def test_what_follows_the_picture_in_the_file_is_ignored() -> None:
    assert fields(Photo.from_bytes(encoded(flag(), "JPEG") + b"SEFT and whatever a phone adds"))[0] == "red"


# --- the value --------------------------------------------------------------------------------------------------------


def test_equal_by_bytes() -> None:
    data = encoded(flag(), "PNG")
    one, two = Photo.from_bytes(data), Photo.from_bytes(data)
    assert one == two
    assert hash(one) == hash(two)
    assert one != Photo.from_bytes(encoded(flag(), "BMP"))
    assert one != "photo"
    assert one.sha256 == sha256(data).hexdigest()


def test_pixels_are_read_only_and_contiguous() -> None:
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        pixels = Photo.from_bytes(encoded(flag(), "JPEG", exif=exif)).pixels
        assert pixels.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            pixels[0, 0] = 0


@pytest.mark.parametrize("pixels", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)])
def test_wrong_pixels_are_refused(pixels: NDArray[np.uint8]) -> None:
    with pytest.raises(ValueError, match="expected uint8"):
        Photo(pixels, "")


# --- size -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(6100, 40), (5000, 4000), (4300, 4300)])
def test_large_pictures_are_reduced_in_proportion(width: int, height: int) -> None:
    photo = Photo.from_bytes(encoded(flag(width, height), "JPEG"))
    assert photo.width <= MAX_SIDE_PX
    assert photo.width * photo.height <= MAX_PX * 1.001
    assert photo.width * photo.height >= MAX_PX * 0.55 or photo.width == MAX_SIDE_PX
    assert photo.width / photo.height == pytest.approx(width / height, rel=0.02)
    assert fields(photo) == ["red", "green", "blue", "yellow"]


def test_a_photo_of_48_megapixels_is_decoded_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encoded(flag(8064, 6048).convert("L"), "JPEG")
    monkeypatch.setattr(module, "MAX_DECODED_PX", 13_000_000)
    photo = Photo.from_bytes(data)
    assert (photo.width, photo.height) == (4032, 3024)


def png_header(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


def test_a_bomb_is_refused_before_it_is_decoded() -> None:
    """30,000 x 30,000 pixels, which pack into 3 MB and unpack to 2.7 GB."""
    zeros = 30_000 * 90_001
    packer = zlib.compressobj(wbits=-15)
    block = packer.compress(bytes(zeros // 1000)) + packer.flush(zlib.Z_FULL_FLUSH)
    body = b"\x78\x9c" + block * 1000 + b"\x03\0" + struct.pack(">HH", zeros % 65521, 1)
    assert len(body) < 4_000_000
    data = png_header(30_000, 30_000) + struct.pack(">I", len(body)) + b"IDAT" + body
    data += struct.pack(">I", zlib.crc32(b"IDAT" + body)) + b"\0\0\0\0IEND\xaeB`\x82"
    tracemalloc.start()
    try:
        with pytest.raises(PhotoError) as caught:
            Photo.from_bytes(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (caught.value.key, caught.value.params) == ("photo_too_large", {"width": 30_000, "height": 30_000})
    assert peak < 16_000_000


def test_a_jpeg_that_claims_too_many_pixels_is_refused() -> None:
    data = bytearray(encoded(flag(), "JPEG"))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = struct.pack(">HH", 30_000, 30_000)
    assert refused(bytes(data)) == "photo_too_large"


def test_a_progressive_jpeg_may_not_be_as_large_as_another() -> None:
    data = bytearray(encoded(flag(), "JPEG", progressive=True))
    frame = data.index(b"\xff\xc2")
    data[frame + 5 : frame + 9] = struct.pack(">HH", 10_000, 10_000)
    assert refused(bytes(data)) == "photo_too_large"


# --- what cannot be read ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1, 1), (15, 400), (100_000, 20)])
def test_too_small(size: tuple[int, int]) -> None:
    with pytest.raises(PhotoError) as caught:
        Photo.from_bytes(encoded(Image.new("RGB", size), "PNG"))
    assert caught.value.key == "photo_too_small"
    assert caught.value.params == {"width": size[0], "height": size[1]}


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "photo_empty"),
        (b"3-12 0-0\n", "photo_not_a_picture"),
        (b"\0" * 5000, "photo_not_a_picture"),
        (b"%PDF-1.7\n", "photo_not_a_picture"),
        (b"\xff\xd8\xff\xe0", "photo_damaged"),
        (b"\x89PNG\r\n\x1a\n", "photo_damaged"),
        (b"\0\0\0\x18ftypheic\0\0\0\0heic", "photo_damaged"),
    ],
)
def test_no_picture(data: bytes, key: str) -> None:
    assert refused(data) == key


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "BMP"])
@pytest.mark.parametrize("part", [0.02, 0.3, 0.9])
def test_cut_short(kind: str, part: float) -> None:
    """Never half a picture: a hand whose lower row is missing would count too few points."""
    noise = np.random.default_rng(7).integers(0, 255, (90, 120, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), kind)
    assert refused(data[: int(len(data) * part)]) in ("photo_damaged", "photo_not_a_picture")


@pytest.mark.parametrize("part", [0.3, 0.9])
def test_heic_cut_short(part: float) -> None:
    data = (DATA / "flag.heic").read_bytes()
    assert refused(data[: int(len(data) * part)]) == "photo_damaged"


def test_gif_is_refused_animated_or_not() -> None:
    assert refused(encoded(flag(), "GIF")) == "photo_is_gif"
    assert refused(encoded(flag(), "GIF", save_all=True, append_images=[Image.new("RGB", (96, 64))])) == "photo_is_gif"


def test_a_huge_file_is_refused_unread(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 1000)
    (tmp_path / "huge.jpg").write_bytes(b"\xff\xd8\xff" * 500)
    with pytest.raises(PhotoError) as caught:
        Photo.from_path(tmp_path / "huge.jpg")
    assert caught.value.key == "photo_file_too_big"


def test_heic_without_its_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HEIF", False)
    monkeypatch.setattr(module, "FORMATS", ("JPEG", "PNG"))
    assert refused((DATA / "flag.heic").read_bytes()) == "photo_needs_heif"


def test_missing_and_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, key in [
        (tmp_path / "none.jpg", "photo_missing"),
        (tmp_path / "file" / "none.jpg", "photo_missing"),
        (tmp_path / "\0", "photo_missing"),
        (tmp_path, "photo_is_folder"),
        (tmp_path / ("x" * 300), "photo_unreachable"),
    ]:
        with pytest.raises(PhotoError) as caught:
            Photo.from_path(path)
        assert caught.value.key == key


@pytest.mark.parametrize(
    ("error", "key"),
    [(PermissionError(13, "Permission denied"), "photo_no_permission"), (OSError(5, "I/O"), "photo_unreachable")],
)
def test_not_readable(error: OSError, key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Raised by hand, because tests may run as root, who may read everything."""

    def refuse(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PhotoError) as caught:
        Photo.from_path(tmp_path / "photo.jpg")
    assert caught.value.key == key


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["JPEG", "PNG", "WEBP", "TIFF", "BMP"]))
def test_damaged_bytes_raise_nothing_else(draw: st.DataObject, kind: str) -> None:
    data = bytearray(encoded(flag(48, 32), kind))
    for _ in range(draw.draw(st.integers(1, 6))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    try:
        photo = Photo.from_bytes(bytes(data))
    except PhotoError:
        return
    assert photo.pixels.shape[2] == 3


def test_decoding_in_several_threads_gives_the_same() -> None:
    data = encoded(flag(400, 300), "JPEG")
    expected = Photo.from_bytes(data).pixels
    results: list[bool] = []

    def decode() -> None:
        results.append(np.array_equal(Photo.from_bytes(data).pixels, expected))

    threads = [threading.Thread(target=decode) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_values_that_are_no_numbers_do_not_spoil_the_others() -> None:
    """Infinity is white, minus infinity and what is no number are black; the rest keeps its brightness."""
    values = np.full((32, 32), 0.5, np.float32)
    values[0, :3] = np.inf, -np.inf, np.nan
    pixels = Photo.from_bytes(encoded(Image.fromarray(values), "TIFF")).pixels
    assert pixels[0, :4, 0].tolist() == [255, 0, 0, 128]
    nothing = Image.fromarray(np.full((32, 32), np.nan, np.float32))
    assert Photo.from_bytes(encoded(nothing, "TIFF")).pixels.max() == 0


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"\0\0\0\x1cftypavif\0\0\0\0", "photo_not_a_picture"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0", "photo_not_a_picture"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "photo_damaged"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "photo_not_a_picture"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "photo_damaged"),
    ],
)
def test_other_files_in_the_same_wrapping_are_not_called_damaged(data: bytes, key: str) -> None:
    assert refused(data) == key
