import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from '@playwright/test'
import { withoutApp } from '#web/navigation/app-address.ts'
import { paths } from '#web/navigation/paths.ts'
import { chromiumLaunch } from '../tools/chromium.ts'
import { ensureDashboard } from '../tools/build-dashboard.ts'
import { firstScript } from '../tools/start-script.ts'
import { newAdmin, newOwnerWithApp } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import type { Figure, Measurement } from './measurement.ts'
import { remoteApp } from './remote-app.ts'
import { cookiesOf } from './session-cookies.ts'
import { ServerProcess } from './server-process.ts'

const settledMs = 300

const otherRoutes = [
  paths.settings(),
  paths.connect(),
  paths.users(),
  paths.imports(),
  paths.subscriptions(),
  paths.sessions(),
  paths.variables(),
  paths.downloads(),
  paths.webhooks(),
  paths.sellerApi(),
  paths.manageResellers(),
  paths.overview(),
  paths.logs(),
  paths.alerts(),
  paths.why(),
  paths.audit(),
  paths.status(),
  paths.manageApps(),
  paths.createApp(),
  paths.profile(),
  paths.deleted(),
]

const adminRoutes = [
  paths.adminDashboard(),
  paths.adminOwners(),
  paths.adminPlans(),
  paths.adminJobs(),
  paths.adminAudit(),
  paths.adminSettings(),
]

const resellerRoutes = [
  paths.resellerDashboard(),
  paths.resellerLicenses(),
  paths.resellerUsers(),
  paths.resellerCredits(),
  paths.resellerProfile(),
]

/** The JavaScript a browser actually loads for a route, as the sum of the gzipped files and the script in the page. */
export const bundleSizes: Measurement = {
  name: 'bundle-sizes',
  engines: 'first',
  async run({ scratch, newPlace }) {
    await ensureDashboard()
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const browser = await chromium.launch(chromiumLaunch)
    scratch.atEnd(() => browser.close())
    const app = remoteApp(server.url, place)
    const owner = await newOwnerWithApp(app, 'Sizes')
    const { visitor } = owner
    const reseller = await newSellingReseller(app, {}, owner)
    const admin = await newAdmin(app)
    const login = await scriptsOf(browser, server.url, paths.login())
    const table = await scriptsOf(browser, server.url, paths.licenses(), visitor)
    if (login.size < 2 || table.size < 2) throw new Error('The pages loaded no scripts')
    const inPage = gzipSync(firstScript()).length / 1024
    const figures: Figure[] = [
      { name: `${paths.login()}, JavaScript`, value: sumOf(login) + inPage, unit: 'KB', target: { max: 125 } },
      { name: `${paths.licenses()}, JavaScript`, value: sumOf(table) + inPage, unit: 'KB', target: { max: 185 } },
    ]
    const routes = [
      ...[...otherRoutes, paths.reseller(reseller.username)].map((route) => ({ route, visitor })),
      ...adminRoutes.map((route) => ({ route, visitor: admin.visitor })),
      ...resellerRoutes.map((route) => ({ route, visitor: reseller.visitor })),
    ]
    for (const { route, visitor: as } of routes) {
      const more = (await scriptsOf(browser, server.url, route, as)).difference(table)
      figures.push({
        name: `${route}, more JavaScript than ${paths.licenses()}`,
        value: sumOf(more),
        unit: 'KB',
        target: { max: 25 },
      })
    }
    await browser.close()
    await server.end()
    return figures
  },
}

/** Names of the scripts loaded on a first visit, until the network is idle. */
async function scriptsOf(browser: Browser, url: string, route: string, visitor?: Visitor): Promise<Set<string>> {
  const context = await browser.newContext()
  if (visitor) await context.addCookies(cookiesOf(visitor, url))
  const page: Page = await context.newPage()
  // Parts a page preloads while idle do not count, because nobody waits for them.
  await page.addInitScript('globalThis.requestIdleCallback = () => 0')
  const scripts = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js') && response.ok()) scripts.add(pathname)
  })
  await page.goto(url + route, { waitUntil: 'networkidle' })
  await page.waitForTimeout(settledMs)
  const landed = withoutApp(new URL(page.url()).pathname)
  await context.close()
  if (landed !== route) throw new Error(`${route} led to ${landed}`)
  return scripts
}

const sumOf = (scripts: Set<string>): number =>
  [...scripts].reduce((sum, script) => sum + gzippedBytes(script), 0) / 1024

function gzippedBytes(script: string): number {
  const folder = script.startsWith('/assets/') ? 'dist/web/assets' : 'dist/web'
  const file = join(resolve(folder), basename(script))
  return existsSync(`${file}.gz`) ? readFileSync(`${file}.gz`).length : gzipSync(readFileSync(file)).length
}
