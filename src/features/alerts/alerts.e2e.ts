import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newAlert } from '#testing/busy-app.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const row = (page: Page) => page.getByRole('row').filter({ hasText: 'HWID_MULTI_KEY' })
const run = (page: Page) => page.getByRole('button', { name: 'Run Detection' }).click()
const badge = (page: Page) => page.getByRole('link', { name: /^Alerts/ })

/** Three users sign in on one machine. */
async function shareMachine(app: TestApp, owner: SignedInOwner): Promise<void> {
  for (const username of ['ada', 'ben', 'cyd']) {
    await signedIn(app, owner, await newSubscriber(owner, { username }))
  }
}

test('activity of real programs raises an alert with its evidence, which is reviewed, undone, and dismissed', async ({
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
  await expect(row(page).getByText(hwid.slice(0, 12), { exact: true }).first()).toBeVisible()
  await expect(badge(page)).toContainText('1')

  await row(page).getByRole('button', { name: 'Show details' }).or(row(page).locator('[aria-expanded]')).first().click()
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await expect(evidence).toContainText('Users: 3 within 1 day. Alert threshold: 3.')
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
  await page.getByRole('menuitemcheckbox', { name: 'New' }).click()
  await expect(row(page)).toBeHidden()
})

test('selected alerts are reviewed, undone, and dismissed together; one already decided says why it was skipped', async ({
  app,
  page,
  owner,
}) => {
  const keys = ['198.51.100.1', '198.51.100.2', '198.51.100.3']
  for (const ip of keys) await newAlert(app, owner, { ip })
  await newAlert(app, owner, { ip: '198.51.100.4', status: 'dismissed' })
  await page.goto('/alerts')
  const rowOf = (ip: string) => page.getByRole('row').filter({ hasText: ip })
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  for (const ip of keys.slice(0, 2)) await rowOf(ip).getByRole('checkbox').check()
  await expectNoAxeViolations(page)
  await bar.getByRole('button', { name: 'Review' }).click()
  await expectToast(page, '2 alerts marked as reviewed')
  await expect(bar).toBeHidden()
  await expect(badge(page)).toContainText('1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, '2 alerts reopened')
  await expect(badge(page)).toContainText('3')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await bar.getByRole('button', { name: 'Dismiss' }).click()
  await expectToast(page, '3 alerts dismissed')
  await expectToast(page, '1 alert skipped: This alert has already been reviewed or dismissed')
  await expect(rowOf('198.51.100.3')).toContainText('Dismissed')
})

test('types are filtered by group, and thresholds are set for the app', async ({ app, page, owner }) => {
  await shareMachine(app, owner)
  await page.goto('/alerts')
  await page.getByRole('button', { name: 'Alert settings' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('HWID_MULTI_KEY')
  const threshold = dialog.getByRole('spinbutton', { name: 'Threshold' })
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
  await page.getByRole('menuitemcheckbox', { name: 'License shared' }).click()
  await expect(row(page)).toBeHidden()
})

test('a failed detection or decision reports the error', async ({ app, page, owner }) => {
  await shareMachine(app, owner)
  await page.goto('/alerts')
  await run(page)
  const button = (name: string) => row(page).getByRole('button', { name })
  await expectFailures(app, page, [
    { says: 'Failed to review alert', press: button('Review') },
    { says: 'Failed to dismiss alert', press: button('Dismiss') },
  ])
  await withoutTable(app.db, 'alerts', async () => {
    await run(page)
    await expectToast(page, /^Failed to run detection$/)
  })
})

test('an alert about a reseller names and links the reseller, and accuses no user', async ({ app, page, owner }) => {
  const reseller = await newSellingReseller(app, { credits: 100 }, { ...owner })
  const { licenses } = (await reseller.sell({ amount: 10 })).body as unknown as { licenses: string[] }
  for (const id of licenses)
    await reseller.visitor.call('DELETE /reseller/licenses/{id}', { params: { id }, body: { appName: owner.appName } })
  await page.goto('/alerts')
  await run(page)
  const abuse = page.getByRole('row').filter({ hasText: 'RESELLER_CREDIT_ABUSE' })
  await expect(abuse.getByRole('link', { name: reseller.username })).toBeVisible()
  await expect(abuse).not.toContainText('users')
  await abuse.getByRole('button', { name: 'Show details' }).or(abuse.locator('[aria-expanded]')).first().click()
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await expect(evidence).toContainText(licenses[0] ?? '')
  // Deleted objects have no link.
  await expect(evidence.getByRole('link', { name: licenses[0] ?? '' })).toHaveCount(0)
  await abuse.getByRole('link', { name: reseller.username }).click()
  await expect(page.getByRole('heading', { name: reseller.username })).toBeVisible()
})

test('the link in a chat message shows its alert, whichever app is selected, also after a sign-in', async ({
  app,
  page,
  context,
  owner,
}) => {
  const other = (await owner.visitor.call('POST /create_app', { body: { appName: 'Prism Render', version: '1.0.0' } }))
    .body
  const id = await newAlert(app, { ...owner, appId: other.appId }, { ip: '198.51.100.7' })
  await newAlert(app, owner, { ip: '198.51.100.8' })
  const link = `/alerts?appId=${other.appId}&q=${id}`
  await page.goto(`/alerts?appId=${owner.appId}`)
  await expect(page.getByRole('row').filter({ hasText: '198.51.100.8' })).toBeVisible()
  const shows = async () => {
    await expect(page.getByRole('row').filter({ hasText: '198.51.100.7' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Prism Render/ }).first()).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/alerts\\?q=${id}$`))
  }
  await page.goto(link)
  await shows()
  await page.reload()
  await shows()

  await context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await page.getByLabel('Username').fill(owner.username)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await shows()

  await page.goto(`/alerts?appId=app_AAAAAAAAAAAAAAAA&q=${id}`)
  await expectToast(page, 'The app in this link is not available. It may have been deleted.')
  await expect(page.getByRole('button', { name: /Prism Render/ }).first()).toBeVisible()
})
