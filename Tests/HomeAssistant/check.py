"""Checks retained messages by Home Assistant's own schemas, and renders their templates.

The file named first holds an object: "messages" by topic, a "state" and an "event" as Kinema sends them, and
"blueprints", paths of YAML files. Prints what each template makes of the state or the event, by unique id.
"""

import asyncio
import importlib
import json
import sys
import tempfile

import jinja2
import voluptuous
from homeassistant.components.blueprint.schemas import BLUEPRINT_SCHEMA
from homeassistant.components.mqtt import device_trigger
from homeassistant.components.mqtt.schemas import MQTT_ORIGIN_INFO_SCHEMA
from homeassistant.core import HomeAssistant
from homeassistant.helpers import frame
from homeassistant.util.yaml import load_yaml

# Home Assistant records at most so many bytes of an entity's attributes (components/recorder/db_schema.py).
MOST_ATTRIBUTES = 16384


def environment():
    """Templates as Home Assistant reads them: a sandbox, and JSON."""
    from jinja2.sandbox import ImmutableSandboxedEnvironment
    templates = ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined)
    templates.filters["to_json"] = json.dumps
    templates.globals["dict"] = dict
    return templates


def checked(topic, config):
    """The configuration as Home Assistant takes it; members that it does not know are an error."""
    parts = topic.split("/")
    assert len(parts) == 5 and parts[4] == "config", topic
    component = parts[1]
    config = dict(config)
    MQTT_ORIGIN_INFO_SCHEMA(config.pop("origin"))
    if component == "device_automation":
        schema = device_trigger.TRIGGER_DISCOVERY_SCHEMA
    else:
        schema = importlib.import_module(f"homeassistant.components.mqtt.{component}").DISCOVERY_SCHEMA
    valid = schema(config)
    lost = set(config) - set(valid)
    assert not lost, f"{topic}: Home Assistant does not know {sorted(lost)}"
    return component, config


async def main():
    # Schemas of templates ask for the instance.
    frame.async_setup(HomeAssistant(tempfile.gettempdir()))
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    templates = environment()
    ids, values = set(), {}
    for topic, config in sorted(given["messages"].items()):
        try:
            component, config = checked(topic, config)
        except voluptuous.Invalid as error:
            sys.exit(f"{topic}: {error}")
        if "unique_id" in config:
            assert config["unique_id"] not in ids, f"{topic}: the unique id is used twice"
            ids.add(config["unique_id"])
        if "value_template" not in config:
            continue
        is_event = component in ("event", "device_automation")
        value = templates.from_string(config["value_template"]).render(
            value_json=given["event" if is_event else "state"])
        if component == "binary_sensor":
            assert value in ("ON", "OFF"), f"{topic}: {value}"
        if config.get("device_class") == "enum":
            assert value in config["options"], f"{topic}: {value}"
        if component == "event":
            event = json.loads(value)
            assert event["event_type"] in config["event_types"], f"{topic}: {value}"
            assert len(value) < MOST_ATTRIBUTES, f"{topic}: {len(value)} bytes"
        if component == "device_automation":
            continue
        values[config["unique_id"]] = value
        for place in config["availability"]:
            if "value_template" in place:
                values[config["unique_id"] + " available"] = templates.from_string(
                    place["value_template"]).render(value_json=given["state"])
    for path in given["blueprints"]:
        BLUEPRINT_SCHEMA(load_yaml(path))
    print(json.dumps(values, sort_keys=True))


asyncio.run(main())
