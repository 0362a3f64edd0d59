import { SpanStatusCode } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { expect, it } from 'vitest'
import { contentFree } from '../../../src/telemetry/tracing/content-free.ts'
import { expectNothingPlanted, plant } from '../../helpers/planted.ts'

/** What is sent of a span that an error and a caller have had their say in. */
function sent(attributes: Readonly<Record<string, string>>) {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor(contentFree(exporter))]
  const tracer = new BasicTracerProvider({ spanProcessors }).getTracer('test')
  const span = tracer.startSpan('request', { attributes })
  span.recordException(new Error(plant('exception')))
  span.addEvent(plant('event'), { text: plant('event') })
  span.setStatus({ code: SpanStatusCode.ERROR, message: plant('status') })
  span.end()
  const [found] = exporter.getFinishedSpans()
  if (found === undefined) throw new Error('nothing was sent')
  const { name, status, events } = found
  return { name, status, events, attributes: found.attributes }
}

it('sends neither what errors say nor what stands in a URL', () => {
  const span = sent({ 'url.path': `/${plant('path')}?key=${plant('query')}`, kept: 'yes' })
  expect(span).toMatchObject({
    name: 'request',
    status: { code: SpanStatusCode.ERROR },
    attributes: { 'url.path': 'unmatched', kept: 'yes' },
  })
  expectNothingPlanted(JSON.stringify(span))
})

it('names the route where there is one', () => {
  const route = '/v1/files/:id'
  const span = sent({ 'url.path': `/v1/files/${plant('path')}`, 'http.route': route })
  expect(span.attributes).toEqual({ 'url.path': route, 'http.route': route })
})

it('leaves spans alone that have no URL', () => {
  expect(sent({ 'precis.stage': 'prune' }).attributes).toEqual({ 'precis.stage': 'prune' })
})
