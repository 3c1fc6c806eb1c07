import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { redeem } from '#e2e/license-screen.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { newAlert } from '#testing/busy-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** What the overview answers: what needs the owner, what changed, what a number counts, and when it happened. */

const chart = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const points = (page: Page) => chart(page, 'Sign-ins').getByRole('slider', { name: 'Sign-ins' })
const needs = (page: Page) => page.getByRole('region', { name: /needs? you/ })
const need = (page: Page, text: string) => needs(page).getByRole('listitem').filter({ hasText: text })

const day = 86_400

/** Counted activity: so many sign-ins or rejections, some days ago. */
async function count(
  app: TestApp,
  { appId }: SignedInOwner,
  rows: readonly { ago: number; label?: string; count: number; metric?: 'sign-in' | 'refusal' }[],
) {
  const hour = Math.floor(app.now() / 3600)
  await app.db.write(({ db }) =>
    db
      .insertInto('activity_hours')
      .values(
        rows.map(({ ago, label = 'BR', count: counted, metric = 'sign-in' as const }) => ({
          app_id: appId,
          hour: hour - ago * 24,
          metric,
          label,
          count: counted,
        })),
      )
      .execute(),
  )
}

/** The program has run, so the page has no first steps. */
async function withProgram(app: TestApp, owner: SignedInOwner): Promise<void> {
  await (await Program.of(app, owner)).init()
}

/** A link's address ends with it: before it may be the app. */
const ending = (address: string) => new RegExp(`${RegExp.escape(address)}$`)

const stamp = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)

test('what needs the owner is on top, each with its count and the list that it counts', async ({
  app,
  page,
  owner,
}) => {
  await withProgram(app, owner)
  await page.goto('/overview')
  await expect(page.getByRole('heading', { name: 'Nothing needs you right now' })).toBeVisible()

  await newAlert(app, owner)
  await newAlert(app, owner)
  const [banned = '', soon = ''] = await newLicenses(owner, 2, { expiryUnit: 'days', duration: 3 })
  await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [banned] } })
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(banned)
  await program.license(soon)
  const { body: webhook } = await owner.visitor.call('POST /create_webhook', {
    body: { url: 'https://hooks.example/', events: ['license.banned'] },
  })
  await app.db.write(({ db }) =>
    db.updateTable('webhooks').set({ failing_since: app.now() }).where('id', '=', webhook.webhookId).execute(),
  )
  await expect(async () => {
    await page.reload()
    await expect(needs(page)).toContainText('4 things need you', { timeout: 2000 })
  }).toPass()
  for (const [text, link, address] of [
    ['1 webhook fails', 'Show webhook', `/webhooks?q=${webhook.webhookId}`],
    ['2 new alerts are not reviewed', 'Review alerts', '/alerts?f.status=new'],
    ['1 customer was rejected in the last 24 hours: License banned.', 'Show why', `/why?q=${banned}`],
    ['1 license expires within 7 days', 'Show licenses', '/licenses?f.status=expiring'],
  ] as const) {
    await expect(need(page, text).getByRole('link', { name: link })).toHaveAttribute('href', ending(address))
  }
  await expectNoAxeViolations(page)
  await need(page, '1 license').click()
  await expect(page).toHaveURL(/\/licenses\?f\.status=expiring/)
  await expect(page.getByRole('row').filter({ hasText: soon.slice(0, 8) })).toBeVisible()
})

