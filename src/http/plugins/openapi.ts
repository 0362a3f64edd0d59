import swagger from '@fastify/swagger'
import fastifyPlugin from 'fastify-plugin'
import { VERSION } from '../../version.ts'

/** Collects the document from the schemas of the routes that are registered after it. */
export const openapi = fastifyPlugin(
  async (app) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Precis',
          version: VERSION,
          description:
            'Compaction as a service: post a conversation, get it back smaller, still valid for its provider, with a reason for every change.',
          license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        },
        servers: [{ url: '/', description: 'The instance that serves this document.' }],
        tags: [
          { name: 'compaction', description: 'What the service is for.' },
          { name: 'proxy', description: "The providers' own APIs, on the way to them." },
          { name: 'gateways', description: 'What gateways already call, by their own contracts.' },
          { name: 'operation', description: 'Health, metrics and this document.' },
        ],
        components: {
          securitySchemes: {
            apiKey: {
              type: 'http',
              scheme: 'bearer',
              description: 'Asked for only where PRECIS_API_KEYS is set.',
            },
            proxyKey: {
              type: 'apiKey',
              in: 'header',
              name: 'x-precis-api-key',
              description: 'Asked for by proxied routes, and only where PRECIS_API_KEYS is set.',
            },
          },
        },
        // Either a key or none: whether keys are asked for is the operator's choice.
        security: [{ apiKey: [] }, {}],
      },
      refResolver: {
        buildLocalReference: (schema, _baseUri, _fragment, index) => {
          return typeof schema.$id === 'string' ? schema.$id : `schema-${index}`
        },
      },
    })
  },
  { name: 'openapi', fastify: '5.x' },
)
