import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { isFollowing, keys, row, show } from '#e2e/followed-list.ts'
import { newSubscriber, newUser } from '#testing/people/end-users.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'

/** Lists of an app's settings, and of an account, that follow what others change. */

test.afterEach(async ({ page, app }) => {
  await page.close()
  await isFollowing(app, 0)
})

test('a list that is sent whole keeps its rows in place, and shows what the person adds at once', async ({
  app,
  page,
  owner,
}) => {
  const add = (level: number, name: string) =>
    owner.visitor.call('POST /create_subscription', { body: { level, name } })
  await add(5, 'Founder')
  await page.goto('/subscriptions?sort=name')
  await expect(row(page, 'Founder')).toBeVisible()
  await isFollowing(app)
  await newSubscriber(owner, { level: 5 })
  await expect(row(page, 'Founder').getByRole('link', { name: 'Users of Founder: 1' })).toBeVisible()
  await add(3, 'Advanced')
  await expect(show(page)).toHaveText('1 new·Show')
  await owner.visitor.call('POST /update_subscription', { body: { level: 1, name: 'Zero' } })
  await expect(row(page, 'Zero')).toBeVisible()
  expect(await keys(page)).toEqual(['1', '5'])
  await owner.visitor.call('POST /delete_subscription', { body: { level: 5, forceDelete: true } })
  await expect(row(page, 'Founder')).toHaveAttribute('aria-disabled', 'true')
  await expectNoAxeViolations(page)
  await show(page).click()
  await expect.poll(() => keys(page)).toEqual(['3', '1'])

  await page.getByRole('button', { name: 'Create subscription' }).first().click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Mine')
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  await expect(row(page, 'Mine')).toBeVisible()
  await expect(show(page)).toBeHidden()
})

test('variables, files, webhooks, seller keys, and the bin follow what others change', async ({ app, page, owner }) => {
  test.slow()
  const { visitor } = owner
  const upload = (name: string) =>
    visitor.call('POST /downloads/upload', { body: { name }, file: new File(['bytes'], `${name}.zip`) })
  const addVariable = (variableName: string) =>
    visitor.call('POST /modify_app_var', { body: { variableName, variableData: 'green' } })
  const addWebhook = (name: string) =>
    visitor.call('POST /create_webhook', { body: { name, url: 'https://example.com/' } })
  const addKey = (keyName: string) =>
    visitor.call('POST /create_seller_key', { body: { keyName, permissions: ['licenses:read'] } })
  const deleteNew = async (name: string) => {
    await newUser(owner, name)
    return visitor.call('POST /delete_user', { body: { username: name } })
  }
  const lists = [
    { path: '/variables', add: addVariable },
    { path: '/downloads', add: upload },
    { path: '/webhooks', add: addWebhook },
    { path: '/sellerapi', add: addKey },
    { path: '/deleted', add: deleteNew },
  ]
  for (const { path, add } of lists) {
    await add('first')
    await page.goto(path)
    await expect(row(page, 'first'), path).toBeVisible()
    await isFollowing(app)
    await add('second')
    await expect(show(page), path).toHaveText('1 new·Show')
    await expect(row(page, 'second'), path).toBeHidden()
    await show(page).click()
    await expect(row(page, 'second'), path).toBeVisible()
  }
  await page.goto('/variables')
  await isFollowing(app)
  const changed = { variableName: 'first', variableData: 'green', authenticated: false }
  expect((await visitor.call('POST /modify_app_var', { body: changed })).body.success).toBe(true)
  await expect(row(page, 'first')).toContainText('Public')
})

test('the apps of an account keep their places while others create, rename, disable, and delete some', async ({
  app,
  page,
  owner,
}) => {
  const { visitor } = owner
  const create = async (appName: string) =>
    (await visitor.call('POST /create_app', { body: { appName } })).body.app.appId
  const beta = await create('Beta')
  const gamma = await create('Gamma')
  // All were created in the same second: the browser selects the one of the link.
  await page.goto(`/a/${owner.appId}/overview`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/manage-apps?sort=-name')
  await expect(row(page, 'Gamma')).toBeVisible()
  await isFollowing(app)
  const places = await keys(page)
  await visitor.call('POST /update_app', { body: { appId: beta, appName: 'Zeta' } })
  await visitor.call('POST /update_app', { body: { appId: gamma, settings: { appStatus: false } } })
  await expect(row(page, 'Zeta')).toBeVisible()
  await expect(row(page, 'Gamma')).toContainText('Disabled')
  await visitor.call('POST /delete_app', { body: { appId: gamma } })
  await expect(row(page, 'Gamma')).toHaveAttribute('aria-disabled', 'true')
  await create('Delta')
  await expect(show(page)).toHaveText('1 new·Show')
  // The shell reads the same apps.
  await page.getByRole('button', { name: owner.appName }).first().click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delta' })).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await keys(page)).toEqual(places)
  await show(page).click()
  await expect(row(page, 'Gamma')).toBeHidden()
  await expect(row(page, 'Delta')).toBeVisible()
})

test("the resellers of an account follow their sales, the owner's credits, and new ones", async ({
  app,
  page,
  owner,
}) => {
  const reseller = await newSellingReseller(app, { credits: 100 }, owner)
  await page.goto('/manage-resellers')
  const credits = (shown: string) =>
    row(page, reseller.username).getByRole('link', { name: `Credits of ${reseller.username}: ${shown}` })
  await expect(credits('100')).toBeVisible()
  await isFollowing(app)
  expect((await reseller.sell()).status).toBe(200)
  await expect(credits('95')).toBeVisible()
  await expect(row(page, reseller.username)).toContainText('1')
  const { visitor } = owner
  const params = { id: reseller.id }
  await visitor.call('POST /resellers/{id}/ban', { params, body: { banned: true } })
  await expect(row(page, reseller.username)).toContainText('Banned')
  const { username } = await newReseller(app, owner)
  await expect(show(page)).toHaveText('1 new·Show')
  await expect(row(page, username)).toBeHidden()
  await show(page).click()
  await expect(row(page, username)).toBeVisible()
})
