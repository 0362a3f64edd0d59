import { stringify } from 'yaml'
import { buildApp } from '../src/app.ts'
import { createAppServices } from '../src/app-services.ts'
import { loadConfig } from '../src/config.ts'
import { OptionsSchema } from '../src/contract/options.ts'

/** The document that the service serves, as the text of openapi.yaml. */
export async function openapiDocument(): Promise<string> {
  const { config } = loadConfig({}, OptionsSchema)
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
