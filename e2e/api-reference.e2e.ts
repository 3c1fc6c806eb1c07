import type { Page, Request } from '@playwright/test'
import { newSeller, soldLicense } from '#testing/people/sellers.ts'
import { expect, expectNoAxeViolations, type SignedInOwner, test } from './fixtures.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** The API reference at /docs/api/, and its forms. */

async function sellerKeyOf(app: TestApp, owner: SignedInOwner): Promise<string> {
  const { key } = await newSeller(app, owner, { keyName: 'The docs' })
  return key
}

const form = (page: Page, title: string) => page.getByRole('form', { name: title, exact: true })

async function openForm(page: Page, title: string) {
  await page
    .getByText('Try it', { exact: true })
    .and(page.getByLabel(`Try it: ${title}`, { exact: true }))
    .click()
  return form(page, title)
}

test('a form creates licenses with a seller key, after a second press for several', async ({ page, app, owner }) => {
  await page.goto('/docs/api/licenses/#createLicenses')
  const create = await openForm(page, 'Create licenses')
  await expect(create.getByRole('button', { name: 'Send' })).toBeDisabled()
  await create.getByRole('link', { name: 'Enter a seller key' }).click()
  await expect(page.getByLabel('Seller key')).toBeFocused()
  await page.keyboard.insertText(await sellerKeyOf(app, owner))
  await create.getByRole('button', { name: 'Send' }).click()
  await expect(create.getByRole('alert')).toContainText('It creates 2 at once.')
  expect((await owner.visitor.call('GET /licenses')).body.total).toBe(0)
  await create.getByRole('button', { name: 'Confirm: Create licenses' }).press('Enter')
  await expect(create.getByRole('status')).toHaveText(/^200 OK in \d+ ms$/)
  await expect(create.getByText(/RateLimit-Limit: \d+\s+RateLimit-Remaining: \d+/)).toBeVisible()
  const shown = await create.getByRole('region', { name: 'Reply' }).textContent()
  const { licenses } = JSON.parse(shown ?? '') as { licenses: string[] }
  const stored = (await owner.visitor.call('GET /licenses')).body.licenses.map(({ license }) => license)
  expect(stored.toSorted()).toEqual(licenses.toSorted())
})

test('a deletion asks once more, names its path, and asks again after a change', async ({ page, app, owner }) => {
  const license = await soldLicense(await newSeller(app, owner))
  await page.goto('/docs/api/licenses/')
  await page.getByLabel('Seller key').fill(await sellerKeyOf(app, owner))
  const deletion = await openForm(page, 'Delete a license')
  await deletion.getByLabel('license', { exact: true }).fill(license)
  await deletion.getByRole('button', { name: 'Send' }).click()
  await expect(deletion.getByRole('alert')).toContainText(`DELETE /api/1.0/seller/licenses/${license}`)
  await deletion.getByLabel('deleteUsers').fill('true')
  await deletion.getByRole('button', { name: 'Send' }).click()
  await expect(deletion.getByRole('alert')).toContainText('?deleteUsers=true')
  expect((await owner.visitor.call('GET /licenses')).body.total).toBe(1)
  await deletion.getByRole('button', { name: 'Confirm: Delete a license' }).click()
  await expect(deletion.getByRole('status')).toContainText('200 OK')
  expect((await owner.visitor.call('GET /licenses')).body.total).toBe(0)
})

test('a file is uploaded', async ({ page, app, owner }) => {
  await page.goto('/docs/api/files/')
  await page.getByLabel('Seller key').fill(await sellerKeyOf(app, owner))
  const upload = await openForm(page, 'Upload a file')
  await upload.getByRole('button', { name: 'Send' }).click()
  await expect(upload.getByRole('alert')).toHaveText('Enter “file”.')
  await upload
    .getByLabel('file', { exact: true })
    .setInputFiles({ name: 'a.bin', mimeType: '', buffer: Buffer.from('abc') })
  await upload.getByRole('button', { name: 'Send' }).click()
  await expect(upload.getByRole('status')).toContainText('200 OK')
  await expect(upload.getByRole('region', { name: 'Reply' })).toContainText('"fileSize": 3')
})

