import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { DOCUMENTED_ENVIRONMENT, openapiDocument } from '../../scripts/openapi-document.ts'
import { VERSION } from '../../src/version.ts'
import { buildTestApp, type TestApp } from '../helpers/build-app.ts'

interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly responses: Readonly<Record<string, Response>>
}
interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}
interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

let committed: string
let document: Document
let test: TestApp

beforeAll(async () => {
  committed = await read('openapi.yaml')
  document = parse(committed)
  test = await buildTestApp({ environment: DOCUMENTED_ENVIRONMENT })
})
afterAll(() => test.app.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

/** Routes of a printed tree, in which a line has what its path has more than that of the line it hangs on. */
function routesOf(tree: string): string[] {
  const paths: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part, methods] = /^(.*[├└]── )(\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    if (part === undefined) return []
    const depth = indent.length / 4 - 1
    const path = `${paths[depth - 1] ?? ''}${part}`
    paths.splice(depth, Number.POSITIVE_INFINITY, path)
    const url = path.replace(/:(\w+)/g, '{$1}')
    return methods === undefined ? [] : methods.split(', ').map((method) => `${method} ${url}`)
  })
}

describe('openapi.yaml', () => {
  it('is what the code says', async () => {
    expect(committed).toBe(await openapiDocument())
  })

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(parse(committed))
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
    expect(document.openapi).toBe('3.1.0')
  })

  it('is served by the service', async () => {
    const response = await test.app.inject('/openapi.json')
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect(response.json()).toEqual(document)
  })

  it('has the version of the package', async () => {
    const { version } = JSON.parse(await read('package.json'))
    expect([document.info.version, VERSION]).toEqual([version, version])
  })

  it('describes every route of the app and no other', () => {
    const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    for (const route of described) {
      const [method = '', url = ''] = route.split(' ')
      expect(test.app.hasRoute({ method, url: url.replace(/\{(\w+)\}/g, ':$1') })).toBe(true)
    }
    // What the proxy passes on unlisted is the provider's to describe. The files of the inspector are there
    // once it has been built, and no part of the API.
    const routes = routesOf(test.app.printRoutes({ commonPrefix: false })).filter(
      (route) => !route.endsWith('*') && !/ \/ui(\/|$)/.test(route),
    )
    expect(routes.filter((route) => !route.startsWith('HEAD ')).sort()).toEqual(described.sort())
  })

  it('names every operation, once', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operation } of operations()) expect(operation.tags).toHaveLength(1)
  })

  it('has schemas that compile, and that the answers of the open routes follow', async () => {
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema(document, 'document')
    const check = (path: string, status: string, type: string, value: unknown) => {
      const pointer = ['paths', path, 'get', 'responses', status, 'content', type, 'schema']
        .map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'))
        .join('/')
      const validate = ajv.compile({ $ref: `document#/${pointer}` })
      expect([validate(value), validate.errors]).toEqual([true, null])
    }
    const get = async (url: string) => (await test.app.inject(url)).json()
    check('/healthz', '200', 'application/json', await get('/healthz'))
    check('/readyz', '200', 'application/json', await get('/readyz'))
    test.services.setPhase('leaving')
    check('/readyz', '503', 'application/json', await get('/readyz'))
    for (const { path, method, operation } of operations()) {
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const type of Object.keys(content)) {
          const pointer = ['paths', path, method, 'responses', status, 'content', type, 'schema']
            .map((name) => name.replaceAll('/', '~1'))
            .join('/')
          expect(() => ajv.compile({ $ref: `document#/${pointer}` })).not.toThrow()
        }
      }
    }
  })
})
