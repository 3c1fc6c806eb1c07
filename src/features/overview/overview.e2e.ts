import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newLicenses, setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const chart = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const points = (page: Page) => chart(page, 'Sign-ins').getByRole('slider', { name: 'Sign-ins' })
const steps = (page: Page) => page.getByRole('region', { name: /Steps to a running program|Your program is connected/ })
const outOfDate = (page: Page) => page.getByRole('alert').filter({ hasText: 'Failed to load the overview' })
const current = (page: Page) => steps(page).locator('[aria-current=step]')

test('from an empty app to the first program, whose start is seen without a reload', async ({ app, page, owner }) => {
  test.slow()
  await page.goto('/overview')
  await expect(page.getByText('No program has run yet')).toBeVisible()
  await expect(current(page)).toContainText('first license')
  await expectNoAxeViolations(page)
  const toCode = page.getByRole('link', { name: 'Show the code to paste' })
  await expect(toCode.first()).toHaveAttribute('href', /\/connect$/)

  const [key = ''] = await newLicenses(owner, 1)
  await expect(current(page)).toContainText('waiting for the first program', { timeout: 30_000 })
  const program = await Program.of(app, owner)
  await program.init()
  await expect(steps(page)).toBeHidden({ timeout: 30_000 })
  await program.license(key)
  await page.reload()
  await expect(chart(page, 'Activations')).toContainText('1 activation')
  await expect(steps(page)).toBeHidden()
})

test('what a real program did is drawn, read out point by point, and there as a table and a file', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  const [key = ''] = await newLicenses(owner, 2, { expiryUnit: 'days', duration: 3 })
  await signedIn(app, owner, await newSubscriber(owner, { username: 'marta' }))
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  await program.license('no-such-key')

  await page.goto('/overview')
  await expect(async () => {
    await page.reload()
    await expect(chart(page, 'Sign-ins')).toContainText('2 sign-ins', { timeout: 2000 })
    await expect(chart(page, 'Rejections by reason')).toContainText('1 rejected call', { timeout: 2000 })
  }).toPass()
  for (const [name, count] of [
    ['Active users', '2 active users'],
    ['New users', '2 new users'],
    ['Activations', '1 activation'],
  ] as const) {
    await expect(chart(page, name)).toContainText(count)
  }
  await expect(chart(page, 'Rejections by reason')).toContainText('License not found')
  await expectNoAxeViolations(page)

  // By keyboard: the last point is today, and the arrow keys move through earlier days.
  const signIns = points(page)
  await expect(signIns).toHaveAttribute('aria-valuetext', /, so far: 2 sign-ins$/)
  await signIns.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(signIns).toHaveAttribute('aria-valuetext', /: 0 sign-ins$/)
  await page.keyboard.press('Home')
  await expect(signIns).toHaveAttribute('aria-valuenow', '0')
  await page.keyboard.press('End')
  await expect(signIns).toHaveAttribute('aria-valuenow', '6')
  await expect(chart(page, 'Sign-ins').getByRole('img')).toHaveAccessibleName(/highest on .* with 2 sign-ins/)

  // Each chart can be shown as a table with the same numbers.
  const titles = await page.getByRole('region').getByRole('heading', { level: 2 }).allTextContents()
  const charts = titles.filter((title) => !/program|needs? you/.test(title))
  expect(charts).toHaveLength(7)
  for (const title of charts) {
    await chart(page, title)
      .getByRole('button', { name: `View ${title} as table` })
      .click()
    await expect(chart(page, title).getByRole('table')).toBeVisible()
  }
  await expect(chart(page, 'Sign-ins').getByRole('row').last()).toContainText(/2$/)
  await expect(chart(page, 'Licenses expiring soon').getByRole('row').nth(4)).toContainText(/1$/)
  await expectNoAxeViolations(page)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chart(page, 'Sign-ins').getByRole('button', { name: 'Save Sign-ins as CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toBe('Day,Sign-ins')
  expect(lines).toHaveLength(8)
  expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\d,2$/)

  await page.getByRole('radio', { name: '24 hours' }).check()
  await expect(page).toHaveURL(/days=1/)
  await expect(chart(page, 'Sign-ins').getByRole('row')).toHaveCount(25)
  await page.goBack()
  await expect(page.getByRole('radio', { name: '7 days' })).toBeChecked()
})

test('numbers that can’t be loaded are said to be missing or old, and Retry brings them', async ({
  app,
  page,
  owner,
}) => {
  await newSubscriber(owner)
  await withoutTable(app.db, 'activity_progress', async () => {
    await page.goto('/overview')
    await expect(page.getByText('Failed to load the overview')).toBeVisible()
    await expectNoAxeViolations(page)
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(chart(page, 'New users')).toContainText('1 new user')
  await withoutTable(app.db, 'activity_progress', async () => {
    await page.getByRole('radio', { name: '30 days' }).check()
    await expect(outOfDate(page)).toContainText('Still showing 7 days')
    await expect(chart(page, 'New users')).toContainText('1 new user')
  })
  await outOfDate(page).getByRole('button', { name: 'Retry' }).click()
  await expect(outOfDate(page)).toBeHidden()
  await expect(page.getByRole('radio', { name: '30 days' })).toBeChecked()
})

test('a server that went away leaves the numbers in view', async ({ page, owner, server }) => {
  await newSubscriber(owner)
  await page.goto('/overview')
  await expect(chart(page, 'New users')).toContainText('1 new user')
  await server.stop()
  await page.getByRole('radio', { name: '90 days' }).check()
  await expect(outOfDate(page)).toContainText('7 days')
  await expect(chart(page, 'New users')).toContainText('1 new user')
  await server.start()
  await expect(outOfDate(page)).toBeHidden({
    timeout: 30_000,
  })
})

test('on a plan without analytics the page counts what the app has, says what the plan lacks, and leads on', async ({
  app,
  page,
  owner,
}) => {
  await newLicenses(owner, 3)
  await newSubscriber(owner)
  await setPlan(app, owner.id, 'Free')
  const users = '**/website/users?limit=1'
  await page.route(users, (route) => route.fulfill({ status: 500, json: { success: false } }))
  await page.goto('/overview')
  const now = page.getByRole('region', { name: 'Right now' })
  await expect(now).toContainText('This could not be loaded.')
  await page.unroute(users)
  await now.getByRole('button', { name: 'Retry' }).click()
  const counts = now.getByRole('listitem')
  await expect(counts).toHaveText([/3 licenses · 3 not redeemed yet/, /1 user/, /0 active sessions/])
  await expect(page.getByText('Your plan does not include charts')).toBeVisible()
  await expect(page.getByText('The Free plan does not include this.')).toBeVisible()
  await expect(current(page)).toContainText('waiting for the first program')
  await expectNoAxeViolations(page)
  await counts.getByRole('link', { name: 'Show users' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'Compare plans' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
})
