import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { insertLogRows } from '#testing/log-rows.ts'
import { newLicenses } from '#testing/people/people.ts'

test('whoever was rejected lately is listed once, and leads to the answer', async ({ app, page, owner }) => {
  const mask = Array.from({ length: 16 }, () => '#######').join('-')
  const licenses = { amount: 1, mask, subscription: 1, duration: 30, expiryUnit: 'days' } as const
  const [key = ''] = (await owner.visitor.call('POST /create_licenses', { body: licenses })).body.licenses
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  const [other = ''] = await newLicenses(owner, 1)
  await insertLogRows(app, owner, [
    { code: 'USER_BANNED', username: 'too-old', ago: 8 * 86_400 },
    { code: 'LICENSE_NOT_FOUND', username: 'probing', ago: 30 },
    { code: 'USER_PAUSED', username: 'marta', ago: 7200 },
    { code: 'HWID_MISMATCH', username: key, license: key, ago: 600 },
    { code: 'LICENSE_BANNED', username: key, license: key },
  ])
  await page.clock.install()
  await page.goto('/why')
  const list = page.getByRole('region', { name: 'Rejected in the last 7 days' })
  const customers = list.getByRole('listitem')
  await expect(customers).toHaveCount(2)
  await expect(customers.first()).toContainText(`${key}License banned · 2 times`)
  await expect(customers.last()).toContainText('martaUser paused2 hours ago')
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  await expectNoAxeViolations(page)

  await insertLogRows(app, owner, [{ code: 'LICENSE_ALREADY_USED', username: other, license: other, ago: 0 }])
  // The list is loaded again every 15 seconds.
  await page.clock.runFor(15_000)
  await expect(customers.first()).toContainText(other)
  await list.getByRole('link', { name: 'All 3 customers in the log' }).click()
  await expect(page).toHaveURL(/\/logs\?f\.customers=rejected&f\.days=7$/)
  await page.goBack()
  await list.getByRole('link', { name: key }).click()
  await expect(page.getByRole('region', { name: 'Answer' }).getByRole('heading')).toContainText(
    'this license is banned',
  )
})

test('without rejections, or while they cannot be loaded, the page says what can be pasted', async ({
  page,
  owner,
}) => {
  expect(owner.appId).not.toBe('')
  await page.goto('/why')
  await expect(page.getByText('Who was rejected?')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rejected in the last 7 days' })).toBeHidden()
  await page.route('**/logs?*customers=rejected*', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Who was rejected?')).toBeVisible()
})