test('the period before is a dashed line, in the legend, the tooltip, the table and the file', async ({
  app,
  page,
  owner,
}) => {
  await withProgram(app, owner)
  await count(app, owner, [
    { ago: 20, count: 1 },
    { ago: 9, count: 50 },
    { ago: 2, count: 54 },
  ])
  await page.goto('/overview')
  const signIns = chart(page, 'Sign-ins')
  await expect(signIns).toContainText('54 sign-ins, up 8% from the previous 7 days')
  await expect(signIns.locator('path[data-part=previous]')).toHaveAttribute('stroke-dasharray', /\d/)
  await expect(signIns.getByRole('list')).toContainText('Previous 7 days')
  await points(page).focus()
  await page.keyboard.press('End')
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft')
  await expect(points(page)).toHaveAttribute('aria-valuetext', /: 54 sign-ins; .*: 50 sign-ins$/)
  await signIns.getByRole('button', { name: 'View Sign-ins as table' }).click()
  await expect(signIns.getByRole('columnheader')).toHaveText(['Day', 'Sign-ins', 'Previous 7 days'])
  await expect(signIns.getByRole('row').nth(5)).toContainText(/54\s*50$/)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    signIns.getByRole('button', { name: 'Save Sign-ins as CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toBe('Day,Sign-ins,Previous 7 days')
  expect(lines[5]).toMatch(/,54,50$/)
  // Nothing was counted so long ago: a comparison would mislead.
  await page.getByRole('radio', { name: '90 days' }).check()
  await expect(signIns).toContainText('105 sign-ins')
  await expect(signIns).not.toContainText('before')
})

test('few of many are never 0%, and the charts have one hue besides the rejections', async ({ app, page, owner }) => {
  await withProgram(app, owner)
  await count(app, owner, [
    { ago: 1, count: 471 },
    { ago: 1, label: 'PT', count: 2 },
    { ago: 1, label: 'HWID_MISMATCH', count: 3, metric: 'refusal' },
  ])
  await page.goto('/overview')
  const rows = chart(page, 'Top countries').getByRole('listitem')
  await expect(rows).toHaveText([/Brazil\s*471\s*>99%/, /Portugal\s*2\s*<1%/])
  const colorsIn = (region: ReturnType<typeof chart>) =>
    region
      .locator('[style*="--color-chart-"]')
      .evaluateAll((elements) => [
        ...new Set(elements.map((element) => /--color-chart-\w+/.exec(element.getAttribute('style') ?? '')?.[0])),
      ])
  expect(await colorsIn(chart(page, 'Rejections by reason'))).toEqual(['--color-chart-rose'])
  for (const name of ['Sign-ins', 'Top countries']) {
    expect(await colorsIn(chart(page, name)), name).toEqual(['--color-chart-green'])
  }
})

test('every number leads to the list that it counts, for the same days', async ({ app, page, owner }) => {
  await withProgram(app, owner)
  const active = await newSubscriber(owner)
  await signedIn(app, owner, active)
  await activityLog(app.services).flush()
  const [key = '', later = ''] = await newLicenses(owner, 2, { duration: 3 })
  await redeem(app, key, 'marta')
  await redeem(app, later, 'late')
  await app.db.write(({ db }) =>
    db
      .updateTable('licenses')
      .set({ expires_at: app.now() + 3 * day })
      .where('license', '=', key)
      .execute(),
  )
  await count(app, owner, [
    { ago: 1, count: 5 },
    { ago: 1, label: 'HWID_MISMATCH', count: 3, metric: 'refusal' },
  ])
  await page.goto('/overview')
  const range = `${stamp(app.now() - 6 * day)}..${stamp(app.now())}`
  const days = `f.days=${range}`
  const signIns = 'f.result=allowed&f.call=license%2Clogin%2Cregister'
  const linkIn = (name: string, link: string | RegExp) => chart(page, name).getByRole('link', { name: link })
  for (const [name, link, address] of [
    ['Sign-ins', '6 sign-ins', `/logs?${signIns}&${days}`],
    ['Top countries', 'Brazil: 5', `/logs?${signIns}&f.country=BR&${days}`],
    ['Active users', '1 active user', `/users?f.lastLogin=${range}`],
    ['New users', '1 new user', `/users?f.created=${range}`],
    ['Activations', '2 activations', `/licenses?f.redeemed=${range}`],
    ['Rejections by reason', '3 rejected calls', `/logs?f.result=refused&${days}`],
    ['Rejections by reason', 'Another machine: 3', `/logs?f.result=refused&f.code=HWID_MISMATCH&${days}`],
  ] as const) {
    await expect(linkIn(name, link)).toHaveAttribute('href', ending(address))
  }
  // Only those that expire within the days of the chart.
  await linkIn('Licenses expiring soon', '1 license').click()
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(1)
  await expect(page.locator('tbody tr[data-row]')).toHaveAttribute('data-row', key)
  await page.goBack()
  await linkIn('Active users', '1 active user').click()
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(1)
  await expect(page.locator('tbody tr[data-row]')).toHaveAttribute('data-row', active)
  await page.goBack()
  await linkIn('New users', '1 new user').click()
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(1)
  await page.goBack()
  await linkIn('Rejections by reason', 'Another machine: 3').click()
  await expect(page).toHaveURL(/\/logs\?/)
  await expect(page.getByRole('button', { name: /^Reason/ })).toContainText('Another machine')
})

test('dragging over a chart shows that range everywhere, in the address and in the links, until it is reset', async ({
  app,
  page,
  owner,
}) => {
  await withProgram(app, owner)
  await count(app, owner, [
    { ago: 1, count: 5 },
    { ago: 10, count: 70 },
    { ago: 10, label: 'HWID_MISMATCH', count: 3, metric: 'refusal' },
    { ago: 20, count: 900 },
  ])
  await page.goto('/overview?days=30')
  const signIns = chart(page, 'Sign-ins')
  await expect(signIns).toContainText('975 sign-ins')
  const drag = async (from: number, to: number) => {
    const box = await signIns.getByRole('img').boundingBox()
    if (!box) throw new Error('The chart has no size')
    const [left, width] = [box.x + 40, box.width - 50]
    await page.mouse.move(left + (width * (from + 0.5)) / 30, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(left + (width * (to + 0.5)) / 30, box.y + 70, { steps: 4 })
  }
  // Escape while dragging selects nothing.
  await drag(16, 22)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(page).toHaveURL(/overview\?days=30$/)

  await drag(16, 22)
  await page.mouse.up()
  const [first, end] = [stamp(app.now() - 13 * day), stamp(app.now() - 6 * day)]
  const address = `/overview?days=30&from=${first}T00%3A00Z&to=${end}T00%3A00Z`
  await expect(page).toHaveURL(ending(address))
  await expect(signIns).toContainText('70 sign-ins')
  await expect(chart(page, 'Rejections by reason')).toContainText('3 rejected calls')
  await expect(chart(page, 'Rejections by reason').getByRole('link', { name: '3 rejected calls' })).toHaveAttribute(
    'href',
    ending(`f.days=${first}..${stamp(app.now() - 7 * day)}`),
  )
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
  await expectNoAxeViolations(page)
  await page.reload()
  await expect(signIns).toContainText('70 sign-ins')

  await page.keyboard.press('Escape')
  await expect(signIns).toContainText('975 sign-ins')
  await expect(page).toHaveURL(/overview\?days=30$/)
  await page.goBack()
  await expect(signIns).toContainText('70 sign-ins')
  await page.getByRole('button', { name: 'Back to the last 30 days' }).click()
  await expect(signIns).toContainText('975 sign-ins')
})

test('a range is selected by keyboard, down to hours, and an impossible one in the address is ignored', async ({
  app,
  page,
  owner,
}) => {
  await withProgram(app, owner)
  await count(app, owner, [
    { ago: 2, count: 5 },
    { ago: 5, count: 70 },
  ])
  await page.goto('/overview')
  await expect(chart(page, 'Sign-ins')).toContainText('75 sign-ins')
  await points(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(points(page)).toHaveAttribute('aria-valuetext', /selected, Enter shows it/)
  await page.keyboard.press('Escape')
  await expect(points(page)).not.toHaveAttribute('aria-valuetext', /selected/)
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(chart(page, 'Sign-ins')).toContainText('5 sign-ins')
  await expect(page).toHaveURL(/from=.*&to=/)
  // Two days are shown by hour.
  await expect(points(page)).toHaveAttribute('aria-valuemax', '47')
  await expect(page.getByRole('button', { name: 'Back to the last 7 days' })).toBeVisible()

  for (const range of ['from=2020-01-01T00:00Z&to=2020-01-03T00:00Z', 'from=x&to=y', 'from=2026-01-01T00:30Z']) {
    await page.goto(`/overview?${range}`)
    await expect(chart(page, 'Sign-ins')).toContainText('75 sign-ins')
    await expect(page.getByRole('radio', { name: '7 days' })).toBeChecked()
  }
})

test('while it loads, the page has its shape, and nothing moves when the numbers arrive', async ({
  app,
  page,
  owner,
}) => {
  await withProgram(app, owner)
  await newAlert(app, owner)
  const [key = ''] = await newLicenses(owner, 1, { expiryUnit: 'days', duration: 3 })
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  await count(app, owner, [{ ago: 1, count: 5 }])
  let letGo: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/overview/attention*', async (route) => {
    await held
    await route.continue()
  })
  await page.addInitScript(() => {
    const found: number[] = []
    Object.assign(globalThis, { shifts: found })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) found.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const numbers = page.waitForResponse(/\/overview\?/)
  await page.goto('/overview')
  await (await numbers).finished()
  await expect(page.locator('main .animate-pulse').first()).toBeVisible()
  await expect(chart(page, 'Sign-ins')).toBeHidden()
  letGo?.()
  await expect(chart(page, 'Sign-ins')).toContainText(/\d sign-ins/)
  await expect(needs(page)).toContainText('2 things need you')
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
  expect(shifts.reduce((sum, each) => sum + each, 0)).toBeLessThan(0.02)
})

test('if only what needs the owner can’t be loaded, it says so, and the numbers are there', async ({
  app,
  page,
  owner,
}) => {
  await withProgram(app, owner)
  await count(app, owner, [{ ago: 1, count: 5 }])
  await withoutTable(app.db, 'webhooks', async () => {
    await page.goto('/overview')
    await expect(page.getByText('This could not be loaded.')).toBeVisible()
    await expect(chart(page, 'Sign-ins')).toContainText('5 sign-ins')
    await expectNoAxeViolations(page)
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing needs you right now' })).toBeVisible()
})
