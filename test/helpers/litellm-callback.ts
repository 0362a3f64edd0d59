/** Runs deploy/litellm/precis_callback.py as LiteLLM would: its class loaded, its hook awaited. */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CALLBACK_FOLDER = fileURLToPath(new URL('../../deploy/litellm', import.meta.url))

/** Debian's own: a version manager's python has none of Debian's packages. */
const PYTHON = process.env.PRECIS_TEST_PYTHON ?? '/usr/bin/python3'

export function hasHttpx(): boolean {
  return spawnSync(PYTHON, ['-c', 'import httpx']).status === 0
}

export interface HookCall {
  readonly data: Readonly<Record<string, unknown>>
  readonly callType: string
}

export interface HookOutcome {
  readonly data: Record<string, unknown>
  readonly log: string
  readonly seconds: number
}

/** The base class as far as a callback uses it (`litellm/integrations/custom_logger.py`). */
const HARNESS = `
import asyncio, json, logging, sys, time, types

class CustomLogger:
    def __init__(self, *args, **kwargs):
        self.message_logging = True

litellm = types.ModuleType("litellm")
integrations = types.ModuleType("litellm.integrations")
custom_logger = types.ModuleType("litellm.integrations.custom_logger")
custom_logger.CustomLogger = CustomLogger
sys.modules.update({
    "litellm": litellm,
    "litellm.integrations": integrations,
    "litellm.integrations.custom_logger": custom_logger,
})
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
logging.basicConfig(level=logging.INFO, stream=sys.stderr)
logging.getLogger("httpx").setLevel(logging.ERROR)

from precis_callback import precis

assert isinstance(precis, CustomLogger) and precis.message_logging

async def run():
    outcomes = []
    for call in json.load(sys.stdin):
        started = time.monotonic()
        data = await precis.async_pre_call_hook(
            user_api_key_dict=object(), cache=object(), data=call["data"], call_type=call["callType"]
        )
        outcomes.append({"data": data, "seconds": time.monotonic() - started})
    return outcomes

json.dump(asyncio.run(run()), sys.stdout)
`

/** Calls the hook once for each call, in one process, and returns what LiteLLM would send on. */
export async function runHook(
  calls: readonly HookCall[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly HookOutcome[]> {
  const child = spawn(PYTHON, ['-c', HARNESS, CALLBACK_FOLDER], {
    env: { PATH: process.env.PATH ?? '', ...environment },
  })
  let output = ''
  let log = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  child.stdin.end(JSON.stringify(calls))
  const status = await new Promise((resolve) => child.once('close', resolve))
  if (status !== 0) throw new Error(`the callback's process ended with ${status}: ${log}`)
  const outcomes = JSON.parse(output) as { data: Record<string, unknown>; seconds: number }[]
  return outcomes.map((outcome) => ({ ...outcome, log }))
}
