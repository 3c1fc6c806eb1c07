import type { Locator, Page } from '@playwright/test'
import { newSubscriber, newUser } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from './fixtures.ts'

/** Displayed times: remaining time, elapsed time, and dates. */

const day = 86_400

const row = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: `Select ${name}`, exact: true }) })

/** A redeemed key that expires at that time. */
async function redeemed(app: TestApp, owner: SignedInOwner, expiresAt: number, length = 30 * day): Promise<string> {
  const [key = ''] = await newLicenses(owner, 1)
  const change = {
    used: 1,
    used_by: 'marta.dev',
    used_at: expiresAt - length,
    duration_seconds: length,
    expires_at: expiresAt,
  }
  await app.db.write(({ db: trx }) => trx.updateTable('licenses').set(change).where('license', '=', key).execute())
  return key
}

/** The date a number of days from now, in English format. */
function dateIn(days: number): string {
  const [now, then] = [new Date(), new Date(Date.now() + days * day * 1000)]
  const year = then.getUTCFullYear() === now.getUTCFullYear() ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat('en', { ...year, month: 'short', day: 'numeric', timeZone: 'UTC' }).format(then)
}

/** Sets the browser's clock; the server's clock is unchanged. */
const setClock = (page: Page, at: string) => page.clock.setFixedTime(new Date(at))

test('an unused 30-day key shows a month, a used one 30 days, and 395 days are a year and 30 days, in both languages', async ({
  app,
  page,
  owner,
}) => {
  const [unused = ''] = await newLicenses(owner, 1)
  const fresh = await redeemed(app, owner, app.now() + 30 * day)
  const long = await redeemed(app, owner, app.now() + 395 * day, 395 * day)
  const ended = await redeemed(app, owner, app.now() - 3 * day)
  await page.goto('/licenses')
  await expect(row(page, unused)).toContainText('1 month')
  await expect(row(page, fresh)).toContainText(`30 days left · ${dateIn(30)}`)
  await expect(row(page, long)).toContainText(`1 year 30 days left · ${dateIn(395)}`)
  await expect(row(page, ended)).toContainText(`expired 3 days ago · ${dateIn(-3)}`)
  await expectNoAxeViolations(page)

  await page.evaluate(() => localStorage.setItem('signet.locale', 'pt-BR'))
  await page.reload()
  const portuguese = (key: string) => page.getByRole('row').filter({ hasText: key.slice(0, 4) })
  await expect(portuguese(unused)).toContainText('1 mês')
  await expect(portuguese(fresh)).toContainText('30 dias restantes · ')
  await expect(portuguese(long)).toContainText('1 ano e 30 dias restantes · ')
  await expect(portuguese(ended)).toContainText('expirou há 3 dias · ')
})

test('the days and the date change together at midnight while the page is open', async ({ app, page, owner }) => {
  const key = await redeemed(app, owner, Date.parse('2027-12-21T12:00:00Z') / 1000)
  await setClock(page, '2027-11-21T23:59:50Z')
  await page.goto('/licenses')
  await expect(row(page, key)).toContainText('30 days left · Dec 21')
  await setClock(page, '2027-11-22T00:00:05Z')
  await expect(row(page, key)).toContainText('29 days left · Dec 21')
  await setClock(page, '2027-12-20T09:30:00Z')
  await expect(row(page, key)).toContainText('1 day 3 hours left · Dec 21, 12:00 PM')
  await setClock(page, '2027-12-21T11:59:30Z')
  await expect(row(page, key)).toContainText('1 minute left · 12:00 PM')
  await setClock(page, '2027-12-21T12:00:00Z')
  await expect(row(page, key)).toContainText('expired now · 12:00 PM')
  await setClock(page, '2027-12-24T12:00:00Z')
  await expect(row(page, key)).toContainText('expired 3 days ago · Dec 21')
})

