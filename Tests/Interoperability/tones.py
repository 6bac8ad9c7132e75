"""Tones as WAV files, and what is heard in a recording of them."""

from __future__ import annotations

import array
import cmath
import math
import struct
import sys
import wave
from dataclasses import dataclass
from pathlib import Path

RATE = 44_100
LEFT, RIGHT = 440.0, 660.0
AMPLITUDE = 12_000
#: A sample below this is silence, and a pause of this many samples ends a sound.
QUIET = 40
PAUSE = RATE // 4
#: The frequency is searched at a lower rate, where few sums are enough.
STEP = 10
#: The part of the amplitude by which a sample may differ from a pure tone.
TOLERANCE = 0.05


def tone(seconds: float, left: float = LEFT, right: float = RIGHT) -> bytes:
    """Returns a tone for each channel: 16 bits, little-endian, stereo."""
    samples = array.array("h")
    for time in range(round(seconds * RATE)):
        angle = 2 * math.pi * time / RATE
        samples.append(round(AMPLITUDE * math.sin(angle * left)))
        samples.append(round(AMPLITUDE * math.sin(angle * right)))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples.tobytes()


def write_tone(file: Path, seconds: float, left: float = LEFT, right: float = RIGHT) -> Path:
    with wave.open(str(file), "wb") as output:
        output.setparams((2, 2, RATE, 0, "NONE", None))
        output.writeframes(tone(seconds, left, right))
    return file


@dataclass
class Sound:
    """What is heard on one channel between the first and the last sample that is not silent."""

    begin: float = 0.0
    seconds: float = 0.0
    frequency: float = 0.0
    amplitude: float = 0.0
    #: The number of samples that differ from a pure tone of this frequency, such as those after a lost packet.
    deviations: int = 0

    def __str__(self) -> str:
        return (f"{self.seconds:.2f} s of {self.frequency:.2f} Hz from {self.begin:.2f} s, "
                f"amplitude {self.amplitude:.0f}, {self.deviations} samples differ")


def listen(file: Path) -> list[Sound]:
    """Returns what is heard on each channel of a WAV file of 16 bits. Its header may be that of a file that grows."""
    channels, rate, data = read(file)
    return [hear(data[channel::channels], rate) for channel in range(channels)]


def listen_raw(data: bytes) -> list[Sound]:
    """Returns what is heard in samples of 16 bits, little-endian, stereo."""
    samples = numbers(data[: len(data) // 4 * 4])
    return [hear(samples[channel::2], RATE) for channel in range(2)]


def read(file: Path) -> tuple[int, int, array.array[int]]:
    """Returns the number of channels, the rate and the samples of a WAV file."""
    content = file.read_bytes()
    assert content[:4] == b"RIFF" and content[8:12] == b"WAVE", f"{file} is not a WAV file"
    at, layout = 12, None
    while at + 8 <= len(content):
        kind, size = content[at:at + 4], struct.unpack_from("<I", content, at + 4)[0]
        at += 8
        if kind == b"fmt ":
            layout = struct.unpack_from("<HHIIHH", content, at)
        if kind == b"data":
            assert layout is not None and layout[5] == 16, f"{file} has the format {layout}"
            # The length is unknown until the file is complete.
            size = min(size, len(content) - at) if size not in (0, 0xFFFFFFFF) else len(content) - at
            block = 2 * layout[1]
            return layout[1], layout[2], numbers(content[at:at + size // block * block])
        at += size + size % 2
    raise AssertionError(f"{file} has no samples")


def numbers(data: bytes) -> array.array[int]:
    samples = array.array("h", data)
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def hear(samples: array.array[int], rate: int) -> Sound:
    loud = [index for index, sample in enumerate(samples) if abs(sample) > QUIET]
    if not loud:
        return Sound()
    begin, end = loud[0], loud[-1] + 1
    heard = samples[begin:end]
    # Not the edges, which may be parts of a period.
    middle = heard[len(heard) // 8: -(len(heard) // 8) or None]
    frequency = loudest(middle, rate)
    amplitude, deviations = compare(heard, frequency, rate)
    return Sound(begin / rate, len(heard) / rate, frequency, amplitude, deviations)


def loudest(samples: array.array[int], rate: int) -> float:
    """Returns the frequency with the most power, of those up to 1 kHz, to a hundredth of a hertz."""
    low = [sum(samples[at:at + STEP]) for at in range(0, len(samples) - STEP + 1, STEP)]
    if len(low) < 16:
        return 0.0
    low_rate = rate / STEP

    def best(begin: float, end: float, step: float) -> float:
        count = max(1, round((end - begin) / step))
        return max((begin + index * step for index in range(count + 1)), key=lambda each: goertzel(low, each, low_rate))

    found = best(20, 1000, low_rate / len(low))
    for step in (0.1, 0.01):
        found = best(max(1.0, found - 12 * step), found + 12 * step, step)
    return found


def goertzel(samples: list[int], frequency: float, rate: float) -> float:
    """Returns the power of a frequency."""
    factor = 2 * math.cos(2 * math.pi * frequency / rate)
    before, last = 0.0, 0.0
    for sample in samples:
        before, last = last, sample + factor * last - before
    return before * before + last * last - factor * before * last


def compare(samples: array.array[int], frequency: float, rate: int) -> tuple[float, int]:
    """Returns the amplitude of a tone, and the number of samples that differ from it.

    Phase and amplitude are those of the whole sound, so samples that are missing or doubled count until its end.
    """
    step = 2j * math.pi * frequency / rate
    total = sum(sample * cmath.exp(-step * index) for index, sample in enumerate(samples))
    tone = 2 * total / len(samples)
    limit = max(abs(tone) * TOLERANCE, 2.0)
    rotation, pointer = cmath.exp(step), tone
    deviations = 0
    for sample in samples:
        deviations += abs(sample - pointer.real) > limit
        pointer *= rotation
    return abs(tone), deviations


def main() -> None:
    """Prints what is heard in WAV files."""
    for name in sys.argv[1:]:
        for channel, sound in enumerate(listen(Path(name))):
            print(f"{name}, channel {channel + 1}: {sound}")


if __name__ == "__main__":
    main()
