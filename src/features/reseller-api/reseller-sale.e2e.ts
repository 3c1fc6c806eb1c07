import type { Locator } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, signIn } from '#e2e/fixtures.ts'
import { dialog, fillGenerate, generate, row, sellOne, test, totalOf } from '#e2e/reseller-screen.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'

/** A sale from the dashboard, and what the reseller hands to the customer. */

const message = 'Message for the customer'

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('the last sale is repeated in two taps, and its key is shared with its app, duration and use', async ({
    page,
    owner,
    reseller,
  }) => {
    await owner.visitor.call('POST /create_subscription', { body: { level: 3, name: 'Studio', active: true } })
    await reseller.sell({ plan: '7', subscriptionLevel: 3 })
    // The browser of the test has no share sheet.
    await page.addInitScript(() => {
      Object.assign(navigator, {
        share: async ({ text }: { text: string }) => void (document.documentElement.dataset['shared'] = text),
      })
    })
    let taps = 0
    const tap = async (button: Locator) => {
      taps++
      await expect(button).toBeInViewport({ ratio: 1 })
      await button.tap()
    }
    await page.goto('/reseller/dashboard')
    await expect(page.getByText('Level 3: Studio for 2 credits')).toBeVisible()
    await tap(page.getByRole('button', { name: 'Sell 7 days' }))
    await tap(generate(page))
    const keys = dialog(page).getByRole('textbox', { name: 'Created license keys' })
    await expect(keys).toBeVisible()
    expect(taps).toBe(2)

    const key = await keys.inputValue()
    const { body } = await reseller.visitor.call('GET /reseller/licenses', { query: { appName: reseller.appName } })
    expect(body.licenses[0]).toMatchObject({ license: key, expiry: 7 * 86_400, subscription: { level: 3 } })
    expect(await reseller.credits()).toBe(96)
    const text = await dialog(page).getByRole('textbox', { name: message }).inputValue()
    expect(text.split('\n')).toEqual([
      'Your license key for Prism Studio:',
      '',
      key,
      '',
      'Valid for 7 days from first use.',
      'Open Prism Studio and enter the key when it asks for one.',
    ])
    await dialog(page).getByRole('button', { name: 'Share' }).tap()
    await expect(page.locator('html')).toHaveAttribute('data-shared', text)
    await dialog(page).getByRole('button', { name: 'QR code' }).tap()
    await expect(dialog(page).getByRole('img', { name: `QR code of ${key}` })).toBeVisible()
    await expectNoAxeViolations(page)
  })

  test('what the credits do not cover is off, with the reason and a way on beside it', async ({
    app,
    page,
    owner,
    context,
  }) => {
    const poor = await newSellingReseller(app, { credits: 8, planCosts: { '7': 2, '30': 5, '90': 11 } }, owner)
    await context.clearCookies()
    await signIn(context, app, poor.visitor)
    await page.goto('/reseller/dashboard')
    const plan = page.getByRole('list', { name: 'Plan durations' }).getByRole('listitem').filter({ hasText: /^90/ })
    await expect(plan).toContainText('You need 3 more credits.')
    // It moves the plans down.
    await expect(page.getByText('Your credits are running low.')).toBeVisible()
    await plan.getByRole('button').tap({ force: true })
    await expect(dialog(page)).toBeHidden()
    await expectNoAxeViolations(page)

    await page.getByRole('button', { name: /^30 day/ }).tap()
    await expect(dialog(page).getByLabel('Plan duration')).toHaveValue('30')
    await expect(dialog(page).locator('option[value="90"]')).toBeDisabled()
    await dialog(page).getByLabel('Amount', { exact: true }).fill('2')
    await expect(dialog(page)).toContainText('Costs 10 credits; you have 8')
    await generate(page).tap({ force: true })
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByRole('link', { name: 'How to get more credits' })).toBeVisible()
    await expectNoAxeViolations(page)
    expect(await totalOf(poor)).toBe(0)
    await dialog(page).getByLabel('Amount', { exact: true }).fill('1')
    await generate(page).tap()
    await expect(dialog(page).getByRole('textbox', { name: 'Created license keys' })).toBeVisible()

    await page.goto('/reseller/dashboard')
    await expect(page.getByText('At the pace of the last 30 days, your credits last less than a day.')).toBeVisible()
    await page.getByRole('link', { name: 'How to get more credits' }).first().click()
    await expect(page.getByText('Only an administrator can add credits')).toBeVisible()
  })
})

