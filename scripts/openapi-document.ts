import { stringify } from 'yaml'
import { buildApp } from '../src/app.ts'
import { createAppServices } from '../src/app-services.ts'
import { loadConfig } from '../src/config.ts'
import { OptionsSchema } from '../src/contract/options.ts'

/** With every upstream configured: the routes of one that is not do not exist. */
export const DOCUMENTED_ENVIRONMENT = {
  PRECIS_UPSTREAM_OPENAI_URL: 'https://api.openai.com/v1',
  PRECIS_UPSTREAM_ANTHROPIC_URL: 'https://api.anthropic.com',
  PRECIS_UPSTREAM_GEMINI_URL: 'https://generativelanguage.googleapis.com',
} as const

/** The document that such a service serves, as the text of openapi.yaml. */
export async function openapiDocument(): Promise<string> {
  const { config } = loadConfig(DOCUMENTED_ENVIRONMENT, OptionsSchema)
  const services = createAppServices(config)
  const app = await buildApp({ config, services })
  try {
    await app.ready()
    return `# Written by scripts/write-openapi.ts from the schemas of the routes. Do not edit.\n${stringify(
      app.swagger(),
      { lineWidth: 100, aliasDuplicateObjects: false },
    )}`
  } finally {
    await app.close()
  }
}
