import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { RateLimits } from '#server/rate-limits.ts'
import { FlakyProxy } from '#testing/faults/flaky-proxy.ts'
import { goodPassword, newOwner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import { recordToasts } from './toasts.ts'

export interface SignedInOwner {
  username: string
  password: string
  id: string
  appId: string
  appName: string
  /** The same session as an HTTP client. */
  visitor: Visitor
}

interface Fixtures {
  /** One server for all tests of a worker, unless one advances its clock. */
  app: TestApp
  /** A freshly registered owner with the app 'Prism Studio' selected; the page's browser is signed in. */
  owner: SignedInOwner
  /** The server through a connection that can be delayed, stalled or cut; the owner is signed in there, too. */
  connection: FlakyProxy
  /** Stops and starts the server; after the test, it runs again with its previous dashboard. */
  server: Pick<TestApp, 'stop' | 'start'>
  /** Fails the test if the page violates its CSP or throws. */
  quietConsole: void
  /** Whether the dashboard loads parts before they are opened. Without, the browser saves data, and tests are faster. */
  preloads: boolean
}

const saveData = () => Object.defineProperty(navigator, 'connection', { value: { saveData: true } })

const startApp = () => startTestApp({ dashboardDir: resolve('dist/web'), clockRuns: true })

export const test = base.extend<Fixtures, { worker: { app: TestApp } }>({
  worker: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter list
    async ({}, use) => {
      const worker = { app: await startApp() }
      await use(worker)
      await worker.app.close()
    },
    { scope: 'worker' },
  ],
  app: async ({ worker }, use) => {
    // All tests sign in from the same address.
    worker.app.services.rateLimits = new RateLimits()
    await use(worker.app)
    // Server time never goes back, so after a test that advanced it, the clocks of browser and server would differ by
    // hours.
    if (worker.app.now() - Date.now() / 1000 > 1) {
      await worker.app.close()
      worker.app = await startApp()
    }
  },
  baseURL: ({ app }, use) => use(app.url),
  owner: async ({ app, context }, use, info) => {
    const owner = await newOwner(app, `e2e_${info.testId.replace(/\W/g, '').slice(-12)}_${info.retry}`)
    const appName = 'Prism Studio'
    const { body } = await owner.visitor.call('POST /create_app', { body: { appName, version: '1.0.0' } })
    await owner.visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic', active: true } })
    await signIn(context, app, owner.visitor)
    await use({ ...owner, password: goodPassword, appId: body.appId, appName })
  },
  connection: async ({ app }, use) => {
    const proxy = await FlakyProxy.start(app.url)
    await use(proxy)
    await proxy.close()
  },
  server: async ({ app }, use) => {
    let isAsItWas = true
    let runs = true
    const stop = async () => {
      if (runs) await app.stop()
      runs = false
    }
    const start = async (dashboardDir?: string) => {
      await stop()
      await app.start(dashboardDir)
      runs = true
      isAsItWas = dashboardDir === undefined
    }
    await use({ stop, start })
    if (!runs || !isAsItWas) await start()
  },
  preloads: [false, { option: true }],
  context: async ({ context, preloads }, use) => {
    if (!preloads) await context.addInitScript(saveData)
    await use(context)
  },
  page: async ({ page }, use) => {
    await recordToasts(page)
    await use(page)
  },
  quietConsole: [
    async ({ page }, use) => {
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' && /Content Security Policy|Refused to/.test(message.text())) {
          problems.push(message.text())
        }
      })
      await use()
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
export { expectToast } from './toasts.ts'

/** `url` is another URL of the server, used by the page. */
export async function signIn(
  context: BrowserContext,
  app: TestApp,
  visitor: Visitor,
  url: string = app.url,
): Promise<void> {
  const cookies = visitor.cookieHeader().split('; ')
  await context.addCookies(
    cookies.map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return { name, value, url }
    }),
  )
}

/** The minified file is less than half of what each page would have to read. */
const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/** Rules about colors, which are all that a theme changes, and which a language doesn't change. */
const colorRules = ['color-contrast', 'link-in-text-block']
const withoutColors = Object.fromEntries(colorRules.map((rule) => [rule, { enabled: false }]))

/** Checks that axe finds no violations on the current page in both themes; the test waits for what it is to show. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  await expectNone(page, 'dark', {})
  await expectNone(page, 'light', { runOnly: colorRules })
}

/** The same for a translation of a page whose English form has been checked. */
export const expectNoAxeViolationsButColors = (page: Page): Promise<void> =>
  expectNone(page, 'dark', { rules: withoutColors })

async function expectNone(page: Page, theme: 'dark' | 'light', options: RunOptions): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  let found = await violationsIn(page, theme, options)
  // Elements that appear during the check may start to animate.
  if (found.length > 0) found = await violationsIn(page, theme, options)
  expect(found.map((each) => `${theme}: ${each}`)).toEqual([])
}

/** One line per violated rule, once the colors have their final value. */
async function violationsIn(page: Page, theme: 'dark' | 'light', options: RunOptions): Promise<string[]> {
  return page.evaluate(
    async ([name, chosen]) => {
      document.documentElement.setAttribute('data-theme', name)
      const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
      await Promise.all(ending.map((animation) => animation.finished.catch(() => {})))
      const loaded = (globalThis as unknown as { axe: typeof axe }).axe
      // The only frame is an external status page, which is not ours.
      const { violations } = await loaded.run({ resultTypes: ['violations'], iframes: false, ...chosen })
      return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join('; ')}`)
    },
    [theme, options] as const,
  )
}
