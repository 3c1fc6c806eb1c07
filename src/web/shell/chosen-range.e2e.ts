import type { Page } from '@playwright/test'
import { expect, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { insertLogRows } from '#testing/log-rows.ts'
import { Program } from '#testing/people/program.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** A period chosen in a chart is the time filter of the log, sessions, and alerts of the app. */

const hour = 3600
const rail = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
const address = (at: number) => `${new Date(at * 1000).toISOString().slice(0, 13)}:00Z`
const chip = (page: Page) => page.getByRole('button', { name: 'Back to the last 7 days' })

async function chosen(app: TestApp, owner: SignedInOwner) {
  await (await Program.of(app, owner)).init()
  const end = Math.floor(app.now() / hour) * hour - 30 * hour
  const [from, to] = [end - 5 * hour, end]
  await insertLogRows(app, owner, [
    { username: 'within', ago: app.now() - from - hour },
    { username: 'later', ago: hour },
  ])
  const params = `${address(from)}..${address(to)}`
  return { overview: `/overview?from=${address(from)}&to=${address(to)}`, params }
}

const shown = (page: Page, name: string) => expect.poll(() => new URL(page.url()).searchParams.get(name))

test('a period chosen in the overview goes along to the lists of the app, until one of them leaves it', async ({
  app,
  page,
  owner,
}) => {
  const { overview, params } = await chosen(app, owner)
  await page.goto(overview)
  await expect(chip(page)).toBeVisible()
  await expect(rail(page, 'Logs')).toHaveAttribute('href', /f\.days/)
  await rail(page, 'Logs').click()
  await shown(page, 'f.days').toBe(params)
  await expect(page.getByRole('button', { name: /^Period/ })).toBeVisible()
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(1)
  await expect(page.locator('tbody tr[data-row]')).toContainText('within')
  await expect(rail(page, 'Logs')).toHaveAttribute('aria-current', 'page')

  // Pages without a time filter keep it.
  await page.getByRole('link', { name: 'Why was this rejected?' }).click()
  await expect(page).toHaveURL(/\/why$/)
  for (const name of ['Licenses', 'Users', 'Variables']) {
    await rail(page, name).click()
    await expect(page).toHaveURL(new RegExp(`/${name.toLowerCase()}$`))
  }
  for (const [name, filter] of [
    ['Sessions', 'f.seen'],
    ['Alerts', 'f.raised'],
  ] as const) {
    await rail(page, name).click()
    await shown(page, filter).toBe(params)
  }
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await shown(page, 'from').toBe(overview.slice(15, 32))
  await expect(chip(page)).toBeVisible()

  await rail(page, 'Sessions').click()
  await shown(page, 'f.seen').toBe(params)
  await page
    .getByRole('button', { name: /^Last Heartbeat/ })
    .and(page.locator(':not(th *)'))
    .click()
  await page.getByRole('menuitemradio', { name: 'Any' }).click()
  await shown(page, 'f.seen').toBe(null)
  for (const [name, filter] of [
    ['Overview', 'from'],
    ['Logs', 'f.days'],
    ['Alerts', 'f.raised'],
  ] as const) {
    await rail(page, name).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await shown(page, filter).toBe(null)
  }
})

test('a period chosen in the log goes along to the overview, whose × leaves it; another app has none', async ({
  app,
  page,
  owner,
}) => {
  const { params, overview } = await chosen(app, owner)
  await page.goto('/logs')
  // Days that a link of the overview counted are not chosen.
  await rail(page, 'Overview').click()
  await page
    .getByRole('link', { name: /sign-ins?$/ })
    .first()
    .click()
  await expect(page).toHaveURL(/f\.days=/)
  await rail(page, 'Overview').click()
  await expect(page).toHaveURL(/\/overview$/)

  await page.goto(`/logs?f.days=${params}`)
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(1)
  await expect(rail(page, 'Overview')).toHaveAttribute('href', /from=/)
  await rail(page, 'Overview').click()
  await shown(page, 'from').toBe(overview.slice(15, 32))
  await expect(rail(page, 'Logs')).toHaveAttribute('href', /f\.days=/)

  const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Second', version: '1.0.0' } })
  await page.reload()
  await page.getByRole('button', { name: /^Prism Studio/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Second/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`/a/${body.appId}/overview$`))
  await expect(rail(page, 'Logs')).toHaveAttribute('href', /\/logs$/)
  await rail(page, 'Sessions').click()
  await expect(page).toHaveURL(/\/sessions$/)

  await page.goto(`/a/${owner.appId}${overview}`)
  await chip(page).click()
  await expect(page).toHaveURL(/\/overview$/)
  await expect(rail(page, 'Logs')).toHaveAttribute('href', /\/logs$/)
})
