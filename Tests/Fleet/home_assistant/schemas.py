"""Validates the golden payloads with Home Assistant's schemas: schemas.py FOLDER."""
import asyncio
import importlib
import json
import pathlib
import sys
import tempfile

from homeassistant import const
from homeassistant.core import HomeAssistant
from homeassistant.helpers import frame

SHARED = ("availability", "device", "origin")
# All keys of a component that the schema of its platform must have returned: others are misspelt, or of another platform.
IGNORED = ("platform",)


def schema(platform):
    if platform == "device_automation":
        return importlib.import_module("homeassistant.components.mqtt.device_trigger").TRIGGER_DISCOVERY_SCHEMA
    return importlib.import_module(f"homeassistant.components.mqtt.{platform}").DISCOVERY_SCHEMA


async def main(folder):
    with tempfile.TemporaryDirectory() as work:
        hass = HomeAssistant(work)
        frame.async_setup(hass)
        from homeassistant.components.mqtt.schemas import DEVICE_DISCOVERY_SCHEMA

        failures = checked = 0
        for path in sorted(pathlib.Path(folder).glob("discovery*.json")):
            payload = json.loads(path.read_text())
            DEVICE_DISCOVERY_SCHEMA(payload)
            for name, component in payload["components"].items():
                config = {key: value for key, value in component.items() if key not in IGNORED}
                if not config:  # a removed one
                    continue
                shared = {key: payload[key] for key in SHARED if key in payload}
                valid = schema(component["platform"])({**shared, **config})
                checked += 1
                for key in config:
                    if key not in valid:
                        print(f"FAILED  {path.name}: {name}: Home Assistant has no key {key} in {component['platform']}")
                        failures += 1
        await hass.async_stop(force=True)
    print(f"{'FAILED' if failures else 'ok'}  the schemas of Home Assistant {const.__version__}: {checked} components, {failures} failures")
    return failures != 0 or checked == 0


sys.exit(asyncio.run(main(sys.argv[1])))
