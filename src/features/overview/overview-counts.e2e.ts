import type { Page } from '@playwright/test'
import { expect, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { newAlert } from '#testing/busy-app.ts'
import { insertLogRows } from '#testing/log-rows.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newLicenses, setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** The numbers of the overview agree with the lists to which they lead. */

const needs = (page: Page) => page.getByRole('region', { name: /needs? you/ })
const rows = (page: Page) => page.locator('tbody tr[data-row]')

/** The program has run, so the overview has no first steps. */
const withProgram = async (app: TestApp, owner: SignedInOwner) => (await Program.of(app, owner)).init()

/** The number at the beginning of what needs the owner. */
async function needed(page: Page, text: RegExp): Promise<{ count: number; follow: () => Promise<void> }> {
  const line = needs(page).getByRole('listitem').filter({ hasText: text })
  const count = Number.parseInt((await line.textContent()) ?? '')
  return { count, follow: () => line.getByRole('link').click() }
}

test('rejected customers lead to the entries of all reasons, which are of as many customers', async ({
  app,
  page,
  owner,
}) => {
  await withProgram(app, owner)
  await insertLogRows(app, owner, [
    { code: 'HWID_MISMATCH', username: 'anna' },
    { code: 'HWID_MISMATCH', username: 'bruno' },
    { code: 'HWID_MISMATCH', username: 'bruno' },
    { code: 'USER_BANNED', username: 'bruno' },
    { code: 'LICENSE_BANNED', license: 'KEY-OF-CLARA' },
    { code: 'INVALID_CREDENTIALS', username: 'dora' },
    { code: 'VPN_BLOCKED', username: 'emil', ago: 2 * 86_400 },
  ])
  await page.goto('/overview')
  const { count, follow } = await needed(page, /customers were rejected in the last 24 hours/)
  expect(count).toBe(3)
  await follow()
  await expect(page).toHaveURL(/\/logs\?f\.customers=rejected&f\.days=1$/)
  await expect(page.getByRole('button', { name: 'Customers' })).toContainText(`${count} rejected`)
  await expect(
    page.getByText(`Logs, period “Last 24 hours”, customers “${count} rejected”, newest first: 5`),
  ).toBeVisible()
  await expect(rows(page)).toHaveCount(5)
  await expect(rows(page).filter({ hasText: 'dora' })).toHaveCount(0)
  await expect(rows(page).filter({ hasText: 'KEY-OF-CLARA' })).toHaveCount(1)

  // A customer who is rejected while the list is open is counted, too.
  await insertLogRows(app, owner, [{ code: 'USER_PAUSED', username: 'frida', ago: 0 }])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('button', { name: 'Customers' })).toContainText(`${count + 1} rejected`)
})

test('webhooks that aren’t working lead to those, whose chips have as many', async ({ app, page, owner }) => {
  await withProgram(app, owner)
  for (const [host, row] of Object.entries({
    working: {},
    failing: { failing_since: app.now() },
    stopped: { stopped_at: app.now() },
    gone: { stopped_at: app.now(), failing_since: app.now() },
  })) {
    const { body } = await owner.visitor.call('POST /create_webhook', { body: { url: `https://${host}.example/` } })
    if (host === 'working') continue
    await app.db.write(({ db }) => db.updateTable('webhooks').set(row).where('id', '=', body.webhookId).execute())
  }
  await page.goto('/overview')
  const { count, follow } = await needed(page, /webhooks aren’t working: 2 stopped, 1 failing/)
  expect(count).toBe(3)
  await follow()
  await expect(page).toHaveURL(/\/webhooks\?f\.status=failing%2Cstopped$/)
  await expect(rows(page)).toHaveCount(count)
  await expect(page.getByText(`Webhooks, failing or stopped: ${count}`)).toBeVisible()
  await expect(rows(page).filter({ hasText: 'https://working.example/' })).toHaveCount(0)
  const chip = (name: string) => page.getByRole('list', { name: 'Webhook counts' }).getByRole('button', { name })
  await expect(chip('Failing 1')).toHaveAttribute('aria-pressed', 'true')
  await expect(chip('Stopped 2')).toHaveAttribute('aria-pressed', 'true')
  await chip('Stopped 2').click()
  await expect(rows(page)).toHaveCount(1)
  await chip('Failing 1').click()
  await expect(rows(page)).toHaveCount(4)
  await chip('Working 1').click()
  await expect(page).toHaveURL(/f\.status=working$/)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
})