test('without credits for the last plan, the longest affordable one is offered, and then what else helps', async ({
  app,
  page,
  owner,
  context,
}) => {
  const poor = await newSellingReseller(app, { credits: 19, planCosts: { '7': 2, '30': 5, '90': 11 } }, owner)
  await poor.sell({ plan: '90' })
  await context.clearCookies()
  await signIn(context, app, poor.visitor)
  await page.goto('/reseller/dashboard')
  await expect(page.getByText('To sell 90 days again, you need 3 more credits.')).toBeVisible()
  await page.getByRole('button', { name: 'Sell 30 days' }).click()
  await expect(dialog(page).getByLabel('Plan duration')).toHaveValue('30')
  await generate(page).click()
  await expect(dialog(page)).toContainText('Paid with 5 credits; 3 credits were left.')
  await dialog(page).getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('To sell 30 days again, you need 2 more credits.')).toBeVisible()
  await page.getByRole('button', { name: 'Sell 7 days' }).click()
  await expect(dialog(page).getByLabel('Plan duration')).toHaveValue('7')
  await generate(page).click()
  await dialog(page).getByRole('button', { name: 'OK' }).click()

  const card = page.getByRole('region', { name: 'Sell licenses' })
  await expect(card).toContainText("Your credits don't cover any plan.")
  await expect(card.getByRole('button', { name: /^Sell/ })).toBeHidden()
  await expect(card.getByRole('link', { name: 'How to get more credits' })).toHaveAttribute('href', '/reseller/credits')
  await expectNoAxeViolations(page)
  await card.getByRole('link', { name: 'Delete some of the 3 unused licenses to get their credits back' }).click()
  await expect(page).toHaveURL(/\/reseller\/licenses\?f\.redeemed=no$/)
  await expect(page.locator('tbody tr')).toHaveCount(3)
})

test('several keys are handed over together, or each with its own message and QR code', async ({ page, reseller }) => {
  expect(await totalOf(reseller)).toBe(0)
  await page.goto('/reseller/licenses')
  await fillGenerate(page, 2)
  await generate(page).click()
  const keys = (await dialog(page).getByRole('textbox', { name: 'Created license keys' }).inputValue()).split('\n')
  const [first = '', second = ''] = keys
  const text = dialog(page).getByRole('textbox', { name: message })
  await expect(text).toHaveValue(/^Your 2 license keys for Prism Studio:/)
  for (const key of keys) await expect(text).toHaveValue(new RegExp(key))
  const code = dialog(page).getByRole('button', { name: 'QR code' })
  await expect(code).toHaveAttribute('aria-disabled', 'true')
  await expect(dialog(page).getByText('Choose one key for its QR code')).toBeVisible()
  await dialog(page).getByLabel('Key for the customer').selectOption(second)
  await expect(text).toHaveValue(new RegExp(second))
  await expect(text).not.toHaveValue(new RegExp(first))
  await code.click()
  await expect(dialog(page).getByRole('img', { name: `QR code of ${second}` })).toBeVisible()
  await expectNoAxeViolations(page)
})

test('the lists show how much time customers have left, and narrow to what ends within 7 days', async ({
  app,
  page,
  owner,
  reseller,
}) => {
  const week = await sellOne(reseller, { plan: '7' })
  const month = await sellOne(reseller)
  for (const key of [week, month]) {
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.license(key)).body.success).toBe(true)
  }
  for (const path of ['/reseller/licenses', '/reseller/users']) {
    await page.goto(path)
    await expect(row(page, week)).toContainText('7 days left')
    await expect(row(page, month)).toContainText(/left/)
    await page.goto(`${path}?f.status=expiring`)
    await expect(row(page, week)).toBeVisible()
    await expect(row(page, month)).toBeHidden()
    const note = page.getByText("the user's subscription can end later")
    await expect(note).toHaveCount(path.endsWith('licenses') ? 1 : 0)
  }
  await page.goto('/reseller/licenses')
  await expect(page.getByRole('button', { name: 'Expiry' })).toHaveAttribute('title', /subscription can end later/)
})

