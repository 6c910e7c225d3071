"""`boardd hardware scan` and `boardd hardware test`: what they find, show and print, and that they leave a running board alone."""
from lab import *

note("installed", install_board())
operator, bus, button = Operator(), Bus(), Button()
configure(operator)
address = f"{bus.address:#04x}"


def transfers():
    """The number of transfers on the bus, and of those the writes."""
    with open(f"{OUT}/trace") as file:
        lines = file.readlines()
    return sum("smbus_re" in line for line in lines), sum("smbus_write" in line for line in lines)


# Without a board
time.sleep(1)
before = transfers()
status, text = command("hardware scan")
time.sleep(1)
after = transfers()
print(text, flush=True)
check("scan finds the device", status == 0 and f"{address}  LCD backpack" in text, f"status {status}")
check("scan proposes the lines for boardd.toml", f"[display]\nbus = \"{bus.device}\"\naddress = {address}\n" in text)
check("scan finds the chip with the pin header", f"{os.environ['LAB_CHIP']} [lab], the pin header" in text and "line = 17" in text)
check("scan reads every address and writes nothing", after[0] - before[0] >= 112 and after[1] == before[1], f"{before}, {after}")
status, text = command("hardware scan", "runuser -u daemon --")
check("scan as a user without the groups", status == 77 and "sudo usermod -aG i2c daemon" in text, f"status {status}")

# With one
start()
bus.wait(lambda picture: is_right(picture, operator), 10)
status, text = command("hardware scan")
check("scan names the user of the button's line", 'GPIO 17: in use by "boardd"' in text and "line = 17" in text, f"status {status}")
status, text = command("hardware test")
check("test leaves a running board alone", status == 75 and "sudo systemctl stop boardd" in text, text.strip())
check("and the picture is still right", bus.shows(operator), bus.text())
run("systemctl stop boardd")

# The field report, of a board that it stops and starts again
run("systemctl start boardd")
bus.wait(lambda picture: is_right(picture, operator), 10)
with open("/tmp/field-output", "w") as file:
    report = subprocess.Popen(["boardd", "report", "--field", "/tmp/field.txt", "--yes"], stdout=file, stderr=subprocess.STDOUT)
check("it asks for presses", until(lambda: "Press the button" in open("/tmp/field-output").read(), 30), open("/tmp/field-output").read())
check("its line is watched", until(lambda: 'GPIO 17: in use by "boardd"' in command("hardware scan")[1], 10))
for _ in range(3):
    button.press(0.2)
    time.sleep(0.2)
began = time.monotonic()
check("the board runs again", bus.wait(lambda picture: is_right(picture, operator), 40, began), bus.text())
status = report.wait(120)
text = open("/tmp/field.txt").read()
print(text, flush=True)
check("the file has the time of a picture, and no picture failed", status == 0 and "ms usually" in text and "failed: 0 of 40" in text, text)
check("the edges of the presses", text.count("\ndown: 1 edge in 0.0 ms") == 3, text)
check("and what the running board uses", "RssAnon" in text and "wake-ups: " in text, text)
run("systemctl stop boardd")

# The test
began = time.monotonic()
with open("/tmp/test-output", "w") as file:
    test = subprocess.Popen(["boardd", "hardware", "test", "--pause", "1"], stdout=file, stderr=subprocess.STDOUT)
full = ("█" * 20,) * 4
check("every cell is on", bus.wait(lambda picture: picture == full, 10, began), bus.text())
numbered = lambda picture: all(row[0] == row[-1] == str(index + 1) for index, row in enumerate(picture))
check("the rows are numbered", bus.wait(numbered, 5, began), bus.text())
check("codes 7E and DF", bus.wait(lambda picture: picture[0].startswith("ROM →°"), 5, began), bus.text())
check("the board's signs, and a letter", bus.wait(lambda picture: re.match("⇨ ~ … ✗ ⚠ [⓪①②③④⑤⑥⑦]", picture[0]), 5, began), bus.text())
check("the backlight is off", until(lambda: not bus.controller.is_lit, 5))
check("and on again", until(lambda: bus.controller.is_lit, 5))
check("then it waits for a press", bus.wait(lambda picture: picture[0].startswith("Press a button"), 5, began), bus.text())
button.press(0.1)
check("a short press is on the display", bus.wait(lambda picture: picture[3].startswith("button 1: short"), 5, began), bus.text())
button.press(1)
check("a hold is on the display", bus.wait(lambda picture: picture[3].startswith("button 1: hold"), 5, began), bus.text())
test.send_signal(2)
status = test.wait(10)
text = open("/tmp/test-output").read()
print(text, flush=True)
check("Ctrl-C ends the test", status == 0 and bus.picture[0].startswith("Test ended"), f"status {status}")
check("each press is printed", "button 1: short, which does: next\nbutton 1: hold, which does: open\n" in text)
check("the display is in phase", bus.controller.is_in_phase)

# Without a bus
run("rmmod i2c-stub")
status, text = command("hardware scan")
check("scan without a bus", status == 69 and "dtparam=i2c_arm=on" in text, f"status {status}")
finish()
