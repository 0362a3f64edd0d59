/** The OpenAI SDK: one line changes, its base URL. `npx tsx examples/gateways/openai.ts` */
import OpenAI from 'openai'
import { demonstrate, readPart } from './support/demonstrate.ts'

await demonstrate({
  what: 'openai',
  model: 'gpt-4o',
  environment: (upstream) => ({ PRECIS_UPSTREAM_OPENAI_URL: `${upstream}/v1` }),
  work: async ({ upstream, precis = upstream }) => {
    const client = new OpenAI({ apiKey: 'your key', baseURL: `${precis}/v1` })
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