test('active users lead to as many users, or for a range that has ended to sign-ins of as many', async ({
  app,
  page,
  owner,
}) => {
  for (const username of ['anna', 'bruno', 'clara']) await newSubscriber(owner, { username })
  await signedIn(app, owner, 'anna')
  await signedIn(app, owner, 'anna')
  await signedIn(app, owner, 'bruno')
  await activityLog(app.services).flush()
  await page.goto('/overview')
  const active = page.getByRole('region', { name: 'Active users', exact: true })
  for (const days of ['24 hours', '7 days', '90 days']) {
    await page.getByRole('radio', { name: days }).check()
    await active.getByRole('link', { name: '2 active users' }).click()
    await expect(page).toHaveURL(/\/users\?f\.lastLogin=/)
    await expect(rows(page)).toHaveCount(2)
    await expect(page.getByText(/^Users, last login “[^”]+”.*: 2$/)).toBeVisible()
    await page.goBack()
  }

  // One of them was deleted since: the list has the other one, and the log has both.
  await newSubscriber(owner, { username: 'gone' })
  await signedIn(app, owner, 'gone')
  await activityLog(app.services).flush()
  await owner.visitor.call('POST /delete_user', { body: { username: 'gone' } })
  await page.reload()
  await expect(active).toContainText('2 active users, 3 with those deleted since')
  await active.getByRole('link', { name: '2 active users' }).click()
  await expect(page.getByText(/^Users, last login “[^”]+”.*: 2$/)).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await page.goBack()
  await active.getByRole('link', { name: '3 with those deleted since' }).click()
  await expect(page).toHaveURL(/\/logs\?f\.customers=signed-in&f\.days=/)
  await expect(page.getByText(/, customers “3 signed in”, newest first: 4$/)).toBeVisible()

  // Since then, anna signed in again: only the log still has the sign-ins of that time.
  const hour = Math.floor(app.now() / 3600) * 3600
  const ago = app.now() - hour + 5 * 86_400
  await insertLogRows(app, owner, [
    { username: 'anna', ago },
    { username: 'Anna', ago },
    { username: 'clara', ago },
  ])
  const address = (at: number) => `${new Date(at * 1000).toISOString().slice(0, 13)}:00Z`
  await page.goto(`/overview?from=${address(hour - 5 * 86_400)}&to=${address(hour - 4 * 86_400)}`)
  await active.getByRole('link', { name: '2 active users' }).click()
  await expect(page).toHaveURL(/\/logs\?f\.customers=signed-in&f\.days=/)
  await expect(page.getByText(/^Logs, period “[^”]+”, customers “2 signed in”, newest first: 3$/)).toBeVisible()
  await expect(rows(page)).toHaveCount(3)
})

test('starts of other versions lead to exactly these: both are of full hours', async ({ app, page, owner }) => {
  await withProgram(app, owner)
  const first = Math.floor(app.now() / 3600) * 3600 - 23 * 3600
  const outdated = { code: 'VERSION_OUTDATED', call: 'init' }
  await insertLogRows(app, owner, [
    ...Array.from({ length: 12 }, () => outdated),
    { ...outdated, ago: app.now() - first },
    // Within the last 24 hours, but before the first hour that is counted.
    { ...outdated, ago: app.now() - first + 1 },
    { code: 'HWID_MISMATCH', call: 'login' },
  ])
  await page.goto('/overview')
  const { count, follow } = await needed(page, /starts of versions other than .* were rejected in the last 24 hours/)
  expect(count).toBeLessThanOrEqual(13)
  await follow()
  await expect(page).toHaveURL(/\/logs\?f\.result=refused&f\.code=VERSION_OUTDATED&f\.days=/)
  await expect(page.getByText(new RegExp(`^Logs, .*: ${count}$`))).toBeVisible()
})

test('new alerts, expiring licenses and a used limit lead to lists of as many rows', async ({ app, page, owner }) => {
  await withProgram(app, owner)
  const alerts = [await newAlert(app, owner), await newAlert(app, owner), await newAlert(app, owner)]
  await owner.visitor.call('POST /alerts/{id}/review', { params: { id: alerts[0] ?? '' }, body: {} })
  const keys = await newLicenses(owner, 4, { expiryUnit: 'days', duration: 3 })
  const redeemed = { used: 1, used_by: 'anna', used_at: app.now(), expires_at: app.now() + 3 * 86_400 }
  await app.db.write(({ db }) =>
    db.updateTable('licenses').set(redeemed).where('license', 'in', keys.slice(0, 3)).execute(),
  )
  await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: keys.slice(0, 1) } })
  await app.db.write(async ({ db }) => {
    const pro = await db.selectFrom('plans').selectAll().where('name', '=', 'Pro').executeTakeFirstOrThrow()
    await db
      .insertInto('plans')
      .values({ ...pro, name: 'Five', display_name: 'Five', max_licenses_per_app: 5, active: 0 })
      .execute()
  })
  await setPlan(app, owner.id, 'Five')
  for (const [text, link, expected] of [
    [/new alerts/, 'Review alerts', 2],
    [/expire within 7 days/, 'Show licenses', 2],
    [/of the .* plan are used/, '4 of 5 licenses', 4],
  ] as const) {
    await page.goto('/overview')
    const line = needs(page).getByRole('listitem').filter({ hasText: text })
    await expect(line).toContainText(new RegExp(`^${expected} `))
    await line.getByRole('link', { name: link }).click()
    await expect(page).not.toHaveURL(/overview/)
    await expect(rows(page)).toHaveCount(expected)
  }
})
