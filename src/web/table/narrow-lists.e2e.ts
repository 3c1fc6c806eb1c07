import type { Page } from '@playwright/test'
import { languages } from '#contract/language.ts'
import { cutBadges, tableOverflow } from '#e2e/cut-texts.ts'
import { expect, type SignedInOwner, signIn, test } from '#e2e/fixtures.ts'
import { newUser } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import type { TestApp } from '#testing/start-test-app.ts'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const header = (page: Page, name: string) => page.getByRole('columnheader', { name })

/** One row in each list, with names as long as they get. */
async function fill({ visitor }: SignedInOwner): Promise<void> {
  const name = 'a-name-as-long-as-many-names-are'
  await visitor.call('POST /create_subscription', { body: { level: 2, name } })
  await visitor.call('POST /modify_app_var', { body: { variableName: name, variableData: 'green'.repeat(40) } })
  await visitor.call('POST /create_webhook', { body: { name, url: `https://example.com/${name}/${name}` } })
  await visitor.call('POST /create_seller_key', { body: { keyName: name, permissions: ['licenses:read'] } })
  await visitor.call('POST /downloads/upload', { body: { name }, file: new File(['bytes'], `${name}.zip`) })
}

/** The table doesn't scroll, and has these columns. */
async function expectColumns(page: Page, path: string, columns: readonly string[]): Promise<void> {
  await page.goto(path)
  await expect(rows(page).first()).toBeVisible()
  for (const width of [900, 1000, 1100]) {
    await page.setViewportSize({ width, height: 800 })
    for (const column of columns) await expect(header(page, column), `${path} at ${width}`).toBeVisible()
    await expect.poll(() => tableOverflow(page), `${path} at ${width}`).toEqual([0])
  }
}

test('at 900 to 1,100 px every list shows its main columns without scrolling', async ({
  app,
  page,
  owner,
  context,
}) => {
  test.slow()
  await fill(owner)
  const reseller = await newSellingReseller(app, {}, owner)
  await reseller.sell()
  const [key = ''] = await newLicenses(owner, 1)
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })
  await expectColumns(page, '/subscriptions', ['Name', 'Users', 'Status'])
  await expectColumns(page, '/variables', ['Variable Name', 'Variable Data', 'Access'])
  await expectColumns(page, '/downloads', ['Name', 'Auth', 'Status'])
  await expectColumns(page, '/webhooks', ['ID', 'Name', 'Events'])
  await expectColumns(page, '/sellerapi', ['Key name', 'Seller key', 'Status'])
  await expectColumns(page, '/deleted', ['Name', 'Kind', 'Removed for good'])
  await expectColumns(page, '/manage-resellers', ['Username', 'Total Credits', 'Status'])
  await expectColumns(page, '/manage-apps', ['App Name', 'Status', 'Actions'])
  await context.clearCookies()
  await signIn(context, app, reseller.visitor)
  await expectColumns(page, '/reseller/licenses', ['License Key', 'Status', 'Subscription', 'Expiry'])
  await expectColumns(page, '/reseller/credits', ['Description', 'Amount', 'Time'])
})

/** Rows with the badges that `fill` has not; more than one of a list, where it has several. */
async function fillStates(app: TestApp, owner: SignedInOwner): Promise<void> {
  const { visitor } = owner
  const secret = { variableName: 'secret', variableData: 'green', authenticated: true }
  await visitor.call('POST /modify_app_var', { body: secret })
  const key = await visitor.call('POST /create_seller_key', { body: { keyName: 'full', permissions: [] } })
  await visitor.call('POST /toggle_seller_key_status', { body: { sellerKey: key.body.sellerKey, status: 'paused' } })
  const file = new File(['bytes'], 'secret.zip')
  await visitor.call('POST /downloads/upload', { body: { name: 'secret', authenticated: true }, file })
  await newReseller(app, owner)
  const { id } = await newSellingReseller(app, {}, owner)
  await visitor.call('PUT /resellers/{id}', { params: { id }, body: { banned: true } })
  await newLicenses(owner, 1)
  await newUser(owner)
  await app.db.write(({ db }) =>
    db.updateTable('webhooks').set({ stopped_at: app.now() }).where('app_id', '=', owner.appId).execute(),
  )
  // The session has this app selected from then on.
  const other = await visitor.call('POST /create_app', { body: { appName: 'Second', version: '1.0.0' } })
  await visitor.call('POST /update_app', { body: { appId: other.body.appId, settings: { appStatus: false } } })
}

test('no badge is cut, in any list, width, or language', async ({ app, page, owner }) => {
  test.slow()
  await fill(owner)
  await fillStates(app, owner)
  const paths = 'subscriptions variables downloads webhooks sellerapi licenses users manage-resellers manage-apps'
  await page.goto(`/a/${owner.appId}/overview`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const { code: locale } of languages) {
    await page.evaluate((chosen) => localStorage.setItem('signet.locale', chosen), locale)
    for (const path of paths.split(' ')) {
      await page.goto(`/${path}`)
      await expect(rows(page).first()).toBeVisible()
      for (const width of [720, 768, 900, 1024, 1152, 1280, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => cutBadges(page), `/${path} at ${width} px, ${locale}`).toEqual([])
      }
    }
  }
})

test('the bin and a reseller’s own lists are sorted by their headers', async ({ app, page, owner, context }) => {
  const name = await newUser(owner)
  await owner.visitor.call('POST /delete_user', { body: { username: name } })
  app.advance(5)
  const [key = ''] = await newLicenses(owner, 1)
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })
  const sortBy = (column: string) => header(page, column).getByRole('button').click()
  await page.goto('/deleted')
  await expect(rows(page)).toContainText([key, name])
  await sortBy('Deleted')
  await expect(page).toHaveURL(/sort=/)
  await expect(rows(page)).toContainText([name, key])

  const reseller = await newSellingReseller(app, {}, owner)
  await reseller.sell({ plan: '7', amount: 3 })
  await reseller.sell()
  await context.clearCookies()
  await signIn(context, app, reseller.visitor)
  await page.goto('/reseller/credits')
  await expect(rows(page)).toContainText(['-5', '-6', '+100'])
  await sortBy('Amount')
  await expect(rows(page)).toContainText(['-6', '-5', '+100'])
  await sortBy('Description')
  await expect(rows(page)).toContainText(['Credits set', 'Generated 1', 'Generated 3'])
  await page.goto('/reseller/licenses')
  await expect(rows(page).first()).toContainText('30 days')
  await sortBy('Created')
  await expect(rows(page).first()).toContainText('7 days')
})
