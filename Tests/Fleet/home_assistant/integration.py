"""Runs Home Assistant's MQTT integration on the golden payloads: integration.py FOLDER MOSQUITTO.

Without its web server: http, file_upload, websocket_api and repairs are declared as loaded. The broker is a mosquitto of its own, on loopback.
"""
import asyncio
import json
import logging
import pathlib
import socket
import subprocess
import sys
import tempfile

import paho.mqtt.client as mqtt
from homeassistant import bootstrap, config_entries, const, loader
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers import device_registry, entity_registry

BOARD = "boardd/1/board/kitchen"
CONFIG = "homeassistant/device/boardd-kitchen/config"
failures = 0


def check(text, found, expected):
    global failures
    if found == expected:
        print(f"ok      {text}: {found}")
    else:
        print(f"FAILED  {text}: {found!r}, expected {expected!r}")
        failures += 1


class IntegrationLog(logging.Handler):
    """What the MQTT integration logs: warnings and errors about our payloads."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []
        logging.getLogger("homeassistant.components.mqtt").addHandler(self)
        # The entry is set up without the rest of Home Assistant, which it reports with a stack for each platform.
        logging.getLogger("homeassistant.helpers.frame").setLevel(logging.CRITICAL)

    def emit(self, record):
        self.lines.append(record.getMessage()[:300])


async def until(condition, seconds=15):
    for _ in range(int(seconds * 20)):
        if condition():
            return True
        await asyncio.sleep(0.05)
    return False


class Broker:
    """A mosquitto, and a client in the board's place."""

    def __init__(self, program, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        path = pathlib.Path(folder, "mosquitto.conf")
        path.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.process = subprocess.Popen([program, "-c", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.received = []
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.client.on_message = lambda _, __, message: self.received.append((message.topic, message.payload.decode(), message.retain))

    async def connect(self):
        for _ in range(100):
            try:
                self.client.connect("127.0.0.1", self.port)
                break
            except OSError:
                await asyncio.sleep(0.05)
        self.client.loop_start()
        self.client.subscribe(f"{BOARD}/do/+", qos=1)

    def publish(self, topic, payload, retain=False):
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(5)

    def end(self):
        self.client.loop_stop()
        self.process.terminate()
        self.process.wait()


async def home_assistant(folder, port):
    pathlib.Path(folder, "configuration.yaml").touch()
    hass = HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await loader.async_get_custom_components(hass)
    await bootstrap.async_load_base_functionality(hass)
    for name in ("http", "file_upload", "websocket_api", "repairs", "hassio"):
        hass.config.components.add(name)
    hass.set_state(CoreState.running)
    from types import MappingProxyType

    entry = config_entries.ConfigEntry(
        version=1, minor_version=2, domain="mqtt", title="", unique_id=None, source="user", options={},
        discovery_keys=MappingProxyType({}), subentries_data=None,
        data={"broker": "127.0.0.1", "port": port, "protocol": "5", "discovery": True})
    await hass.config_entries.async_add(entry)
    return hass


async def main(golden, program):
    golden = pathlib.Path(golden)
    text = {path.stem: path.read_text() for path in golden.glob("*.json")}
    discovery = json.loads(text["discovery"])
    state = json.loads(text["state"])
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(program, folder)
        try:
            await broker.connect()
            broker.publish(f"{BOARD}/status", '{"state":"online"}', retain=True)
            broker.publish(CONFIG, text["discovery"], retain=True)
            broker.publish(f"{BOARD}/state", text["state"], retain=True)
            logged = IntegrationLog()
            hass = await home_assistant(folder, broker.port)
            await checks(hass, broker, discovery, state, text)
            check("warnings and errors of the integration", logged.lines, [])
            await hass.async_stop(force=True)
        finally:
            broker.end()
    print(f"{'FAILED' if failures else 'ok'}  the MQTT integration of Home Assistant {const.__version__}")
    return failures != 0


async def checks(hass, broker, discovery, state, text):
    entities = entity_registry.async_get(hass)
    devices = device_registry.async_get(hass)
    components = discovery["components"]
    expected = {c["unique_id"] for c in components.values() if "unique_id" in c}
    await until(lambda: {e.unique_id for e in entities.entities.values()} == expected)
    check("entities of the one message", sorted(e.unique_id for e in entities.entities.values()), sorted(expected))

    def entity(component):
        unique = components[component]["unique_id"]
        return next(e.entity_id for e in entities.entities.values() if e.unique_id == unique)

    def value(component):
        found = hass.states.get(entity(component))
        return found and found.state

    def instant(written):
        from homeassistant.util import dt

        return dt.as_utc(dt.parse_datetime(written)).isoformat(timespec="seconds")

    device = devices.async_get_device(identifiers={("mqtt", discovery["device"]["identifiers"][0])})
    check("the device", (device.name, device.sw_version, device.configuration_url), ("boardd kitchen", "1.2.3", "http://boardpi.local"))
    hub = devices.async_get_device(identifiers={("mqtt", discovery["device"]["via_device"])})
    check("behind its hub", device.via_device_id, hub and hub.id)

    # What the board shows.
    stop = next(key for key in state["stops"] if key.startswith("tfl"))
    await until(lambda: value(f"next-{stop}") not in (None, "unknown", "unavailable"))
    check("next departure", value(f"next-{stop}"), instant(state["stops"][stop]["next"]))
    check("next departure of a favourite with a walk", value("next-rail-RDG"), instant(state["stops"]["rail-RDG"]["next"]))
    check("when to leave for it", value("leave-rail-RDG"), instant(state["stops"]["rail-RDG"]["leave"]))
    attributes = hass.states.get(entity(f"next-{stop}")).attributes
    published = state["stops"][stop]["attributes"]
    check("attributes", {key: attributes.get(key) for key in published}, published)
    check("problem", value("problem"), "off")
    check("page in view", value("page"), state["page"])
    check("light", value("light"), "auto")
    check("pages", hass.states.get(entity("page")).attributes["options"], components["page"]["options"])

    # Gestures.
    from homeassistant.components.mqtt import device_trigger

    triggers = await device_trigger.async_get_triggers(hass, device.id)
    found = sorted((t["subtype"], t["type"]) for t in triggers)
    check("device triggers", found, sorted((c["subtype"], c["type"]) for c in components.values() if c["platform"] == "device_automation"))
    fired = []
    trigger = next(t for t in triggers if (t["subtype"], t["type"]) == ("button_2", "long-hold"))
    info = {"domain": "test", "name": "test", "home_assistant_start": False, "variables": {}, "trigger_data": {"id": "0", "idx": "0", "alias": None}}

    async def act(variables, context=None):
        fired.append(variables["trigger"]["payload"])

    await device_trigger.async_attach_trigger(hass, trigger, act, info)
    await asyncio.sleep(0.5)
    for gesture in ("short", "long-hold"):
        broker.publish(f"{BOARD}/button/2", json.dumps({"event_type": gesture}))
    await until(lambda: fired and value("button-2") not in ("unknown", None))
    check("a gesture is an event", hass.states.get(entity("button-2")).attributes["event_type"], "long-hold")
    check("and fires its device trigger alone", fired, ['{"event_type": "long-hold"}'])

    # Commands: exactly what the board parses (FleetCommandTests).
    async def call(domain, service, component, **data):
        broker.received.clear()
        await hass.services.async_call(domain, service, {"entity_id": entity(component), **data}, blocking=True)
        await until(lambda: broker.received)
        return broker.received[0] if broker.received else None

    check("button next page", await call("button", "press", "next-page"), (f"{BOARD}/do/press", "short", False))
    check("button refresh", await call("button", "press", "refresh"), (f"{BOARD}/do/refresh", "PRESS", False))
    option = components["page"]["options"][0]
    check("select page", await call("select", "select_option", "page", option=option), (f"{BOARD}/do/page", option, False))
    check("select light", await call("select", "select_option", "light", option="off"), (f"{BOARD}/do/light", "off", False))
    message = 'Dinner: 5 < 6 & "soon" {"a": 1} é'
    topic, payload, retained = await call("notify", "send_message", "message", message=message)
    check("notify", (topic, json.loads(payload), retained), (f"{BOARD}/do/message", {"text": message}, False))

    # Another state, then no board.
    broker.publish(f"{BOARD}/state", text["state-bare"], retain=True)
    await until(lambda: value("problem") == "on")
    check("a fault is a problem", hass.states.get(entity("problem")).attributes["faults"], ["configuration: fault at boardd.toml:12"])
    check("without departures the time is unknown", value(f"next-{stop}"), "unknown")
    check("light off", value("light"), "off")
    broker.publish(f"{BOARD}/status", '{"state":"offline"}', retain=True)
    everything = [name for name, c in components.items() if "unique_id" in c]
    await until(lambda: all(value(name) == "unavailable" for name in everything))
    check("without the board all is unavailable", {value(name) for name in everything}, {"unavailable"})
    broker.publish(f"{BOARD}/status", '{"state":"online"}', retain=True)
    await until(lambda: value("light") != "unavailable")

    # Another name of the board: the device and its entities stay, with their identifiers.
    name = entity(f"next-{stop}")
    broker.publish(CONFIG, "", retain=True)
    broker.publish(CONFIG.replace("kitchen", "hall"), text["discovery"].replace("kitchen", "hall"), retain=True)
    await asyncio.sleep(3)
    broker.publish(f"{BOARD}/status".replace("kitchen", "hall"), '{"state":"online"}', retain=True)
    broker.publish(f"{BOARD}/state".replace("kitchen", "hall"), text["state"], retain=True)
    await until(lambda: {e.unique_id for e in entities.entities.values()} == expected)
    check("renamed: the same identifiers", {e.unique_id for e in entities.entities.values()} == expected, True)
    check("renamed: the same entity", entity(f"next-{stop}"), name)
    await until(lambda: value(f"next-{stop}") not in (None, "unknown", "unavailable"))
    check("renamed: it has departures", value(f"next-{stop}"), instant(state["stops"][stop]["next"]))

    # Components that are gone, then the device.
    hall = CONFIG.replace("kitchen", "hall")
    # Both as DiscoveryMessageTests.golden() checks them: without favourites, buttons and a hub, and of what is gone the platform alone.
    rest = {key: components[key] for key in ("light", "message", "next-page", "problem", "refresh")}
    rest["page"] = {**components["page"], "options": ["All stops"]}
    bare = {**discovery, "components": rest, "device": {key: value for key, value in discovery["device"].items() if key != "via_device"}}
    gone = {key: {"platform": component["platform"]} for key, component in components.items()}
    for payload in ({**bare, "components": {**gone, **rest}}, bare):
        broker.publish(hall, json.dumps(payload).replace("kitchen", "hall"), retain=True)
    identifiers = {c["unique_id"] for c in rest.values()}
    await until(lambda: {e.unique_id for e in entities.entities.values()} == identifiers)
    check("removed: only the rest stays", sorted(e.unique_id for e in entities.entities.values()), sorted(identifiers))
    device = devices.async_get_device(identifiers={("mqtt", discovery["device"]["identifiers"][0])})
    check("removed: no trigger stays", len(await device_trigger.async_get_triggers(hass, device.id)), 0)
    broker.publish(hall, "", retain=True)
    await until(lambda: not entities.entities)
    check("an empty payload removes the board", len(entities.entities), 0)


sys.exit(asyncio.run(main(*sys.argv[1:3])))
