"""Compacts what LiteLLM's proxy sends on, by a call of Precis before each request.

The guardrail `headroom` of LiteLLM calls Precis as it is, and is the first choice. This callback is for
what that contract cannot say: the request's tools and system take room in the budget, the answer's size is
reserved, and requests of the Responses API are compacted too.

    litellm_settings:
      callbacks: precis_callback.precis

Put this file beside LiteLLM's config.yaml. It needs nothing but httpx, which LiteLLM has. Settings, all by
environment: PRECIS_URL (http://127.0.0.1:8080), PRECIS_API_KEY, PRECIS_TIMEOUT in seconds (10), PRECIS_PROFILE,
PRECIS_TARGET_TOKENS, PRECIS_LOW_WATER (0.5). A request may set `metadata.precis`: {"bypass": true},
{"targetTokens": 50000}, {"profile": "agent"}; no provider sees it.

What goes on from a conversation that the provider has stored is left alone: most of the prompt is not in it, and its results
answer calls that are not either.

Whatever goes wrong, the request goes on as it came, and a line in the log says why, without its text.
"""

import asyncio
import logging
import os

import httpx
from litellm.integrations.custom_logger import CustomLogger

logger = logging.getLogger("precis")

FORMATS = {
    "completion": ("openai-chat", "messages"),
    "acompletion": ("openai-chat", "messages"),
    "anthropic_messages": ("anthropic-messages", "messages"),
    "responses": ("openai-responses", "input"),
    "aresponses": ("openai-responses", "input"),
}

# What belongs to a conversation besides its messages, by the names that the providers give it.
BESIDE = {
    "openai-chat": ("model", "tools", "functions"),
    "anthropic-messages": ("model", "tools", "system", "thinking"),
    "openai-responses": ("model", "tools", "instructions"),
}

OUTPUT_LIMITS = ("max_completion_tokens", "max_output_tokens", "max_tokens")


class Precis(CustomLogger):
    def __init__(self):
        super().__init__()
        self.url = os.environ.get("PRECIS_URL", "http://127.0.0.1:8080").rstrip("/") + "/compact"
        self.key = os.environ.get("PRECIS_API_KEY")
        self.timeout = float(os.environ.get("PRECIS_TIMEOUT", "10"))
        self.defaults = {
            "profile": os.environ.get("PRECIS_PROFILE"),
            "targetTokens": _number(os.environ.get("PRECIS_TARGET_TOKENS")),
            # The client posts its whole history on every turn: see docs/steps.md.
            "lowWater": _number(os.environ.get("PRECIS_LOW_WATER", "0.5")),
        }
        self.client = None

    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        try:
            asked = _take_asked(data)
            format_name, member = FORMATS.get(getattr(call_type, "value", call_type), (None, None))
            if member is None or not data.get(member) or asked.get("bypass"):
                return data
            if _goes_on_from_held(format_name, data):
                return data
            answer = await asyncio.wait_for(
                self._compact(format_name, member, data, asked), self.timeout
            )
            if answer is not None:
                data[member] = answer
        except Exception as error:  # a compactor that fails is no reason to fail a request
            logger.warning("precis: request sent on as it came (%s)", type(error).__name__)
        return data

    async def _compact(self, format_name, member, data, asked):
        body = {name: data[name] for name in BESIDE[format_name] if data.get(name) is not None}
        body.update({name: value for name, value in self.defaults.items() if value is not None})
        body.update({name: asked[name] for name in ("profile", "targetTokens") if name in asked})
        limit = next((data[name] for name in OUTPUT_LIMITS if data.get(name)), None)
        if isinstance(limit, int):
            body["maxOutputTokens"] = limit
        body.update({"format": format_name, member: data[member], "explain": "none"})

        if self.client is None:
            self.client = httpx.AsyncClient(timeout=self.timeout)
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        response = await self.client.post(self.url, json=body, headers=headers)
        if response.status_code != 200:
            code = response.json().get("code") if "json" in response.headers["content-type"] else None
            logger.warning("precis: answered %s %s", response.status_code, code)
            return None
        result = response.json()
        compacted = result.get(member)
        if result.get("compacted") is not True or not compacted:
            return None
        logger.info("precis: %s tokens -> %s", result["tokensBefore"], result["tokensAfter"])
        return compacted


def _take_asked(data):
    """What the request asks of Precis. LiteLLM sends the metadata of a response or a message on, and their providers
    refuse an object in it."""
    asked = {}
    for name in ("litellm_metadata", "metadata"):
        metadata = data.get(name)
        # In place: LiteLLM's logging holds the same object.
        found = metadata.pop("precis", None) if isinstance(metadata, dict) else None
        asked.update(found if isinstance(found, dict) else {})
    return asked


def _goes_on_from_held(format_name, data):
    if format_name == "openai-responses":
        return data.get("previous_response_id") is not None or data.get("conversation") is not None
    thread = data.get("thread") if format_name == "anthropic-messages" else None
    return isinstance(thread, dict) and thread.get("type") != "create"


def _number(text):
    return None if not text else float(text) if "." in text else int(text)


precis = Precis()
