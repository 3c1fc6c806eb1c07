import type { Page } from '@playwright/test'
import { Webhook as Verifier } from 'standardwebhooks'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { setPlan } from '#testing/people/people.ts'
import { startReceiver } from '#testing/servers/webhook-receiver.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const choose = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
const webhooks = async ({ visitor }: SignedInOwner) =>
  (await visitor.call('GET /webhooks', { query: {} })).body.webhooks

test('a webhook is created with its secret, gets a signed event, is tested, edited and deleted: "Webhook created/updated/deleted successfully"', async ({
  app,
  page,
  owner,
}) => {
  const receiver = await startReceiver(app)
  await page.goto('/webhooks')
  await expect(page.getByText('Nenhum webhook encontrado ainda.')).toHaveAttribute('lang', 'pt-BR')
  await expect(page.getByText('No webhooks yet.')).toBeVisible()

  await page.getByRole('button', { name: 'Add Webhook' }).first().click()
  const submit = dialog(page).getByRole('button', { name: 'Add Webhook' })
  await expect(dialog(page).getByRole('textbox', { name: 'User-Agent' })).toHaveValue('Mozilla/5.0')
  await submit.click()
  await expect(dialog(page).getByText('URL is required')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'URL' }).fill('https://10.0.0.1/')
  await submit.click()
  await expect(dialog(page).getByText('This URL cannot be called')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Order bot')
  await dialog(page).getByRole('textbox', { name: 'URL' }).fill(receiver.url)
  await dialog(page).getByRole('checkbox', { name: 'License created' }).check()
  await expectNoAxeViolations(page)
  await submit.click()
  const secret = await dialog(page).getByRole('textbox', { name: 'Webhook secret' }).inputValue()
  expect(secret).toMatch(/^whsec_/)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog(page).getByRole('textbox', { name: 'Webhook secret' })).toHaveValue(secret)
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expectToast(page, 'Webhook created successfully')
  await expect(row(page, receiver.url)).toContainText('Yes')
  await expect(row(page, receiver.url)).toContainText('1 event')
  const id = 'Order bot'
  expect(await webhooks(owner)).toMatchObject([{ name: id }])

  const level = { amount: 1, subscription: 1, expiryUnit: 'days' as const, duration: 1 }
  await owner.visitor.call('POST /create_licenses', { body: level })
  await app.jobsDone()
  expect(receiver.received).toHaveLength(1)
  const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]]
  expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'license.created',
  })

  await choose(page, id, 'Test')
  await expectToast(page, 'Webhook tested successfully')
  expect(receiver.received).toHaveLength(2)
  await expect(dialog(page)).toContainText('responded with status 204')
  await expect(dialog(page)).toContainText('The response has no body.')
  const signed = receiver.received[1]?.headers as Record<string, string>
  const shown = dialog(page).getByRole('region', { name: 'Signature headers' }).locator('code')
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    await expect(shown).toContainText(`${name}: ${signed[name]}`)
  receiver.answer = (response) => void response.writeHead(500).end('out of order')
  await dialog(page).getByRole('button', { name: 'Test again' }).click()
  await expect(dialog(page)).toContainText('responded with status 500')
  await expect(dialog(page).getByRole('region', { name: 'Response' }).locator('code')).toHaveText('out of order')
  await expectNoAxeViolations(page)
  // The dialog says it; a notification says it only to who closed the dialog before the answer.
  const failure = page.getByText('Failed to test webhook: responded with status 50')
  await expect(failure).toHaveCount(0)
  const { promise: isClosed, resolve: answer } = Promise.withResolvers<void>()
  receiver.answer = (response) => void isClosed.then(() => response.writeHead(503).end('out of order'))
  await dialog(page).getByRole('button', { name: 'Test again' }).click()
  await expect(dialog(page)).toContainText('Waiting for the response…')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  answer()
  await expect(failure).toBeVisible()

  await choose(page, id, 'Deliveries')
  await expect(dialog(page).getByText('License created')).toBeVisible()
  await expect(dialog(page).getByText('responded with status 500')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Request and response' }).first().click()
  await expect(dialog(page).getByText('out of order')).toBeVisible()
  await expectNoAxeViolations(page)
  receiver.answer = (response) => void response.writeHead(204).end()
  await dialog(page).getByRole('button', { name: 'Redeliver' }).last().click()
  await expectToast(page, 'The event is being redelivered')
  await app.jobsDone()
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(headers['webhook-id'])
  await page.keyboard.press('Escape')

  await choose(page, id, 'Edit')
  await dialog(page).getByRole('textbox', { name: 'User-Agent' }).fill('Shop/2')
  await dialog(page).getByRole('checkbox', { name: 'Authenticated' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Webhook updated successfully')
  expect(await webhooks(owner)).toMatchObject([{ userAgent: 'Shop/2', authenticated: false, url: receiver.url }])
  await expect(row(page, receiver.url).getByText('No', { exact: true })).toBeVisible()

  await choose(page, id, 'Delete')
  await expect(dialog(page)).toContainText('Delete Order bot?')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Webhook deleted successfully')
  expect(await webhooks(owner)).toEqual([])
  await receiver.close()
})

test("all are tested with the number of failures, a new secret is shown, and all are deleted once the app's name is entered", async ({
  app,
  page,
  owner,
}) => {
  const receiver = await startReceiver(app)
  const add = async (url: string) =>
    (await owner.visitor.call('POST /create_webhook', { body: { url } })).body.webhookId
  const id = await add(receiver.url)
  await page.goto('/webhooks')
  await page.getByRole('button', { name: 'Test All' }).click()
  await expectToast(page, 'All webhooks tested successfully')
  await add('https://no-such-name.example/')
  await page.getByRole('button', { name: 'Test All' }).click()
  await expectToast(page, '1 delivered, 1 failed')

  await choose(page, id, 'New secret')
  await dialog(page).getByRole('button', { name: 'Generate new secret' }).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Webhook secret' })).toHaveValue(/^whsec_/)
  await dialog(page).getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Chat messages' }).click()
  await dialog(page).getByRole('checkbox', { name: 'User banned', exact: true }).check()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Chat messages updated successfully')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete All' }).click()
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'All webhooks deleted successfully')
  expect(await webhooks(owner)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 2 items')
  await expect(row(page, receiver.url)).toBeVisible()
  await receiver.close()
})

