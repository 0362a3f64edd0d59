// biome-ignore-all lint/performance/useDomNodeTextContent: the text as it is seen, line ends among it
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, type Inspector, startInspector } from './support/chromium.ts'
import { BROKEN, longConversation, ODD_NUMBERS } from './support/conversations.ts'

const KEY = 'inspector-test-key'

/** A page whose first paint takes a second: what runs after it is late, what the network brings is not. */
const LATE_EFFECTS = `
  const { setTimeout } = window
  window.requestAnimationFrame = (paint) => setTimeout(paint, 1_000)
  window.setTimeout = (run, delay, ...rest) => setTimeout(run, delay + 1_000, ...rest)
`

describe.skipIf(CHROMIUM === undefined)('the inspector, in Chromium', { timeout: 60_000 }, () => {
  let inspector: Inspector
  let page: Page

  beforeAll(async () => {
    inspector = await startInspector()
  }, 60_000)
  afterEach(async () => {
    await page.context().close()
    expect(inspector.complaints).toEqual([])
  })
  afterAll(() => inspector.close())

  const paste = async (text: string) => {
    await page.getByLabel('Conversation as JSON').fill(text)
    await page.getByRole('button', { name: 'Inspect' }).click()
  }
  const example = async () => {
    await page.getByRole('button', { name: 'Load the example' }).click()
    await page.getByRole('row').first().waitFor()
  }
  const drop = async (text: string) => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(text)}], 'dropped.json'))
      return transfer
    })()`)
    await page.dispatchEvent('body', 'drop', { dataTransfer })
  }
  const headline = () => page.locator('.headline').innerText()
  const source = () => page.locator('.outcome > .fine')
  const saysReplayed = () => page.getByText('no model was asked').waitFor()

  it('shows what became of the bundled example, message by message', async () => {
    page = await inspector.open()
    await example()
    const text = await headline()
    expect(text).toMatch(/26,\d{3}\s*→/)
    expect(text).toContain('fits')
    const rows = page.getByRole('row')
    await expect.poll(() => rows.first().innerText()).toMatch(/Kept\s+instructions/)
    const show = page.getByRole('combobox', { name: /^Show/ })
    await show.selectOption('judged')
    await page.getByRole('grid').focus()
    await page.keyboard.press('Home')
    const detail = page.getByRole('article', { name: 'Selected message' })
    await expect.poll(() => detail.innerText()).toMatch(/P\(needed\)\s*[\d.<]+/)
    await show.selectOption('dropped')
    await page.keyboard.press('Tab')
    await expect.poll(() => rows.first().innerText()).toMatch(/\d+ → 0/)
  })

  it('moves the outcome with the thresholds, and asks no model for it', async () => {
    page = await inspector.open()
    const bodies: { replay?: object; record?: boolean }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/compact')) bodies.push(request.postDataJSON())
    })
    await example()
    await expect.poll(() => source().innerText()).toContain('was asked 27 questions')
    const dropped = () => page.locator('.stages li').first().innerText()
    const before = await dropped()
    await page.getByRole('slider', { name: 'Risk budget' }).press('End')
    await saysReplayed()
    const freed = await dropped()
    expect(freed).not.toBe(before)
    await page.getByRole('slider', { name: 'Confidence to drop' }).press('End')
    await expect.poll(dropped).toContain('found nothing to change')
    await page.getByRole('button', { name: "Back to the service's own" }).click()
    await expect.poll(dropped).toBe(before)
    expect(bodies.filter(({ record }) => record === true)).toHaveLength(1)
    expect(bodies.filter(({ replay }) => replay !== undefined).length).toBeGreaterThanOrEqual(3)
  })

  it('answers a burst of moves with one request, and shows the last', async () => {
    page = await inspector.open()
    await example()
    let requests = 0
    page.on('request', () => {
      requests += 1
    })
    const slider = page.getByRole('slider', { name: 'Share that may go' })
    await slider.focus()
    // On a busy machine a press takes longer than the page waits for the next one: its time stands still meanwhile.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    for (let press = 0; press < 30; press += 1) await page.keyboard.press('ArrowLeft')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain('20 percent')
    expect(requests).toBe(0)
    await page.clock.resume()
    await saysReplayed()
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    expect(requests).toBe(1)
  })

  it('takes a target in percent of a pasted list, and says what was left out of a body', async () => {
    page = await inspector.open()
    const { messages } = JSON.parse(longConversation(60))
    await paste(JSON.stringify(messages))
    await page.getByRole('row').first().waitFor()
    const numbers = (await headline())
      .match(/[\d,]+/g)
      ?.map((text) => Number(text.replace(',', '')))
    const [all = 0, left = 0] = numbers ?? []
    expect(left).toBeLessThanOrEqual(Math.round(all / 2))
    await page.getByRole('slider', { name: /Of what it is now/ }).press('Home')
    await expect.poll(headline).toContain('does not fit')
    await page.getByRole('button', { name: 'Put away' }).click()
    await paste(JSON.stringify({ messages, temperature: 0.2, stream: true }))
    await expect
      .poll(() => page.getByRole('complementary').innerText())
      .toContain('left out: temperature, stream')
  })

  it('reads a dropped file and hands back every byte of what it did not change', async () => {
    page = await inspector.open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await drop(ODD_NUMBERS)
    await page.getByRole('row').first().waitFor()
    await page.getByRole('button', { name: 'Copy the conversation' }).click()
    await page.getByText('The conversation was copied.').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    const start = ODD_NUMBERS.indexOf('[')
    expect(copied).toBe(ODD_NUMBERS.slice(start, ODD_NUMBERS.lastIndexOf(']') + 1))
  })

  it('reads a file that is dropped before the first paint', async () => {
    page = await inspector.open()
    await page.addInitScript({ content: LATE_EFFECTS })
    await page.reload()
    await drop(ODD_NUMBERS)
    await page.getByRole('row').first().waitFor()
  })

  it('downloads the report with the recorded answers and without the conversation', async () => {
    page = await inspector.open()
    await example()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the report' }).click()
    const download = await waiting
    expect(download.suggestedFilename()).toBe('precis-report.json')
    const report = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(report).toMatchObject({ outcome: 'compacted', format: 'openai-chat' })
    expect(report.actions.length).toBeGreaterThanOrEqual(133)
    expect(report.recording.decide.calls[0].answers).toHaveLength(27)
    expect(report.messages).toBeUndefined()
  })

  it('shows a problem document as what it is, with the message that it points at', async () => {
    page = await inspector.open()
    await paste(BROKEN)
    const problem = page.getByRole('alert')
    const text = await problem.innerText()
    expect(text).toContain('The conversation is not valid for its format')
    expect(text).toContain('/messages/1/content')
    expect(text).toContain('content-type')
    expect(text).toContain('"content":17')
    expect(text).toContain('HTTP 422 · invalid-conversation')
  })

  it('says where a text stops being JSON, and what holds no conversation', async () => {
    page = await inspector.open()
    await paste('{ "messages": [ {"role": "user", }')
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/line 1, column 3\d/)
    await paste('{ "prompt": "hi" }')
    await expect
      .poll(() => page.getByRole('alert').innerText())
      .toContain('none of the members messages, input and contents')
  })

  it('keeps what it shows apart from a request that failed', async () => {
    page = await inspector.open()
    await example()
    await page.route('**/compact', (route) => route.abort())
    await page.getByRole('slider', { name: 'Confidence to drop' }).press('ArrowRight')
    const problem = page.getByRole('alert')
    await expect.poll(() => problem.innerText()).toContain('The service did not answer')
    expect(await problem.innerText()).toContain('What stands below is from before.')
    await page.unroute('**/compact')
    // Chromium's own, which is told apart from what the page does.
    await expect
      .poll(() => inspector.complaints.splice(0))
      .toEqual([expect.stringContaining('net::ERR_FAILED')])
    await page.getByRole('slider', { name: 'Confidence to drop' }).press('ArrowRight')
    await expect.poll(() => problem.count()).toBe(0)
  })
})

describe.skipIf(CHROMIUM === undefined)('the inspector of a service with keys', () => {
  it('asks for one though the settings came before the first paint', {
    timeout: 60_000,
  }, async () => {
    const inspector = await startInspector({ PRECIS_API_KEYS: KEY })
    try {
      const page = await inspector.open()
      await page.addInitScript({ content: LATE_EFFECTS })
      await page.reload()
      await page.getByLabel('API key').waitFor()
    } finally {
      await inspector.close()
    }
  })

  it('asks for one, keeps it in memory only, and sends it', { timeout: 60_000 }, async () => {
    const inspector = await startInspector({ PRECIS_API_KEYS: KEY })
    try {
      const page = await inspector.open()
      await page.getByRole('button', { name: 'Load the example' }).click()
      await page.getByRole('heading', { name: 'A valid API key is required' }).waitFor()
      const field = page.getByLabel('API key')
      await field.fill(KEY)
      await field.press('Enter')
      await page.getByRole('row').first().waitFor()
      const stored = '[localStorage.length, sessionStorage.length, document.cookie]'
      expect(await page.evaluate(stored)).toEqual([0, 0, ''])
      await page.reload()
      expect(await page.getByLabel('API key').inputValue()).toBe('')
    } finally {
      await inspector.close()
    }
  })
})