test('a wrong key leads to the page of its error, and no session of the dashboard helps', async ({ page, owner }) => {
  expect(owner.appId).toBeTruthy()
  await page.goto('/docs/api/licenses/')
  await page.getByLabel('Seller key').fill('lk_live_wrong')
  const list = await openForm(page, 'List licenses')
  await list.getByRole('button', { name: 'Send' }).click()
  await expect(list.getByRole('status')).toContainText('401')
  await list.getByRole('link', { name: 'What SELLER_KEY_INVALID means' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'SELLER_KEY_INVALID' })).toBeVisible()
})

test('bad values are told before anything is sent, and a broken connection is told', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/api/1.0/seller/') && sent.push(request.method()))
  await page.goto('/docs/api/users/')
  await page.getByLabel('Seller key').fill('lk_live_clé')
  const create = await openForm(page, 'Create a user')
  await create.getByRole('button', { name: 'Send' }).click()
  await expect(create.getByRole('alert')).toHaveText('A seller key has no spaces or accents.')
  await page.getByLabel('Seller key').fill('lk_live_wrong')
  await create.getByLabel('Body').fill('{"username": }')
  await create.getByRole('button', { name: 'Send' }).click()
  await expect(create.getByRole('alert')).toContainText('The body is not JSON')
  expect(sent).toEqual([])
  await create.getByLabel('Body').fill('{}')
  await page.context().setOffline(true)
  await create.getByRole('button', { name: 'Send' }).click()
  await expect(create.getByRole('alert')).toContainText('No answer')
  await expect(create.getByRole('button', { name: 'Send' })).toBeEnabled()
})

test('the key leaves the page with it: no storage, cookie, or address keeps it', async ({ page }) => {
  await page.goto('/docs/api/licenses/')
  await page.getByLabel('Seller key').fill('lk_live_secret')
  const list = await openForm(page, 'List licenses')
  await list.getByRole('button', { name: 'Send' }).click()
  await expect(list.getByRole('status')).toContainText('401')
  const kept = () =>
    page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]))
  expect(await kept()).not.toContain('lk_live_secret')
  await page.reload()
  await expect(page.getByLabel('Seller key')).toHaveValue('')
})

test('the pages are small, accessible with an open form, and fit each width', async ({ page }) => {
  const pages = [
    ['api/', 1440],
    ['api/licenses/', 390],
    ['api/users/', 1440],
    ['api/client/', 390],
    ['api/files/', 768],
  ] as const
  for (const [address, width] of pages) {
    let bytes = 0
    const count = (request: Request) =>
      void request.sizes().then((size) => (bytes += size.responseBodySize + size.responseHeadersSize))
    page.on('requestfinished', count)
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/docs/${address}`, { waitUntil: 'networkidle' })
    expect(bytes, address).toBeLessThan(150_000)
    page.off('requestfinished', count)
    const forms = page.getByText('Try it', { exact: true }).and(page.locator('summary'))
    if ((await forms.count()) > 0) await forms.first().click()
    await test.step(address, () => expectNoAxeViolations(page))
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), address).toBeLessThanOrEqual(0)
  }
})

test('the search finds a call, and the menu has the reference', async ({ page }) => {
  await page.goto('/docs/')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Subtract time from a user')
  await page.getByRole('dialog').locator('a[href*="/docs/api/users/#subtractUser"]').click()
  await expect(page).toHaveURL('/docs/api/users/#subtractUser')
  await expect(page.getByRole('link', { name: 'Client API' }).first()).toBeVisible()
})

test('programs sign their calls themselves, so the page of the client API has no forms', async ({ page }) => {
  await page.goto('/docs/api/client/#heartbeat')
  await expect(page.getByRole('heading', { level: 2, name: 'heartbeat' })).toBeInViewport()
  await expect(page.locator('signet-try-it, signet-seller-key')).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'the client protocol', exact: true }).click()
  await expect(page).toHaveURL('/docs/protocol/')
})
