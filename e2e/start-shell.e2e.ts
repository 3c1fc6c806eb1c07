import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { firstScript } from '../tools/start-script.ts'
import { newLicenses } from '#testing/people/people.ts'
import { expect, expectNoAxeViolations, type SignedInOwner, test } from './fixtures.ts'

const api = '/api/1.0/website'
const assets = resolve('dist/web/assets')

/** What an earlier visit has left in the browser. */
async function remember(page: Page, { id, appId, appName }: SignedInOwner, more: Record<string, string> = {}) {
  const stored = { 'signed-in': `${id} 1`, 'selected-app': [id, appId, appName].join('\n'), ...more }
  await page.addInitScript((values) => {
    for (const [key, value] of Object.entries(values)) localStorage.setItem(`signet.${key}`, value)
  }, stored)
}

const scriptsAndStyles = /\/assets\/.*\.(?:js|css)$/

/** Neither the scripts nor the style sheet of the dashboard arrive; the first script is a part of the page. */
const blockDashboard = (page: Page) => page.route(scriptsAndStyles, (route) => route.abort())

/** Paths of all requests of the page, without its files; of calls with the query. */
function recordRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    requests.push(pathname + search)
  })
  return requests
}

const kilobytes = 1024

/** Size of all scripts among the requests and of the one in the page, gzipped. */
const scriptBytes = (requests: string[]) =>
  requests
    .filter((path) => path.endsWith('.js'))
    .reduce((sum, path) => sum + statSync(join(assets, `${basename(path)}.gz`)).size, gzipSync(firstScript()).length)

/** Parts that a page may need later are loaded while the browser is idle, and nobody waits for them. */
const neverIdle = (page: Page) => page.addInitScript('globalThis.requestIdleCallback = () => 0')

const backgroundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('before scripts and style sheet, the shell is painted and everything else is asked for', async ({
  page,
  owner,
}) => {
  const requests = recordRequests(page)
  await remember(page, owner, { theme: 'light' })
  await blockDashboard(page)
  await page.goto(`/a/${owner.appId}/licenses`)
  await test.step('rail, top bar and the name of the app are painted before scripts and style sheet, in the stored theme', async () => {
    await expect(page.locator('#shell .rail')).toBeVisible()
    await expect(page.locator('#shell .bar')).toBeVisible()
    expect(await backgroundOf(page)).toBe('rgb(246, 248, 246)')
    const name = await page.locator('#shell .app').evaluate((app) => getComputedStyle(app, '::before').content)
    expect(name).toBe(`"${owner.appName}"`)
    const interactive = 'a, button, input, select, textarea, [tabindex]'
    await expect(page.locator(`#shell :is(${interactive})`)).toHaveCount(0)
    await expect(page.locator('#shell')).toHaveAttribute('aria-hidden', 'true')
    await page.locator('#shell').evaluate((shell) => shell.ownerDocument.querySelector('noscript')?.remove())
    await expectNoAxeViolations(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.locator('#shell .rail')).toBeHidden()
    await expect(page.locator('#shell .bottom')).toBeVisible()
  })

  await test.step("a page's chunks and first data are asked for before the main scripts have run", async () => {
    await expect
      .poll(() => requests)
      .toEqual(
        expect.arrayContaining([
          `${api}/check-auth`,
          `${api}/apps`,
          `${api}/licenses?page=1&limit=10`,
          expect.stringMatching(/^\/assets\/owner-area-/),
          expect.stringMatching(/^\/assets\/licenses-page-/),
        ]),
      )
  })
})

test('the login is small', async ({ page }) => {
  await neverIdle(page)
  const requests = recordRequests(page)
  await page.goto('/login')
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()

  await test.step('the first script comes with the page and needs no request of its own', () => {
    expect(firstScript()).toContain('/check-auth')
    expect(requests.filter((path) => path.includes('start'))).toEqual([])
  })
  await test.step('the login loads 125 KB of scripts at most', () => {
    expect(scriptBytes([...new Set(requests)])).toBeLessThanOrEqual(125 * kilobytes)
  })
  await test.step('the dashboard has two fonts, of 60 KB together, and asks for the first one in its head', async () => {
    const fonts = readdirSync(assets).filter((name) => /\.(?:woff2?|ttf|otf)$/.test(name))
    expect(fonts).toHaveLength(2)
    expect(fonts.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0)).toBeLessThanOrEqual(60_000)
    const preloaded = await page.locator('link[rel=preload][as=font]').getAttribute('href')
    expect(fonts).toContain(preloaded?.replace('/assets/', ''))
  })
})

