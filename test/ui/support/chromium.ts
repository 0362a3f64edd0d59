/** A real browser on the real page: the inspector is built as it ships, and served by a whole service. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { readUiFiles } from '../../../src/http/ui-files.ts'
import { buildTestApp } from '../../helpers/build-app.ts'
import { PROJECT_ROOT } from '../../helpers/build-project.ts'

const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Of the machine; test.sh installs Debian's package where it may. */
export const CHROMIUM = EXECUTABLES.find((path) => existsSync(path))
if (CHROMIUM === undefined) {
  console.warn('SKIPPED: there is no Chromium (Debian: apt-get install chromium); see test.sh')
}

export interface Inspector {
  readonly url: string
  /** A page with its own storage, on which /ui has been opened. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>
  /** What pages have complained about: script errors, and what the content security policy refused. */
  readonly complaints: string[]
  readonly close: () => Promise<void>
}

export async function startInspector(
  environment: Readonly<Record<string, string>> = {},
): Promise<Inspector> {
  const folder = await mkdtemp(join(tmpdir(), 'precis-ui-'))
  buildUi(folder)
  const uiFiles = readUiFiles([pathToFileURL(`${folder}/`)])
  if (uiFiles === undefined) throw new Error('the page was not built')
  const { app, listen } = await buildTestApp({ environment, uiFiles })
  const url = await listen()
  const browser = await launch()
  const complaints: string[] = []
  return {
    url,
    complaints,
    open: async (options = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 1000 },
        ...options,
      })
      const page = await context.newPage()
      page.on('pageerror', ({ message }) => complaints.push(message))
      page.on('console', (line) => {
        // A refused request is an answer that the page shows; everything else is a fault of the page.
        if (line.type() === 'error' && !line.text().includes('status of 4')) {
          complaints.push(line.text())
        }
      })
      await page.goto(`${url}/ui`)
      return page
    },
    close: async () => {
      await browser.close()
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function buildUi(folder: string): void {
  const { status, stderr } = spawnSync('node', ['scripts/build-ui.mjs', folder], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the page could not be built: ${stderr}`)
}

/** Chromium's sandbox does not work for root, which tests in containers are. */
function launch(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium')
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}
