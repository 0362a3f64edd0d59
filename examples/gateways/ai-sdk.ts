/** The AI SDK: one line changes, the base URL of its provider. `npx tsx examples/gateways/ai-sdk.ts` */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { demonstrate, readPart } from './support/demonstrate.ts'

await demonstrate({
  what: 'ai, with @ai-sdk/openai',
  model: 'gpt-4o',
  environment: (upstream) => ({ PRECIS_UPSTREAM_OPENAI_URL: `${upstream}/v1` }),
  work: async ({ upstream, precis = upstream }) => {
    const openai = createOpenAI({ apiKey: 'your key', baseURL: `${precis}/v1` })
    const { text } = await generateText({
      model: openai('gpt-4o'),
      prompt: 'Read all parts of the module.',
      stopWhen: stepCountIs(40),
      tools: {
        read_part: tool({
          description: 'Reads one part of the module.',
          inputSchema: jsonSchema<{ step: number }>({
            type: 'object',
            properties: { step: { type: 'integer' } },
            required: ['step'],
          }),
          execute: async ({ step }) => readPart(step),
        }),
      },
    })
    return text
  },
})
