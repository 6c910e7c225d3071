"""The picture of an HD44780 panel, decoded from the kernel's trace of the I2C bus. Independent of boardd's own encoder and model.

Wiring of the usual PCF8574 backpack: RS 0, R/W 1, E 2, backlight 3, D4 to D7 on 4 to 7. Data sheet: HD44780U, tables 4 and 6.
"""
import re
import sys

# The board's signs as dots, as the data sheet counts them: row by row from the top, the leftmost dot highest.
SIGNS = {
    bytes([4, 4, 14, 21, 4, 10, 17, 0]): "⇨", bytes([0, 8, 21, 2, 8, 21, 2, 0]): "~", bytes([0, 0, 0, 0, 0, 0, 21, 0]): "…",
    bytes([0, 27, 14, 4, 14, 27, 0, 0]): "✗", bytes([4, 4, 10, 10, 21, 17, 31, 0]): "⚠", bytes([0, 14, 31, 31, 31, 14, 0, 0]): "●",
}
EVENT = re.compile(r"\s(\d+\.\d+): (\w+): i2c-(\d+) a=(\w+) f=\w+ (.*)")
WRITE = re.compile(r"c=(\w+) (\w+) l=\d+ \[(.*)\]")


class Call:
    """One call of the bus in the trace."""

    def __init__(self, line):
        found = EVENT.search(line)
        self.kind = None
        if not found:
            return
        self.at = float(found[1])  # CLOCK_MONOTONIC
        self.kind, self.bus, self.address, rest = found[2], int(found[3]), int(found[4], 16), found[5]
        self.bytes = []
        written = WRITE.match(rest) if self.kind == "smbus_write" else None
        if written:
            data = [int(byte, 16) for byte in written[3].split("-") if byte]
            # A block's first byte is its length; of a single byte only the command exists.
            self.bytes = [int(written[1], 16)] + (data[1:] if written[2] == "I2C_BLOCK_DATA" else [])
        self.is_write = bool(written) or self.kind == "smbus_result" and " wr " in rest
        self.error = int(rest.rpartition("res=")[2]) if self.kind == "smbus_result" else 0


class Controller:
    """An HD44780 behind its expander, from the state of power-on: 8-bit interface, display off."""

    def __init__(self, rows=4, columns=20):
        self.rows, self.columns = rows, columns
        self.port, self.is_four_bit, self.high = 0xFF, False, None
        self.ddram, self.cgram = bytearray(b" " * 0x80), bytearray(64)
        self.address, self.in_cgram, self.increment, self.is_on, self.shifted = 0, False, 1, False, 0

    def write(self, port):
        """A new state of the port: the controller reads at the falling edge of E."""
        if self.port & 4 and not port & 4:
            self.nibble(self.port >> 4, self.port & 1, self.port & 2)
        self.port = port

    def nibble(self, value, is_data, is_read):
        if not self.is_four_bit:
            return None if is_read else self.byte(value << 4, is_data)
        if self.high is None:
            self.high = value
            return None
        whole, self.high = self.high << 4 | value, None
        return self.moved() if is_read and is_data else None if is_read else self.byte(whole, is_data)

    def byte(self, value, is_data):
        if is_data:
            if self.in_cgram:
                self.cgram[self.address & 63] = value & 31
            else:
                self.ddram[self.address] = value
            self.moved()
        elif value & 0x80:
            self.address, self.in_cgram = value & 0x7F, False
        elif value & 0x40:
            self.address, self.in_cgram = value & 0x3F, True
        elif value & 0x20:
            self.is_four_bit, self.high = not value & 0x10, None
        elif value & 0x10:
            if value & 8:
                self.shifted += -1 if value & 4 else 1
        elif value & 8:
            self.is_on = bool(value & 4)
        elif value & 4:
            self.increment = 1 if value & 2 else -1
        elif value & 2:
            self.address, self.in_cgram, self.shifted = 0, False, 0
        elif value & 1:
            self.ddram[:] = b" " * 0x80
            self.address, self.in_cgram, self.shifted, self.increment = 0, False, 0, 1

    def moved(self):
        if self.in_cgram:
            self.address = (self.address + self.increment) & 63
        elif self.increment > 0:
            self.address = {0x27: 0x40, 0x67: 0}.get(self.address, (self.address + 1) & 0x7F)
        else:
            self.address = {0x40: 0x27, 0: 0x67}.get(self.address, (self.address - 1) & 0x7F)

    @property
    def is_lit(self):
        return bool(self.port & 8)

    @property
    def is_in_phase(self):
        """Whether the next program finds a complete byte and E low."""
        return self.is_four_bit and self.high is None and not self.port & 4

    def picture(self):
        """The rows as text, or None while the display is off or shifted. A custom glyph is the board's sign with its dots, and any other its
        number as ⓪ to ⑦."""
        if not self.is_on or self.shifted:
            return None
        starts = [0, 0x40, self.columns, 0x40 + self.columns][:self.rows]
        return tuple("".join(map(self.character, self.ddram[start:start + self.columns])) for start in starts)

    def character(self, code):
        if code >= 16:
            return character(code)
        start = 8 * (code & 7)
        return SIGNS.get(bytes(self.cgram[start:start + 8])) or "⓪①②③④⑤⑥⑦"[code & 7]


def character(code):
    """A code of the ROM A00 as text."""
    return {0x5C: "¥", 0x7E: "→", 0x7F: "←", 0xFF: "█", 0xDF: "°"}.get(code) or (chr(code) if 32 <= code < 127 else "�")


def pictures(path):
    """The pictures of a trace with the times at which they began, call by call; None while the display is off."""
    panel, begun, last = Controller(), {}, ()
    with open(path, errors="replace") as file:
        for call in map(Call, file):
            if call.kind == "smbus_write":
                begun[call.address] = call
            elif call.kind == "smbus_result" and call.is_write and not call.error and call.address in begun:
                call = begun.pop(call.address)
                for byte in call.bytes:
                    panel.write(byte)
                if (picture := panel.picture()) != last:
                    last = picture
                    yield call.at, picture


if __name__ == "__main__":
    for at, picture in pictures(sys.argv[1]):
        print(f"{at:.6f}", "display off" if picture is None else "\n|" + "|\n|".join(picture) + "|")
