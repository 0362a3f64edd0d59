/** The Anthropic SDK: one line changes, its base URL. `npx tsx examples/gateways/anthropic.ts` */
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { demonstrate, readPart } from './support/demonstrate.ts'

const MODEL = 'claude-opus-5-5'

await demonstrate({
  what: '@anthropic-ai/sdk',
  model: MODEL,
  environment: (upstream) => ({ PRECIS_UPSTREAM_ANTHROPIC_URL: upstream }),
  work: async ({ upstream, precis = upstream }) => {
    const client = new Anthropic({ apiKey: 'your key', baseURL: precis })
    const message = await client.beta.messages
      .toolRunner({
        model: MODEL,
        max_tokens: 500,
        max_iterations: 40,
        messages: [{ role: 'user', content: 'Read all parts of the module.' }],
        tools: [
          betaTool({
            name: 'read_part',
            description: 'Reads one part of the module.',
            inputSchema: {
              type: 'object',
              properties: { step: { type: 'integer' } },
              required: ['step'],
            },
            run: ({ step }) => readPart(step),
          }),
        ],
        // The whole history goes with each request; a thread that the provider holds is its own.
        thread: false,
      })
      .runUntilDone()
    return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  },
})
