import { expect, expectNoAxeViolations, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { day, newSubscriber, signedIn, userPassword } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** The user redeems so many licenses of 30 days, whose keys are returned. */
async function redeemed(app: TestApp, owner: SignedInOwner, username: string, count: number): Promise<string[]> {
  const keys = await newLicenses(owner, count)
  const program = await signedIn(app, owner, username)
  for (const licenseKey of keys) expect((await program.send('upgrade', { licenseKey })).body.success).toBe(true)
  return keys
}

test('the panel of a user names the licenses that gave the time, and what each has left', async ({
  app,
  page,
  owner,
}) => {
  await newSubscriber(owner, { username: 'clara', days: 5 })
  await page.goto('/users?panel=user:clara')
  const subscription = page.getByRole('region', { name: 'Subscriptions of clara' }).getByRole('listitem').first()
  await expect(subscription).toContainText('Given by hand')

  const [first = '', second = ''] = await redeemed(app, owner, 'clara', 2)
  await page.reload()
  const sources = subscription.getByRole('list', { name: 'Where the time comes from' })
  await expect(sources.getByRole('listitem')).toHaveText([
    new RegExp(`^${first}30 days left$`),
    new RegExp(`^${second}30 days left$`),
    /^Given by hand5 days left$/,
  ])
  await expectNoAxeViolations(page)

  await sources.getByRole('link', { name: first }).click()
  await expect(page).toHaveURL(new RegExp(`panel=license(:|%3A)${first}`))
  await expect(
    page.getByText("Expiry is redemption plus duration: the user's subscription can end later."),
  ).toBeVisible()
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: first } })
  await page.goBack()
  await expect(sources.getByRole('listitem').first()).toHaveText(
    new RegExp(`^${first}Lifting the ban returns 30 daysBanned$`),
  )
  await expect(subscription).toContainText('35 days left')
})

test('one license is one line, and of many the rest are counted', async ({ app, page, owner }) => {
  const [only = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.register('dora', userPassword, only)
  await page.goto('/users?panel=user:dora')
  const subscription = page.getByRole('region', { name: 'Subscriptions of dora' }).getByRole('listitem').first()
  await expect(subscription.getByText('From')).toHaveText(`From ${only}`)
  await expect(subscription.getByRole('list')).toHaveCount(0)

  await redeemed(app, owner, 'dora', 39)
  const shown = await owner.visitor.call('GET /user/{username}/time_sources', { params: { username: 'dora' } })
  expect(shown.body.levels[0]?.licenses[1]?.left).toBe(30 * day)
  await page.reload()
  const sources = subscription.getByRole('list', { name: 'Where the time comes from' })
  await expect(sources.getByRole('listitem')).toHaveCount(11)
  await sources.getByRole('link', { name: '30 more licenses' }).click()
  await expect(page.getByRole('tab', { name: 'Licenses', selected: true })).toBeVisible()
})

test('where the time comes from is asked again if that fails', async ({ page, owner }) => {
  await newSubscriber(owner, { username: 'elsa' })
  const failing = '**/user/elsa/time_sources**'
  await page.route(failing, (route) => route.fulfill({ status: 500, json: { success: false } }))
  await page.goto('/users?panel=user:elsa')
  const region = page.getByRole('region', { name: 'Subscriptions of elsa' })
  await expect(region.getByRole('status')).toContainText('Failed to load where the time comes from')
  await page.unroute(failing)
  await region.getByRole('button', { name: 'Retry' }).click()
  await expect(region).toContainText('Given by hand')
})
