import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { paths } from '#web/navigation/paths.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { ensureDashboard } from '../tools/build-dashboard.ts'
import { chromiumLaunch } from '../tools/chromium.ts'
import type { Measurement } from './measurement.ts'
import { median } from './percentiles.ts'
import { remoteApp } from './remote-app.ts'
import { ServerProcess } from './server-process.ts'
import { cookiesOf } from './session-cookies.ts'

/** A phone of the lower middle on a mobile network. */
const slowdown = 4
const bitsPerSecond = 10_000_000
const latencyMs = 40
const settledMs = 500

interface Paints {
  /** All in milliseconds since the navigation began. */
  frame: number
  largest: number
}

/** When an owner who has signed in before sees the frame of the dashboard, and the first rows, with an empty cache. */
export const firstPaint: Measurement = {
  name: 'first-paint',
  engines: 'first',
  async run({ quick, scratch, newPlace }) {
    await ensureDashboard()
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const browser = await chromium.launch(chromiumLaunch)
    scratch.atEnd(() => browser.close())
    const app = remoteApp(server.url, place)
    const owner = await newOwnerWithApp(app, 'Paint')
    await newLicenses(owner, 100)
    const context = await newContext(browser)
    await context.addCookies(cookiesOf(owner.visitor, server.url))
    const url = server.url + paths.licenses()
    // Leaves what a browser stores of the last visit.
    await paintsOf(context, url, { isThrottled: false })
    const someVisits = async () => {
      const visits: Paints[] = []
      for (let round = 0; round < (quick ? 3 : 9); round++)
        visits.push(await paintsOf(context, url, { isThrottled: true }))
      return visits
    }
    const withFirstSteps = await someVisits()
    const { success } = (await (await Program.of(app, owner)).init()).body
    if (!success) throw new Error('The program did not start')
    const visits = await someVisits()
    const empty = await emptyPaints(context, `${server.url}/favicon.svg`, quick)
    await browser.close()
    await server.end()
    return [
      {
        name: 'frame of the dashboard, slow machine, empty cache',
        value: median(visits.map(({ frame }) => frame)),
        unit: 'ms',
        target: { max: 300 },
        note: `${slowdown}× slower processor, ${bitsPerSecond / 1e6} Mbit/s, ${latencyMs} ms`,
      },
      { name: 'a picture instead of the page, the same', value: median(empty), unit: 'ms' },
      {
        name: `${paths.licenses()}, largest contentful paint, the same`,
        value: median(visits.map(({ largest }) => largest)),
        unit: 'ms',
        target: { max: 1500 },
      },
      {
        name: 'the same with the first steps, before a program has started',
        value: median(withFirstSteps.map(({ largest }) => largest)),
        unit: 'ms',
        target: { max: 1500 },
      },
    ]
  },
}

const newContext = (browser: Browser) => browser.newContext({ viewport: { width: 1440, height: 900 } })

/** When a file without scripts and styles is painted: what the machine and the network take at this time. */
async function emptyPaints(context: BrowserContext, url: string, quick: boolean): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < (quick ? 3 : 9); round++) {
    const page = await throttledPage(context, true)
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.waitForTimeout(settledMs)
    times.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`))
    await page.close()
  }
  return times
}

async function throttledPage(context: BrowserContext, isThrottled: boolean): Promise<Page> {
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true })
  if (!isThrottled) return page
  const throughput = bitsPerSecond / 8
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

async function paintsOf(
  context: BrowserContext,
  url: string,
  { isThrottled }: { isThrottled: boolean },
): Promise<Paints> {
  const page = await throttledPage(context, isThrottled)
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.getByRole('row').nth(1).waitFor()
  await page.waitForTimeout(settledMs)
  // As a text, because types of the browser are not known here.
  const paints = await page.evaluate<Paints>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const largest = list.getEntries().at(-1).startTime
      resolve({ frame: performance.getEntriesByName('first-contentful-paint')[0].startTime, largest })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })`)
  await page.close()
  return paints
}
