import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { ConversationServices } from '../../conversation/services.ts'
import { PROFILE_NAMES, resolveOptions } from '../../engine/options.ts'
import { FORMAT_IDS } from '../../formats/adapter.ts'
import { VERSION } from '../../version.ts'
import { etagOf, UI_FILE_NAMES, type UiFile, type UiFileName, type UiFiles } from '../ui-files.ts'

export interface UiRouteOptions {
  readonly files: UiFiles
  readonly config: Config
  readonly conversation: Pick<ConversationServices, 'decide'>
}

/** Nothing comes from elsewhere, nothing is inline, and nobody frames the page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // A new version of the service has a new page; the tag makes asking cheap.
  'cache-control': 'no-cache',
} as const

/**
 * The inspector: a page and what it needs, all from this service. It holds no conversation and needs no
 * key; what it posts to /compact does.
 */
export const uiRoute: FastifyPluginAsync<UiRouteOptions> = async (
  app,
  { files, config, conversation },
) => {
  const settings = jsonFile(settingsOf(config, conversation))
  const get = (path: string, file: UiFile) => {
    app.get(path, { config: { open: true }, schema: { hide: true } }, async (request, reply) =>
      send(file, request, reply),
    )
  }
  get('/ui', files['index.html'])
  for (const name of UI_FILE_NAMES.filter(isLinked)) get(`/ui/${name}`, files[name])
  get('/ui/settings.json', settings)
  // The page's links are relative to /ui, so that it works behind any prefix.
  app.get('/ui/', { config: { open: true }, schema: { hide: true } }, async (_request, reply) =>
    reply.redirect('../ui', 308),
  )
}

function isLinked(name: UiFileName): boolean {
  return name !== 'index.html'
}

function send({ type, bytes, etag }: UiFile, request: FastifyRequest, reply: FastifyReply) {
  void reply.headers({ ...HEADERS, etag })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type(type).send(bytes)
}

function jsonFile(value: object): UiFile {
  const bytes = Buffer.from(JSON.stringify(value))
  return { type: 'application/json', bytes, etag: etagOf(bytes) }
}

/** What the page has to know of the deployment. No secret, and no address of anything. */
function settingsOf({ compaction, server }: Config, { decide }: UiRouteOptions['conversation']) {
  return {
    version: VERSION,
    keyRequired: server.apiKeys.length > 0 || server.apiKeysFile !== undefined,
    defaultProfile: compaction.defaultProfile,
    profiles: Object.fromEntries(
      PROFILE_NAMES.map((name) => [name, resolveOptions(name, compaction.options)]),
    ),
    formats: FORMAT_IDS,
    decide:
      decide === undefined
        ? null
        : {
            wire: decide.traits.wire,
            model: decide.traits.model,
            order: decide.traits.order,
            riskBudget: decide.traits.riskBudget ?? null,
          },
  }
}