test('a test that fails says so in its dialog, and deliveries that could not be loaded again say from when they are', async ({
  app,
  page,
  owner,
}) => {
  const receiver = await startReceiver(app)
  await owner.visitor.call('POST /create_webhook', { body: { name: 'Order bot', url: receiver.url } })
  await page.goto('/webhooks')
  await page.route('**/test_webhooks', (route) => route.fulfill({ status: 500, json: {} }))
  await choose(page, 'Order bot', 'Test')
  await expect(dialog(page).getByRole('alert')).toHaveText('Failed to test webhook')
  await expect(page.getByText('Failed to test webhook')).toHaveCount(1)
  await page.unroute('**/test_webhooks')
  await dialog(page).getByRole('button', { name: 'Send test' }).click()
  await expect(dialog(page)).toContainText('responded with status 204')
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('Escape')

  await choose(page, 'Order bot', 'Deliveries')
  await expect(dialog(page)).toContainText('Test event')
  await page.route('**/webhook_deliveries?*', (route) => route.fulfill({ status: 500, json: {} }))
  await dialog(page).getByRole('button', { name: 'Refresh' }).click()
  const notice = dialog(page).getByRole('alert').filter({ hasText: 'Failed to load deliveries' })
  await expect(notice).toContainText('What you see is from')
  await expect(dialog(page)).toContainText('Test event')
  await page.unroute('**/webhook_deliveries?*')
  await notice.getByRole('button', { name: 'Retry' }).click()
  await expect(notice).toBeHidden()
  await page.route('**/webhook_deliveries?*', async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as object
    await route.fulfill({ response, json: { ...reply, total: 12_000 } })
  })
  await dialog(page).getByRole('button', { name: 'Refresh' }).click()
  await expect(dialog(page).getByText('The newest 1 of 12,000 from the last 30 days.')).toBeVisible()
  await receiver.close()
})

test('two tabs: chat events that both chose ask for a decision', async ({ page, owner }) => {
  await page.goto('/webhooks?dialog=chat')
  await dialog(page).getByRole('checkbox', { name: 'License created' }).check()
  await owner.visitor.call('POST /update_chat_events', { body: { events: ['license.redeemed'] } })
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  const conflict = dialog(page).getByRole('group', { name: 'Changed in the meantime' })
  await expect(conflict).toContainText(/Theirs.*License redeemed.*Yours.*License created/)
  await expectNoAxeViolations(page)
  await conflict.getByRole('button', { name: 'Take theirs' }).click()
  await expect(dialog(page).getByRole('checkbox', { name: 'License created' })).not.toBeChecked()
  await dialog(page).getByRole('checkbox', { name: 'License created' }).check()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Chat messages updated successfully')
  const { chat } = (await owner.visitor.call('GET /webhooks', { query: {} })).body
  expect(chat.events).toEqual(['license.created', 'license.redeemed'])
})

test('"Failed to create/update/delete webhook: {message}" shows the reason that the server gives, or stands alone', async ({
  app,
  page,
  owner,
}) => {
  const make = async (url: string) =>
    (await owner.visitor.call('POST /create_webhook', { body: { url } })).body.webhookId
  const [one, other] = [await make('https://example.com/one'), await make('https://example.com/other')]
  const addWebhook = async () => {
    await page.getByRole('button', { name: 'Add Webhook' }).click()
    await dialog(page).getByRole('textbox', { name: 'URL' }).fill('https://example.com/third')
  }
  const edit = async () => {
    await choose(page, one, 'Edit')
    await dialog(page).getByRole('textbox', { name: 'User-Agent' }).fill('Shop/2')
  }
  const deleteAll = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete All' }).click()
    await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  }
  const remove = () => choose(page, other, 'Delete')
  const deleteElsewhere = (webhookId: string) => () =>
    owner.visitor.call('POST /delete_webhook', { body: { webhookId } })
  const lessPlan = 'Your plan does not include webhooks. See your profile for what other plans include.'
  await page.goto('/webhooks')
  await expectFailures(app, page, [
    { says: 'Failed to create webhook', open: addWebhook, press: 'Add Webhook' },
    { says: 'Failed to update webhook', open: edit, press: 'Save Changes' },
    { says: 'Failed to delete webhook', open: remove, press: 'Delete' },
    { says: 'Failed to delete all webhooks', open: deleteAll, press: 'Delete' },
    {
      says: 'Failed to update webhook: Webhook not found',
      open: edit,
      press: 'Save Changes',
      meanwhile: deleteElsewhere(one),
    },
    {
      says: 'Failed to delete webhook: Webhook not found',
      open: remove,
      press: 'Delete',
      meanwhile: deleteElsewhere(other),
    },
    {
      says: `Failed to create webhook: ${lessPlan}`,
      open: addWebhook,
      press: 'Add Webhook',
      meanwhile: () => setPlan(app, owner.id, 'Free'),
    },
  ])
})
