import { hashSync } from 'bcryptjs'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { newUser, userOf } from '#testing/people/end-users.ts'

const choose = (page: Page, name: string, content: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) })

test("KeyAuth's users are checked, imported, shown, and undone", async ({ page, owner }) => {
  await newUser(owner, 'taken')
  const password = hashSync('Correct7Horse', 4)
  const expiry = String(Math.floor(Date.now() / 1000) + 30 * 86_400)
  const users = ['anna', 'ben', 'taken'].map((username) => ({ username, password, banned: null, hwid: 'S-1-5-21' }))
  const subscription = [
    { user: 'anna', subscription: 'default', expiry },
    { user: 'ben', subscription: 'Gold', expiry },
  ]
  await page.goto('/users')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Import' }).click()
  await expect(page.getByRole('heading', { name: 'Import', level: 1 })).toBeVisible()
  await choose(page, 'broken.json', '{"users":[')
  await expect(page.getByText('The file is not valid JSON. It may be incomplete.')).toBeVisible()
  await choose(page, 'users.json', JSON.stringify({ users, subscription }))

  await expect(page.getByText('3 users from KeyAuth')).toBeVisible()
  await page.getByLabel('default').selectOption({ label: 'Basic' })
  await page.getByLabel('Gold').selectOption({ label: 'Create “Gold”' })
  await page.getByRole('button', { name: 'Check file' }).click()
  await expect(page.getByText('2 users will be created')).toBeVisible()
  const results = page.getByRole('region', { name: 'Rows to look at' })
  await expect(results.getByRole('row').nth(1)).toContainText('taken')
  await expectNoAxeViolations(page)
  expect(await userOf(owner, 'anna')).toBeUndefined()

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
  const past = page.getByRole('list', { name: 'Imports of the last 30 days' })
  await expect(past).toContainText('2 users created · 1 skipped')
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Show users' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'anna' })).toContainText('Basic')
  expect((await userOf(owner, 'ben'))?.subscriptions).toMatchObject({ 2: { name: 'Gold' } })

  await page.goto('/import')
  await page.getByRole('button', { name: 'Undo the import of users.json' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expectToast(page, 'Undid 2 rows')
  await expect(past).toContainText('Undone')
  expect(await userOf(owner, 'anna')).toBeUndefined()
  expect(await userOf(owner, 'taken')).toBeDefined()
})

test('an import that is cut off continues where it stopped, on the page and after a reload with the same file', async ({
  page,
  owner,
}) => {
  const keys = Array.from({ length: 1100 }, (_, at) => `CUT-${String(at).padStart(4, '0')}`)
  const file = ['License,Level,Expiry', ...keys.map((key) => `${key},1,30 days`)].join('\n')
  const imported = async () => (await owner.visitor.call('GET /licenses', { query: { search: 'CUT-' } })).body.total
  let batches = 0
  let lastBatch = 1
  await page.route('**/imports/rows', (route) => (++batches > lastBatch ? route.abort() : route.continue()))
  await page.goto('/import')
  await choose(page, 'keys.csv', file)
  await page.getByRole('button', { name: 'Check file' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const stopped = page
    .getByRole('alert')
    .filter({ hasText: 'Failed to import. 500 are already done. Try again to finish the rest.' })
  await expect(stopped).toBeVisible()
  expect(await imported()).toBe(500)

  lastBatch = batches + 1
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: '1,000 are already done.' })).toBeVisible()
  expect(await imported()).toBe(1000)

  lastBatch = Infinity
  await page.reload()
  await choose(page, 'keys.csv', file)
  await expect(page.getByText('1,000 licenses created · stopped after 1,000 of 1,100 rows').first()).toBeVisible()
  await page.getByRole('button', { name: 'Continue this import' }).click()
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '1,100 licenses created' })).toBeVisible()
  expect(await imported()).toBe(1100)
})
