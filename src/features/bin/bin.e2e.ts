import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { newSubscriber, newUser, userOf } from '#testing/people/end-users.ts'
import { newLicenses, setPlan } from '#testing/people/people.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const choose = async (page: Page, name: string, action: string) => {
  await row(page, name)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a deletion is undone from its toast, and later on the page of deleted items', async ({ page, owner }) => {
  const [key = '', other = ''] = await newLicenses(owner, 2, { mask: 'A##############' })
  const licenses = async () => (await owner.visitor.call('GET /licenses')).body.licenses.map(({ license }) => license)
  for (const username of ['ivy', 'ben']) await newSubscriber(owner, { username })

  await page.goto('/licenses')
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('You can restore it for 30 days.')
  await dialog(page).getByRole('button', { name: 'Delete license' }).click()
  await expectToast(page, 'License deleted successfully')
  expect(await licenses()).toHaveLength(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 item')
  expect((await licenses()).toSorted()).toEqual([key, other].toSorted())

  await page.goto('/users')
  for (const name of ['ivy', 'ben']) await row(page, name).getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Deleted 2 users successfully')
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show deleted' }).click()
  await expect(page.getByRole('heading', { name: 'Deleted', level: 1 })).toBeVisible()
  for (const text of ['User', 'Basic', owner.username, 'in 30 days']) await expect(row(page, 'ivy')).toContainText(text)
  await expectNoAxeViolations(page)
  await choose(page, 'ivy', 'Restore')
  await expectToast(page, 'Restored 1 item')
  await expect(row(page, 'ivy')).toBeHidden()
  expect(await userOf(owner, 'ivy')).toMatchObject({ hasActiveSubscription: true })

  await row(page, 'ben').getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete for good' }).click()
  await dialog(page).getByRole('button', { name: 'Delete for good' }).click()
  await expectToast(page, 'Deleted 1 item for good')
  await page.goto('/deleted')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('row').nth(1).getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click()
  await expectToast(page, 'Restored 1 item')
  await expect(page.getByText('Nothing is deleted')).toBeVisible()
  await expectNoAxeViolations(page)
  expect(await licenses()).toHaveLength(2)
})

test('items that are being restored are not restored again', async ({ page, owner }) => {
  for (const username of ['ivy', 'ben']) {
    await newUser(owner, username)
    await owner.visitor.call('POST /delete_user', { body: { username } })
  }
  const arrival = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let calls = 0
  await page.route('**/bin/restore', async (route) => {
    calls += 1
    arrival.resolve()
    await release.promise
    await route.continue()
  })
  await page.goto('/deleted')
  for (const name of ['ivy', 'ben']) await row(page, name).getByRole('checkbox').check()
  const restore = page.getByRole('toolbar').getByRole('button', { name: 'Restore' })
  await restore.dblclick()
  await arrival.promise
  await expect(restore).toHaveAttribute('aria-busy', 'true')
  await row(page, 'ivy')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Restore' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  release.resolve()
  await expectToast(page, 'Restored 2 items')
  await expect(page.getByText('Nothing is deleted')).toBeVisible()
  expect(calls).toBe(1)
})

test('names why an item cannot be restored, and empties the bin after its name is typed', async ({
  app,
  page,
  owner,
}) => {
  await newUser(owner, 'ivy')
  await owner.visitor.call('POST /delete_user', { body: { username: 'ivy' } })
  await newUser(owner, 'ivy')
  const file = { body: { name: 'Tool' }, file: new Blob(['x'.repeat(1500)]) }
  await owner.visitor.call('POST /downloads/upload', file)
  await owner.visitor.call('POST /create_webhook', { body: { url: 'https://hooks.example/secret' } })
  await owner.visitor.call('POST /delete_all_webhooks', { body: {} })
  const large = { body: { name: 'old' }, file: new Blob([new Uint8Array(2_000_000)]) }
  await setPlan(app, owner.id, 'Developer')
  await owner.visitor.call('POST /downloads/upload', large)
  await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name: 'old' }, body: {} })
  await setPlan(app, owner.id, 'Free')
  await page.goto('/downloads')
  await choose(page, 'Tool', 'Delete')
  const costs = 'would exceed the 2 MB of your plan. The oldest of them are deleted for good to make room.'
  await expect(dialog(page)).toContainText(costs)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Download deleted successfully')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show deleted' }).click()
  for (const text of ['File', '1.5 KB']) await expect(row(page, 'Tool')).toContainText(text)
  await expect(page.getByRole('row')).toHaveCount(2)
  await choose(page, 'Tool', 'Restore')
  await expectToast(page, 'Restored 1 item')
  await page.goto('/deleted')
  await choose(page, 'hooks.example', 'Restore')
  await expectToast(page, /^Your plan does not include webhooks\./)
  await setPlan(app, owner.id, 'Developer')
  await choose(page, 'hooks.example', 'Restore')
  await expectToast(page, 'Restored 1 item')
  await choose(page, 'ivy', 'Restore')
  await expectToast(page, 'This username is already taken')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('restore')
  await expect(page.getByRole('option', { name: 'Deleted' })).toBeVisible()
  await page.keyboard.press('Escape')
  const deleteAll = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete all for good' }).click()
    await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  }
  await expectFailures(app, page, [{ says: 'Failed to delete for good', open: deleteAll, press: 'Delete for good' }])
  await page.goto('/deleted')
  await deleteAll()
  await dialog(page).getByRole('button', { name: 'Delete for good' }).click()
  await expectToast(page, 'Deleted 1 item for good')
  await expect(page.getByText('Nothing is deleted')).toBeVisible()
})

test('each list whose rows lie in the bin leads to those of its kind', async ({ page, owner }) => {
  await owner.visitor.call('POST /create_subscription', { body: { level: 7, name: 'Seasonal' } })
  await owner.visitor.call('POST /delete_subscription', { body: { level: 7 } })
  const kinds = { licenses: 'license', users: 'user', variables: 'variable', downloads: 'file', webhooks: 'webhook' }
  for (const [path, kind] of Object.entries({ ...kinds, subscriptions: 'subscription' })) {
    await page.goto(`/${path}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Show deleted' }).click()
    await expect(page).toHaveURL(new RegExp(`/deleted\\?f\\.kind=${kind}$`))
  }
  await choose(page, 'Seasonal', 'Restore')
  await expectToast(page, 'Restored 1 item')
  const { subscriptions } = (await owner.visitor.call('GET /subscriptions')).body
  expect(subscriptions.map(({ name }) => name)).toContain('Seasonal')
})
