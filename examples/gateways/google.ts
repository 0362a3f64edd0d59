/** The Google Gen AI SDK: one line changes, its base URL. `npx tsx examples/gateways/google.ts` */
import { GoogleGenAI } from '@google/genai'
import { demonstrate, readPart } from './support/demonstrate.ts'

const MODEL = 'gemini-2.5-pro'

await demonstrate({
  what: '@google/genai',
  model: MODEL,
  environment: (upstream) => ({ PRECIS_UPSTREAM_GEMINI_URL: upstream }),
  work: async ({ upstream, precis = upstream }) => {
    const client = new GoogleGenAI({ apiKey: 'your key', httpOptions: { baseUrl: precis } })
    const response = await client.models.generateContent({
      model: MODEL,
      contents: 'Read all parts of the module.',
      config: {
        automaticFunctionCalling: { maximumRemoteCalls: 40 },
        tools: [
          {
            tool: async () => ({
              functionDeclarations: [
                {
                  name: 'read_part',
                  description: 'Reads one part of the module.',
                  parametersJsonSchema: {
                    type: 'object',
                    properties: { step: { type: 'integer' } },
                  },
                },
              ],
            }),
            callTool: async (calls) =>
              calls.map(({ id = '', name = '', args }) => ({
                functionResponse: { id, name, response: { output: readPart(Number(args?.step)) } },
              })),
          },
        ],
      },
    })
    return response.text ?? ''
  },
})