test('the numbers of the dashboard lead to the licenses and credits that they count', async ({
  app,
  page,
  owner,
  reseller,
}) => {
  const played = await sellOne(reseller)
  const spare = await sellOne(reseller)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(played)).body.success).toBe(true)
  const counts = page.getByRole('list', { name: reseller.appName })
  const counted = (name: string) => counts.getByRole('link', { name })
  await page.goto('/reseller/dashboard')
  await expect(counted('1 redeemed')).toBeVisible()
  expect((await counts.boundingBox())?.height, 'one line').toBeLessThan(50)
  await counted('1 redeemed').click()
  await expect(row(page, played)).toBeVisible()
  await expect(row(page, spare)).toBeHidden()
  await page.goto('/reseller/dashboard')
  await counted('1 unused').click()
  await expect(row(page, spare)).toBeVisible()
  await expect(row(page, played)).toBeHidden()
  await page.goto('/reseller/dashboard')
  await counted('90').click()
  await expect(page.getByRole('table', { name: 'Transaction history' })).toContainText('-5')

  const allowedPlans = ['7', '30', '90']
  const params = { id: reseller.id, app: owner.appName }
  await owner.visitor.call('PUT /resellers/{id}/apps/{app}', { params, body: { allowedPlans } })
  await page.goto('/reseller/dashboard')
  await expect(counts.getByRole('listitem').filter({ hasText: 'Allowed plans' })).toContainText('3')
})

test('the balance never goes back when replies arrive out of order, and a sale says its own', async ({
  page,
  context,
  reseller,
}) => {
  const hold = async (path: string) => {
    const released = Promise.withResolvers<void>()
    let held = 0
    await page.route(path, async (route) => {
      const response = await route.fetch()
      held++
      await released.promise
      // A request that the page has given up has no receiver.
      await route.fulfill({ response }).catch(() => undefined)
    })
    return { held: () => held, release: released.resolve }
  }
  const credits = page.getByRole('main', { includeHidden: true }).getByText(/^Credits: /)
  const other = await context.newPage()
  await other.goto('/reseller/licenses')
  await page.goto('/reseller/licenses')
  await fillGenerate(page, 1)

  // The other tab sells after this one, whose reply comes last.
  const sale = await hold('**/reseller/licenses/create')
  await generate(page).click()
  await expect.poll(sale.held).toBe(1)
  await fillGenerate(other, 1)
  await generate(other).click()
  await expect(dialog(other).getByRole('button', { name: 'OK' })).toBeVisible()
  await expect(credits).toHaveText('Credits: 90')
  // What the page shows from now on is of the sale's reply.
  const apps = await hold('**/reseller/apps')
  sale.release()
  await expect(dialog(page)).toContainText('Paid with 5 credits; 95 credits were left.')
  await expect.poll(apps.held).toBe(1)
  await expect(credits).toHaveText('Credits: 90')
  await dialog(page).getByRole('button', { name: 'OK' }).click()
  await expectToast(page, 'Credits remaining: 95')
  apps.release()
  await expect(credits).toHaveText('Credits: 90')
  expect(await reseller.credits()).toBe(90)
})

test('a level that is paused while the form is open stays shown as chosen, and is not sold', async ({
  page,
  reseller,
}) => {
  const { visitor } = reseller.owner
  await visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  await page.goto('/reseller/licenses')
  await fillGenerate(page, 1)
  const level = dialog(page).getByRole('combobox', { name: 'Subscription' })
  await expect(level).toHaveValue('1')
  await visitor.call('POST /toggle_subscription_status', { body: { level: 1 } })
  await generate(page).click()
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await expect(level.getByRole('option', { name: /Level 1/ })).toBeDisabled()
  await expect(level).toHaveValue('1')
  expect(await reseller.credits()).toBe(100)
  await visitor.call('POST /toggle_subscription_status', { body: { level: 1 } })
})
