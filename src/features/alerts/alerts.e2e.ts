import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newSubscriber, signedIn } from '#testing/end-users.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/without-table.ts'

const row = (page: Page) => page.getByRole('row').filter({ hasText: 'HWID_MULTI_KEY' })
const run = (page: Page) => page.getByRole('button', { name: 'Run Detection' }).click()
const badge = (page: Page) => page.getByRole('link', { name: /^Alerts/ })

/** Three users sign in on one machine. */
async function shareMachine(app: TestApp, owner: SignedInOwner): Promise<void> {
  for (const username of ['ada', 'ben', 'cyd']) {
    await signedIn(app, owner, await newSubscriber(owner, { username }))
  }
}

test('what real programs did raises an alert with its evidence, which is reviewed, taken back and dismissed', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  await page.goto('/alerts')
  await expect(page.getByText('No alerts found. Click "Run Detection" to scan for suspicious activity.')).toBeVisible()
  await expectNoAxeViolations(page)

  await shareMachine(app, owner)
  await run(page)
  await expectToast(page, 'Detection finished: 1 new alert')
  await expect(row(page)).toContainText('High')
  await expect(row(page)).toContainText('3 users')
  await expect(row(page)).toContainText('127.0.0.1')
  const { data } = (await owner.visitor.call('GET /alerts')).body
  const hwid = data[0]?.details.hwid ?? ''
  await expect(row(page).getByText(hwid.slice(0, 16), { exact: true })).toBeVisible()
  await expect(badge(page)).toContainText('1')

  await row(page).getByRole('button', { name: 'Show details' }).or(row(page).locator('[aria-expanded]')).first().click()
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await expect(evidence).toContainText('Users: 3 within 1 day; 3 or more raise an alert.')
  for (const username of ['ada', 'ben', 'cyd'])
    await expect(evidence.getByRole('link', { name: username })).toBeVisible()
  await page.getByRole('button', { name: 'Latest activity of ada' }).click()
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('login')
  await expectNoAxeViolations(page)

  await row(page).getByRole('button', { name: 'Review' }).click()
  await expectToast(page, 'Alert marked as reviewed')
  await expect(row(page)).toContainText('Reviewed')
  await expect(row(page).getByRole('button', { name: 'Review' })).toBeHidden()
  await expect(badge(page)).not.toContainText('1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page).getByRole('button', { name: 'Dismiss' })).toBeVisible()
  await expect(badge(page)).toContainText('1')
  await row(page).getByRole('button', { name: 'Dismiss' }).click()
  await expectToast(page, 'Alert dismissed')
  await expect(row(page)).toContainText('Dismissed')

  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'New' }).click()
  await expect(row(page)).toBeHidden()
})

test('types are filtered by their group, and what counts is set for the app', async ({ app, page, owner }) => {
  await shareMachine(app, owner)
  await page.goto('/alerts')
  await page.getByRole('button', { name: 'Alert settings' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('HWID_MULTI_KEY')
  const threshold = dialog.getByRole('spinbutton', { name: 'From how many on' })
  await expect(threshold).toHaveValue('3')
  await threshold.fill('1')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toContainText('The threshold must be a whole number from 2 to 100000')
  await threshold.fill('4')
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Alert settings saved')
  await run(page)
  await expectToast(page, 'Detection finished: nothing new')
  await signedIn(app, owner, await newSubscriber(owner, { username: 'dee' }))
  await run(page)
  await expect(row(page)).toContainText('4 users')
  await page.getByRole('button', { name: 'Type', exact: true }).click()
  await expect(page.getByRole('menu')).toContainText('Across apps')
  await page.getByRole('menuitemradio', { name: 'License passed on' }).click()
  await expect(row(page)).toBeHidden()
})

test('a detection or a decision that failed says so', async ({ app, page, owner }) => {
  await shareMachine(app, owner)
  await page.goto('/alerts')
  await run(page)
  const act = (name: string) => row(page).getByRole('button', { name })
  await expectFailures(app, page, [
    { says: 'Failed to review alert', press: act('Review') },
    { says: 'Failed to dismiss alert', press: act('Dismiss') },
  ])
  await withoutTable(app.db, 'alerts', async () => {
    await run(page)
    await expectToast(page, /^Failed to run detection$/)
  })
})
