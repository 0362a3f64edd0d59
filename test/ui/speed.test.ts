import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TIMED } from '../helpers/timed.ts'
import { CHROMIUM, type Inspector, startInspector } from './support/chromium.ts'
import { longConversation } from './support/conversations.ts'

const MESSAGES = 2_000

/**
 * Longest piece of work while scrolling, in milliseconds of the processor: what waits for a processor that
 * others have says nothing of the page. A person notices 100; a machine may be slower by half than this one.
 */
const LONGEST_TASK_MS = 50

/** Scrolls like a wheel that is turned fast, one step per frame, down and up again. */
const SCROLL = `new Promise((done) => {
  const box = document.getElementById('messages')
  let step = 0
  const next = () => {
    step += 1
    box.scrollTop += step <= 120 ? 700 : -700
    if (step < 240) requestAnimationFrame(next)
    else setTimeout(() => done(box.scrollTop), 100)
  }
  requestAnimationFrame(next)
})`

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly args: { readonly name?: string }
  /** Microseconds of the processor. */
  readonly tdur?: number
}

/** Processor time of each task of the page's main thread while it does something. */
async function tasksWhile(page: Page, work: () => Promise<unknown>): Promise<readonly number[]> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page has no browser')
  await browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  const trace = await browser.stopTracing()
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mainThreads = new Set(
    traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf),
  )
  return traceEvents
    .filter((event) => event.name.endsWith('::RunTask') && mainThreads.has(threadOf(event)))
    .flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]))
}

describe.skipIf(CHROMIUM === undefined)(
  `the inspector with ${MESSAGES} messages`,
  { timeout: 120_000 },
  () => {
    let inspector: Inspector
    let page: Page

    beforeAll(async () => {
      inspector = await startInspector()
      page = await inspector.open()
      await page.getByLabel('File with a conversation').setInputFiles({
        name: 'long.json',
        mimeType: 'application/json',
        buffer: Buffer.from(longConversation(MESSAGES)),
      })
      await page.getByRole('row').first().waitFor({ timeout: 60_000 })
    }, 120_000)
    afterAll(() => inspector.close())

    it('has only the rows in sight', async () => {
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(MESSAGES + 1))
      expect(await page.getByRole('row').count()).toBeLessThan(40)
    })

    it('scrolls without a pause that anybody would notice', TIMED, async () => {
      const tasks = await tasksWhile(page, () => page.evaluate(SCROLL))
      const longest = Math.max(...tasks)
      const all = tasks.reduce((sum, task) => sum + task, 0)
      console.info(
        `240 frames: ${(all / 240).toFixed(1)} ms of the processor each, longest task ${longest.toFixed(1)} ms`,
      )
      expect(tasks.length).toBeGreaterThan(240)
      expect(longest).toBeLessThanOrEqual(LONGEST_TASK_MS)
    })

    it('goes to any message at once, and back from a replay in a moment', async () => {
      await page.getByRole('grid').press('End')
      const detail = page.getByRole('article', { name: 'Selected message' })
      await expect.poll(() => detail.textContent()).toContain(`Message ${MESSAGES - 1}`)
      const startedAt = performance.now()
      await page.getByRole('slider', { name: 'Confidence to drop' }).press('End')
      await page.getByText('no model was asked').waitFor()
      console.info(`a replay took ${Math.round(performance.now() - startedAt)} ms in all`)
      await page.getByRole('searchbox').fill('case 21')
      await expect
        .poll(async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount')))
        .toBeLessThan(40)
    })
  },
)