test('visitors who never signed in here, and pages without a rail, get no shell', async ({ page, owner }) => {
  await blockDashboard(page)
  for (const path of ['/', '/login', '/licenses']) {
    await page.goto(path)
    await expect(page.locator('#shell')).toBeHidden()
  }
  await remember(page, owner)
  for (const path of ['/login', '/register', '/terms', '/reset-password', '/status', '/reseller/setup/token']) {
    await page.goto(path)
    await expect(page.locator('#shell')).toBeHidden()
  }
  await page.goto('/licenses')
  await expect(page.locator('#shell')).toBeVisible()
})

test('the shell has the measures of the page that replaces it, and is gone with it', async ({ page, owner }) => {
  await remember(page, owner)
  await blockDashboard(page)
  await page.goto('/licenses')
  const boxes = (names: string[]) => Promise.all(names.map((name) => page.locator(name).first().boundingBox()))
  const painted = await boxes(['#shell .rail', '#shell .bar', '#shell .app'])
  await page.unroute(scriptsAndStyles)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  await expect(page.locator('#shell')).toHaveCount(0)
  expect(await boxes(['aside', 'header', 'aside button'])).toEqual(painted)
})

test('after a session has ended, the sign-in replaces the shell', async ({ page, context, owner }) => {
  await remember(page, owner)
  await context.clearCookies()
  await page.goto('/licenses')
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await expect(page.locator('#shell')).toHaveCount(0)
})

test('the first reads of a page are asked for once', async ({ page, owner }) => {
  await remember(page, owner)
  for (const path of ['/licenses', '/users', '/sessions'])
    await test.step(`${path} takes the early replies: each of its first reads is asked for once`, async () => {
      const requests = recordRequests(page)
      await page.goto(`/a/${owner.appId}${path}`)
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const reads = requests.filter((each) => each.startsWith(api))
      for (const call of ['/check-auth', '/apps', `${path}?page=1&limit=10`]) {
        expect(reads.filter((each) => each === api + call)).toHaveLength(1)
      }
      expect(reads.filter((each) => each.startsWith(`${api}${path}?page=`))).toHaveLength(1)
    })
})

test('the first steps of a new owner come with the first data, each read of theirs asked for once', async ({
  page,
  owner,
}) => {
  await remember(page, owner)
  await page.goto(`/a/${owner.appId}/licenses`)
  const steps = page.getByRole('button', { name: 'Steps to a running program' })
  await expect(steps).toBeVisible()
  const requests = recordRequests(page)
  await page.reload()
  await expect(steps).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect.poll(() => requests).toContain(`${api}/preferences`)
  const afterScripts = requests.indexOf(`${api}/preferences`)
  for (const call of ['/licenses?limit=1', '/profile/two-factor']) {
    expect(requests.filter((each) => each === api + call)).toHaveLength(1)
    expect(requests.indexOf(api + call)).toBeLessThan(afterScripts)
  }
})

test('the app in the address counts, not the one used last: no row of that one is shown', async ({ page, owner }) => {
  await newLicenses(owner, 1)
  const { visitor } = owner
  const other = (await visitor.call('POST /create_app', { body: { appName: 'Other', version: '1.0.0' } })).body.appId
  await remember(page, owner)
  await page.goto(`/a/${other}/licenses`)
  await expect(page.getByText('No licenses found', { exact: false }).first()).toBeVisible()
  await page.goto(`/a/${owner.appId}/licenses`)
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
})

test('a reload after a write shows what was written', async ({ page, owner }) => {
  await remember(page, owner)
  await page.goto('/licenses')
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  await newLicenses(owner, 1)
  await page.reload()
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
})

test('the dashboard bundles no package of the server', () => {
  const notices = readFileSync(resolve('dist/web/third-party-notices.md'), 'utf8')
  expect(notices).toContain('## react - ')
  // A rule that imports one constant of a contract would bring 12 KB of schemas.
  expect(notices).not.toMatch(/## (?:typebox|ajv|fastify|kysely) - /)
})

test('a first visit of /licenses loads 185 KB of scripts at most, and the next page its chunks side by side', async ({
  page,
  owner,
}) => {
  await neverIdle(page)
  await remember(page, owner)
  const requests = recordRequests(page)
  await page.goto('/licenses')
  await expect(page.getByText('No licenses found...')).toBeVisible()
  expect(scriptBytes([...new Set(requests)])).toBeLessThanOrEqual(185 * kilobytes)
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
  for (const chunk of ['program-sessions-page', 'program-sessions-data'])
    await expect(page.locator(`link[rel=modulepreload][href*="/${chunk}-"]`)).toHaveCount(1)
})