test("every time is in the profile's zone, on every screen and after a reload", async ({ app, page, owner }) => {
  const key = await redeemed(app, owner, Date.parse('2027-12-21T02:30:00Z') / 1000)
  await setClock(page, '2027-11-21T12:00:00Z')
  await page.goto('/licenses')
  await expect(row(page, key)).toContainText('30 days left · Dec 21')
  await row(page, key).getByText('30 days left').hover()
  await expect(page.getByRole('tooltip')).toHaveText('Dec 21, 2027, 2:30:00 AM UTC')

  await page.goto('/profile')
  const form = page.getByRole('form', { name: 'Time zone' })
  const zone = form.getByRole('combobox', { name: 'Time zone' })
  await expect(zone).toHaveValue('')
  await expect(zone.locator('option:checked')).toHaveText('Browser time zone (UTC)')
  await expect(form.getByRole('button', { name: 'Save time zone' })).toBeDisabled()
  await zone.selectOption({ label: 'Sao Paulo' })
  await expect(form).toContainText('It is Nov 21, 2027, 9:00 AM GMT−3 there.')
  await form.getByRole('button', { name: 'Save time zone' }).click()
  await expectToast(page, 'Profile updated successfully')
  expect((await owner.visitor.call('GET /check-auth')).body.user).toMatchObject({ timeZone: 'America/Sao_Paulo' })

  await page.getByRole('link', { name: 'Licenses' }).click()
  await expect(row(page, key)).toContainText('29 days left · Dec 20')
  await row(page, key).getByText('29 days left').hover()
  const tooltip = page.getByRole('tooltip')
  await expect(tooltip).toContainText('Dec 20, 2027, 11:30:00 PM America/Sao Paulo')
  await expect(tooltip).toContainText('Dec 21, 2027, 2:30:00 AM UTC')
  await page.reload()
  await expect(row(page, key)).toContainText('29 days left · Dec 20')

  await page.goto('/profile')
  await expect(zone).toHaveValue('America/Sao_Paulo')
  await zone.selectOption({ label: 'Browser time zone (UTC)' })
  await form.getByRole('button', { name: 'Save time zone' }).click()
  await expectToast(page, 'Profile updated successfully')
  await page.goto('/licenses')
  await expect(row(page, key)).toContainText('30 days left · Dec 21')
})

test('a zone unknown to the server is rejected, and the previous one stays', async ({ page, owner }) => {
  await page.goto('/profile')
  const form = page.getByRole('form', { name: 'Time zone' })
  const zone = form.getByRole('combobox', { name: 'Time zone' })
  await zone.evaluate((select: HTMLSelectElement) => select.add(new Option('Mars', 'Mars/Olympus_Mons')))
  await zone.selectOption({ label: 'Mars' })
  await form.getByRole('button', { name: 'Save time zone' }).click()
  await expectToast(page, 'This time zone does not exist')
  expect((await owner.visitor.call('GET /check-auth')).body.user).toMatchObject({ timeZone: null })
  await page.reload()
  await expect(zone).toHaveValue('')
})

test("a zone that this browser doesn't know breaks no page: times are in the browser’s own zone", async ({
  app,
  page,
  owner,
}) => {
  const key = await redeemed(app, owner, app.now() + 30 * day)
  const change = { time_zone: 'Future/New_City' }
  await app.db.write(({ db: trx }) => trx.updateTable('accounts').set(change).where('id', '=', owner.id).execute())
  await page.goto('/licenses')
  await expect(row(page, key)).toContainText(`30 days left · ${dateIn(30)}`)
  await page.goto('/profile')
  const form = page.getByRole('form', { name: 'Time zone' })
  await expect(form.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Future/New_City')
  await expect(form).toContainText('This browser does not know this time zone and shows its own times.')
})

test('users show the time left of their access, which a pause stops', async ({ app, page, owner }) => {
  await newSubscriber(owner, { username: 'ana' })
  await newSubscriber(owner, { username: 'bea', days: null })
  await newUser(owner, 'cleo')
  await newSubscriber(owner, { username: 'dora', days: 12 })
  await owner.visitor.call('POST /toggle_pause_user', { body: { username: 'dora' } })
  // The pause may have begun in the same second, or later.
  const timeLeft = /12 days left|11 days( 23 hours)? left/
  await page.goto('/users')
  await expect(row(page, 'ana')).toContainText(`30 days left · ${dateIn(30)}`)
  await expect(row(page, 'bea')).toContainText('Lifetime')
  await expect(row(page, 'cleo')).not.toContainText('left')
  await expect(row(page, 'dora')).toContainText(timeLeft)
  await expect(row(page, 'dora')).not.toContainText(/left\s*·/)

  await page.getByRole('button', { name: 'Details of ana' }).click()
  const subscriptions = page.getByRole('region', { name: 'Subscriptions of ana' })
  await expect(subscriptions).toContainText(`30 days left · ${dateIn(30)}`)
  await expect(subscriptions.getByText('Active', { exact: true })).toBeVisible()
  // The time expires while the page is open.
  await setClock(page, new Date((app.now() + 31 * day) * 1000).toISOString())
  await expect(row(page, 'ana').getByText('Expired', { exact: true })).toBeVisible()
  await expect(row(page, 'ana')).toContainText('expired 1 day ago')
  await expect(subscriptions.getByText('Expired', { exact: true })).toBeVisible()
  await expect(row(page, 'dora')).toContainText(timeLeft)
})
