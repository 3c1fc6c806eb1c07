import { switchTo } from '#e2e/app-switcher.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'

const deleteElsewhere = ({ visitor, appId }: SignedInOwner) => visitor.call('POST /delete_app', { body: { appId } })

test('an app deleted in another browser is deselected, and a form typed for it reaches no other app', async ({
  app,
  page,
  owner,
}) => {
  app.advance(5)
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second App' } })
  await page.goto('/licenses')
  await page.getByRole('button', { name: 'Create licenses' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create licenses' })
  await form.getByLabel('Subscription').selectOption({ label: 'Basic' })
  await form.getByLabel('Notes').fill('typed for Prism Studio')
  const sent: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('licenses')) sent.push(request.headers()['x-app-id'])
  })
  await deleteElsewhere(owner)

  await form.getByRole('button', { name: /^create/i }).click()
  await expectToast(page, 'Prism Studio is no longer available. It may have been deleted.')
  await expect(page.getByRole('main').getByText('No App Selected')).toBeVisible()
  await expect(form).toBeHidden()
  await expect(page.getByText('App not found')).toBeHidden()
  await expect(page.getByText('Prism Studio is no longer available.')).toHaveCount(1)
  await expectNoAxeViolations(page)

  await page.getByRole('button', { name: 'No App Selected' }).click()
  const chooser = page.getByRole('dialog', { name: 'Apps' })
  await expect(chooser.getByText('Prism Studio')).toBeHidden()
  await chooser.getByRole('button', { name: /Second App/ }).click()
  await expectToast(page, 'Switched to app: Second App')
  await expect(page.getByText('No licenses found...')).toBeVisible()
  await expect(form).toBeHidden()
  expect(sent).toEqual([owner.appId])
})

test('a page opened after its only app was deleted in another browser says that none is selected', async ({
  page,
  owner,
}) => {
  // Live changes could tell of the deletion before the click.
  await page.route('**/api/1.0/website/live**', (route) => route.abort())
  await page.goto('/licenses')
  await expect(page.getByRole('heading', { name: 'Licenses', level: 1 })).toBeVisible()
  await deleteElsewhere(owner)
  // A link to another page could lead to the page for a new app at once.
  await page.getByRole('searchbox').fill('any')
  await expectToast(page, `${owner.appName} is no longer available.`)
  await expect(page.getByRole('main').getByText('No App Selected')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Manage Apps' }).click()
  await expect(page).toHaveURL(/\/create-app$/)
})

test('settings typed for an app that another browser deletes are discarded, and a message names the app', async ({
  page,
  owner,
}) => {
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second App' } })
  await page.goto(`/a/${owner.appId}/dashboard`)
  const version = page.getByRole('textbox', { name: 'App version', exact: true })
  await version.fill('9.9.9')
  await switchTo(page, 'Prism Studio', 'Second App')
  await expect(version).toHaveValue('1.0')
  await deleteElsewhere(owner)
  await expectToast(page, 'Deleted meanwhile, so what you typed is discarded: Prism Studio')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
})
