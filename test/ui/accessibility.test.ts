import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, type Inspector, startInspector } from './support/chromium.ts'
import { BROKEN } from './support/conversations.ts'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
  }[]
}

const NARROW = { viewport: { width: 390, height: 844 } }

describe.skipIf(CHROMIUM === undefined)('the inspector for everybody', { timeout: 60_000 }, () => {
  let inspector: Inspector

  beforeAll(async () => {
    inspector = await startInspector()
  }, 60_000)
  afterAll(() => inspector.close())

  /** The policy of the page lets no script in; the debugger is not bound by it. */
  const violations = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe.source)
    const result = await page.evaluate<AxeResult>('axe.run(document)')
    return result.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  }
  const example = async (page: Page) => {
    await page.getByRole('button', { name: 'Load the example' }).click()
    await page.getByRole('row').first().waitFor()
  }

  it.each([
    ['light', { colorScheme: 'light' } as const],
    ['dark', { colorScheme: 'dark' } as const],
    ['narrow', NARROW],
  ])('breaks no rule of axe, %s', async (_name, options) => {
    const page = await inspector.open(options)
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Conversation as JSON').fill(BROKEN)
    await page.getByRole('button', { name: 'Inspect' }).click()
    await page.getByRole('alert').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Put away' }).click()
    await example(page)
    await page.getByText('Profile, format, model, request').click()
    await page.getByRole('combobox', { name: /^Current request/ }).selectOption('text')
    await page.getByLabel('Text of the request').fill('Finish the retry work.')
    await page.getByRole('combobox', { name: /^Show/ }).selectOption('dropped')
    await page.getByRole('grid').press('End')
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  it('does not scroll sideways on a telephone', async () => {
    const page = await inspector.open(NARROW)
    await example(page)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390)
    await page.context().close()
  })

  it('can be worked with the keyboard alone, from the example to the result', async () => {
    const page = await inspector.open()
    const focused = () =>
      page.evaluate<string>(
        `(() => {
          const element = document.activeElement
          return element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText
        })()`,
      )
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab')
        if (name.test(await focused())) return
      }
      throw new Error(`the focus never came to ${name}`)
    }
    await tabTo(/Load the example/)
    await page.keyboard.press('Enter')
    await page.getByRole('row').first().waitFor()
    await tabTo(/Messages before and after/)
    await page.keyboard.press('End')
    const detail = page.getByRole('article', { name: 'Selected message' })
    await expect.poll(() => detail.textContent()).toContain('Message 132')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('ArrowUp')
    const active = () => page.getByRole('grid').getAttribute('aria-activedescendant')
    // It is named once the scrolling has been heard of, with the next frame.
    await expect.poll(active).not.toBeNull()
    const row = page.locator(`[id="${await active()}"]`)
    expect(await row.getAttribute('aria-selected')).toBe('true')
    const box = await row.boundingBox()
    const grid = await page.getByRole('grid').boundingBox()
    if (box === null || grid === null) throw new Error('the selected row is not in sight')
    expect(box.y).toBeGreaterThanOrEqual(grid.y - 1)
    expect(box.y + box.height).toBeLessThanOrEqual(grid.y + grid.height + 1)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('status').getByText('The models were asked').waitFor()
    await page.context().close()
  })

  it('says what came of it to those who do not see it', async () => {
    const page = await inspector.open()
    const said = page.getByRole('status')
    await example(page)
    await expect
      .poll(() => said.textContent())
      .toMatch(/The models were asked: [\d,]+ to [\d,]+ tokens, \d+ messages dropped, it fits\./)
    await page.getByRole('slider', { name: 'Confidence to drop' }).press('End')
    await expect.poll(() => said.textContent()).toContain('From the recorded answers:')
    const grid = page.getByRole('grid', { name: 'Messages before and after' })
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThanOrEqual(133)
    const slider = page.getByRole('slider', { name: 'Confidence to drop' })
    expect(await slider.getAttribute('aria-valuetext')).toBe('1.00: P(needed) of at most 0.000')
    await page.context().close()
  })
})
