import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import { paths } from '#web/navigation/paths.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { ensureDashboard } from '../tools/build-dashboard.ts'
import { chromiumLaunch } from '../tools/chromium.ts'
import type { Figure, Measurement } from './measurement.ts'
import { median } from './percentiles.ts'
import { remoteApp } from './remote-app.ts'
import { ServerProcess } from './server-process.ts'
import { cookiesOf } from './session-cookies.ts'

/** What a person does first on a page, and what shows that it is done. */
interface Interaction {
  page: string
  act: (page: Page) => Promise<void>
  /** An expression that is true once the page shows the result. */
  isDone: string
}

const rowsOnPage = 100
const giveUpMs = 30_000
const openPalette: Interaction = {
  page: paths.licenses(),
  act: (page) => page.keyboard.press('ControlOrMeta+k'),
  isDone: `document.querySelector('[role=dialog] input, dialog input') !== null`,
}
const anotherPage: Interaction = {
  page: paths.overview(),
  act: (page) => clicked(page.getByRole('link', { name: 'Licenses', exact: true }).first()),
  isDone: `document.querySelector('h1')?.textContent === 'Licenses'`,
}
const nextRows: Interaction = {
  page: `${paths.licenses()}?limit=${rowsOnPage}`,
  act: (page) => clicked(page.getByRole('button', { name: 'Next page' })),
  isDone: `document.querySelector('[role=progressbar]') === null &&
    document.querySelector('tbody tr')?.textContent !== globalThis.firstRow`,
}
const allNextRows: Interaction = {
  ...nextRows,
  isDone: `${nextRows.isDone} && document.querySelectorAll('tbody tr[data-row]').length === ${rowsOnPage}`,
}

/** How long the dashboard takes to show what a person asks for, on this machine and with a warm cache. */
export const interactions: Measurement = {
  name: 'interactions',
  engines: 'first',
  async run({ quick, scratch, newPlace }) {
    await ensureDashboard()
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const browser = await chromium.launch(chromiumLaunch)
    scratch.atEnd(() => browser.close())
    const app = remoteApp(server.url, place)
    const owner = await newOwnerWithApp(app, 'Interactions')
    await newLicenses(owner, 3 * rowsOnPage)
    // The dashboard shows the first steps until a program has started.
    const { success } = (await (await Program.of(app, owner)).init()).body
    if (!success) throw new Error('The program did not start')
    const context = await newContext(browser)
    await context.addCookies(cookiesOf(owner.visitor, server.url))
    const times = async (interaction: Interaction) => {
      const each: number[] = []
      // The first visit fills the cache.
      await timeOf(context, server.url, interaction)
      for (let round = 0; round < (quick ? 3 : 9); round++) each.push(await timeOf(context, server.url, interaction))
      return median(each)
    }
    const figures: Figure[] = [
      { name: 'the palette is open', value: await times(openPalette), unit: 'ms', target: { max: 100 } },
      { name: 'another page is shown', value: await times(anotherPage), unit: 'ms', target: { max: 100 } },
      { name: 'the next rows fill the window', value: await times(nextRows), unit: 'ms' },
      {
        name: `all of the next ${rowsOnPage} rows are shown`,
        value: await times(allNextRows),
        unit: 'ms',
        target: { max: 250 },
      },
    ]
    await browser.close()
    await server.end()
    return figures
  },
}

const newContext = (browser: Browser) => browser.newContext({ viewport: { width: 1440, height: 900 } })

/** Focuses before it presses, so that nothing but the press is timed. */
async function clicked(locator: Locator): Promise<void> {
  await locator.focus()
  await locator.press('Enter')
}

/** Milliseconds from the event of the keyboard to the frame after the one that shows the result. */
async function timeOf(context: BrowserContext, url: string, { page: path, act, isDone }: Interaction): Promise<number> {
  const page = await context.newPage()
  await page.goto(url + path, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(1000)
  // As texts, because types of the browser are not known here.
  await page.evaluate(`globalThis.firstRow = document.querySelector('tbody tr')?.textContent
    globalThis.shown = new Promise((resolve, reject) => {
      addEventListener('keydown', (event) => {
        if (event.key === 'Control' || event.key === 'Meta') return
        const start = event.timeStamp
        setTimeout(() => reject(new Error('Nothing was shown: ' + event.key)), ${giveUpMs})
        const look = () => {
          if (!(${isDone})) requestAnimationFrame(look)
          else requestAnimationFrame(() => resolve(performance.now() - start))
        }
        look()
      }, { capture: true })
    })
    // Not the promise, which would be waited for.
    undefined`)
  await act(page)
  const milliseconds = await page.evaluate<number>('globalThis.shown')
  await page.close()
  return milliseconds
}
