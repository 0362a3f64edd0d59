/** The Portkey gateway, with Precis as the webhook of a guardrail. `npx tsx examples/gateways/portkey.ts` */
import OpenAI from 'openai'
import { startPortkey } from '../../test/gateways/start-portkey.ts'
import { demonstrate, readPart } from './support/demonstrate.ts'

const portkey = await startPortkey()

await demonstrate({
  what: 'Portkey, and openai before it',
  model: 'gpt-4o',
  work: async ({ upstream, precis }) => {
    const config = {
      provider: 'openai',
      api_key: 'your key',
      custom_host: `${upstream}/v1`,
      // This is all that Portkey is told of Precis.
      before_request_hooks: precis === undefined ? [] : [guardrail(`${precis}/webhooks/portkey`)],
    }
    const client = new OpenAI({
      apiKey: 'your key',
      baseURL: `${portkey.origin}/v1`,
      defaultHeaders: { 'x-portkey-config': JSON.stringify(config) },
    })
    const runner = client.chat.completions.runTools(
      {
        model: 'gpt-4o',
        messages: [{ role: 'user', content: 'Read all parts of the module.' }],
        tools: [
          {
            type: 'function',
            function: {
              name: 'read_part',
              description: 'Reads one part of the module.',
              parameters: { type: 'object', properties: { step: { type: 'integer' } } },
              parse: (text: string) => JSON.parse(text) as { step: number },
              function: ({ step }: { step: number }) => readPart(step),
            },
          },
        ],
      },
      { maxChatCompletions: 40 },
    )
    return (await runner.finalContent()) ?? ''
  },
})

await portkey.close()

function guardrail(webhookURL: string) {
  const check = { id: 'default.webhook', parameters: { webhookURL, timeout: 3_000 } }
  return { type: 'guardrail', id: 'precis', deny: false, checks: [check] }
}
