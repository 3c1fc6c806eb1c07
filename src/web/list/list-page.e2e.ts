import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { bulkBar } from '#e2e/license-screen.ts'
import { newLicenses } from '#testing/people/people.ts'

const range = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const table = (page: Page) => page.getByRole('table', { name: 'Licenses' })
const firstKey = (page: Page) => table(page).getByRole('row').nth(1).getByRole('cell').nth(1)
const goTo = (page: Page, number: number) => page.getByRole('button', { name: `Page ${number}`, exact: true }).click()

async function create25(owner: SignedInOwner) {
  const body = { appName: owner.appName, amount: 25, subscription: 1, expiryUnit: 'days', duration: 30 } as const
  expect((await owner.visitor.call('POST /create_licenses', { body })).status).toBe(200)
}

test('while rows load, and when they cannot be loaded, a list says what it shows', async ({
  page,
  owner,
  connection,
}) => {
  await test.step('a narrowed list says in a line what it shows, and speaks of the rows in view while others load', async () => {
    await create25(owner)
    await page.goto(`${connection.url}/licenses`)
    await expect(range(page)).toContainText('1–10 of 25')
    const line = page.getByText(/^Licenses, .*: [\d,]+$/)
    await expect(line).toHaveCount(0)
    await page.goto(`${connection.url}/licenses?f.status=unused,banned&f.level=1`)
    await expect(line).toHaveText('Licenses, unused or banned, level “Basic”, newest first: 25')
    const key = await firstKey(page).innerText()
    connection.stall()
    await page.getByRole('searchbox').fill(key)
    await page.getByRole('searchbox').press('Enter')
    await expect(table(page)).toHaveAttribute('aria-busy', 'true')
    await expect(line).toHaveText('Licenses, unused or banned, level “Basic”, newest first: 25')
    await connection.restore()
    await expect(line).toHaveText(`Licenses, unused or banned, level “Basic”, containing “${key}”, newest first: 1`)
    await page.goto(`${connection.url}/subscriptions?sort=-name`)
    await expect(page.getByText('Subscriptions, sorted by name, descending: 1')).toBeVisible()
  })

  await test.step("an empty result of one search isn't shown for the next one while it loads", async () => {
    await page.goto(`${connection.url}/licenses?q=nobody`)
    await expect(page.getByText('No results for “nobody”')).toBeVisible()
    connection.stall()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(table(page)).toHaveAttribute('aria-busy', 'true')
    await expect(page.getByText('No licenses found')).toBeHidden()
    await connection.restore()
    await expect(range(page)).toContainText('1–10 of 25')
  })

  await test.step('while a page loads, the previous rows are dimmed and keep their page number', async () => {
    await page.setViewportSize({ width: 1440, height: 400 })
    await page.goto(`${connection.url}/licenses`)
    await expect(range(page)).toContainText('1–10 of 25')
    const before = await firstKey(page).innerText()

    connection.stall()
    await goTo(page, 3)
    await expect(table(page)).toHaveAttribute('aria-busy', 'true')
    await expect(page.getByRole('progressbar', { name: 'Loading page 3…' })).toBeInViewport()
    await expect(range(page)).toContainText('Loading page 3…')
    await expect(range(page)).not.toContainText('of 25')
    await expect(firstKey(page)).toHaveText(before)
    await expect(table(page).locator('tbody')).toHaveCSS('opacity', '0.45')

    await connection.restore()
    await expect(range(page)).toContainText('21–25 of 25')
    await expect(firstKey(page)).not.toHaveText(before)
    await expect(table(page)).toHaveAttribute('aria-busy', 'false')
    // The button that leads to the last page keeps the focus there.
    await goTo(page, 2)
    await expect(range(page)).toContainText('11–20 of 25')
    const next = page.getByRole('button', { name: 'Next page' })
    await next.press('Enter')
    await expect(range(page)).toContainText('21–25 of 25')
    await expect(next).toBeDisabled()
    await expect(next).toBeFocused()
    await next.press('Enter')
    await expect(page).toHaveURL(/page=3/)
    await expect(table(page).locator('tbody')).toHaveCSS('opacity', '1')
  })

  await test.step('a page that fails to load keeps the previous rows, labels them with their page, and loads on request', async () => {
    await page.setViewportSize({ width: 1440, height: 400 })
    await page.goto(`${connection.url}/licenses`)
    await expect(range(page)).toContainText('1–10 of 25')
    const before = await firstKey(page).innerText()

    await connection.reject()
    await goTo(page, 2)
    const notice = page.getByRole('alert').filter({ hasText: 'Failed to load licenses' })
    await expect(notice).toContainText('Still showing page 1.')
    await expect(notice).toBeInViewport()
    await expect(firstKey(page)).toHaveText(before)
    await expect(range(page)).toContainText('1–10 of 25')
    await expect(page).toHaveURL(/page=2/)
    await expectNoAxeViolations(page)

    const search = page.getByRole('searchbox')
    await search.fill('nobody')
    await search.press('Enter')
    await expect(notice).toContainText('Still showing page 1 of your previous search.')
    await expect(firstKey(page)).toHaveText(before)
    await search.press('Escape')
    await goTo(page, 2)
    await expect(notice).toContainText('Still showing page 1.')

    // Focused before, because the page also loads by itself once the server is back, and may be first.
    await notice.getByRole('button', { name: 'Retry' }).focus()
    await connection.restore()
    await page.keyboard.press('Enter')
    await expect(range(page)).toContainText('11–20 of 25')
    await expect(notice).toBeHidden()
    await expect(firstKey(page)).not.toHaveText(before)
  })

  await test.step("rows that couldn't be refreshed stay, with a note that says from when they are", async () => {
    await page.goto(`${connection.url}/subscriptions`)
    const row = page.getByRole('row').filter({ hasText: 'Basic' })
    await expect(row).toContainText('Active')
    await page.getByRole('button', { name: 'Actions for Basic' }).click()
    const pause = page.getByRole('menuitem', { name: 'Pause' })
    await expect(pause).toBeVisible()
    await connection.reject()
    await pause.click()
    await expectToast(page, 'Failed to update subscription status')
    const notice = page.getByRole('alert').filter({ hasText: 'Failed to load subscriptions' })
    await expect(notice).toContainText(/What you see is from \w+ \d+, \d+, \d+:\d+ [AP]M\./)
    await expect(row).toContainText('Active')

    await connection.restore()
    await notice.getByRole('button', { name: 'Retry' }).click()
    await expect(notice).toBeHidden()
  })
})

test("a closed dialog returns the focus to its button, or to the heading if the button's row is gone", async ({
  page,
  owner,
}) => {
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro', active: true } })
  await page.goto('/subscriptions')
  const actions = page.getByRole('button', { name: 'Actions for Pro' })
  await actions.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(actions).toBeFocused()

  await actions.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(actions).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Subscriptions' })).toBeFocused()
})

test("a link to a dialog finds its row on any page, and says so if it doesn't exist", async ({ page, owner }) => {
  await create25(owner)
  const { body } = await owner.visitor.call('GET /licenses', { query: { page: 3, limit: 10 } })
  const { license } = body.licenses[0]!
  await page.goto(`/licenses?dialog=edit&row=${license}`)
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'License key' })).toHaveValue(license)
  await page.goto('/subscriptions?dialog=edit&row=77')
  await expectToast(page, 'Subscription not found')
  await expect(page).toHaveURL(/\/subscriptions$/)
  await page.goto('/licenses')
  const shown = await page.locator('tr[data-row]').first().getAttribute('data-row')
  for (const nothing of ['no-such-dialog', 'constructor']) {
    await page.goto(`/licenses?dialog=${nothing}&row=${shown}`)
    await expect(page.locator('tr[data-row]')).toHaveCount(10)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('rows are selected on the page or all that match', async ({ page, owner }) => {
  await test.step('"all matching" is dropped with the search that it was chosen for', async () => {
    await create25(owner)
    await page.goto('/licenses')
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await bulkBar(page).getByRole('button', { name: 'select all 25' }).click()
    await expect(bulkBar(page)).toContainText('25 selected')
    const search = page.getByRole('searchbox')
    await search.fill('nobody')
    await search.press('Enter')
    await expect(bulkBar(page)).toBeHidden()
    await search.press('Escape')
    await expect(range(page)).toContainText('of 25')
    await expect(bulkBar(page)).toBeHidden()
  })

  await test.step('on a phone, one tap selects all rows of the page, and another all that match', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/licenses')
    const cards = page.getByRole('list', { name: 'Licenses', exact: true }).getByRole('checkbox')
    await expect(cards).toHaveCount(10)
    const all = page.getByRole('checkbox', { name: 'Select all rows on this page' })
    await all.check()
    for (const card of await cards.all()) await expect(card).toBeChecked()
    const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
    await expect(bar).toContainText('10 selected')
    await expectNoAxeViolations(page)
    await cards.first().uncheck()
    await expect(all).toBeChecked({ indeterminate: true })
    await all.check()
    await bar.getByRole('button', { name: 'select all 25' }).click()
    await expect(bar).toContainText('25 selected')
  })
})

test('a list without rows has no pages, and its search is taken as it is typed', async ({ page, owner }) => {
  await test.step('an empty table has no pages, with or without a search', async () => {
    await page.goto('/licenses')
    await expect(page.getByText(/^No licenses found/)).toBeVisible()
    await expect(range(page)).toBeHidden()
    await expect(page.getByLabel('Rows per page')).toBeHidden()
    await create25(owner)
    await page.goto('/licenses?q=nothing-like-this')
    await expect(page.getByText('No results for')).toBeVisible()
    await expect(range(page)).toBeHidden()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(range(page)).toContainText('1–10 of 25')
  })

  await test.step('a pause between two words of a search keeps the space between them', async () => {
    const search = page.getByRole('searchbox')
    await search.pressSequentially('john ')
    await expect(page).toHaveURL(/[?&]q=john(&|$)/)
    await search.pressSequentially('smith')
    await expect(page).toHaveURL(/[?&]q=john(\+|%20)smith/)
    await expect(search).toHaveValue('john smith')
  })
})

test('a search with more than 10,000 matches counts them all on demand', async ({ page, owner }) => {
  const body = { appName: owner.appName, amount: 1000, subscription: 1, notes: 'bulk' } as const
  for (let n = 0; n < 11; n++) expect((await owner.visitor.call('POST /create_licenses', { body })).status).toBe(200)
  await page.goto('/licenses?q=bulk')
  await expect(range(page)).toContainText('1–10 of more than 10,000')
  await expectNoAxeViolations(page)

  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await page.getByRole('button', { name: 'select all matching' }).click()
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  await expect(bar).toContainText('More than 10,000 selected')
  await bar.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('11,000')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Count all' }).click()
  await expect(range(page)).toContainText('1–10 of 11,000')
  await expect(page.getByRole('button', { name: 'Count all' })).toBeHidden()
  await expect(bar).toContainText('11,000 selected')
  await expect(page).toHaveURL(/count=all/)
  await page.getByRole('searchbox').fill('bul')
  await expect(range(page)).toContainText('1–10 of more than 10,000')
  await expect(page).not.toHaveURL(/count=all/)
})

test('turning pages shows the rows in view at once, in the elements of the rows before', async ({ page, owner }) => {
  await test.step('of a list that becomes longer, the rows in view come first, and the page keeps its height', async () => {
    await newLicenses(owner, 203)
    await page.goto('/licenses?limit=100&page=3')
    const rows = table(page).locator('tbody tr[data-row]')
    await expect(rows).toHaveCount(3)
    const changes = await page.evaluateHandle(() => {
      const seen: { rows: number; height: number }[] = []
      const body = document.querySelector('tbody')
      if (!body) throw new Error('No table')
      const look = () =>
        seen.push({
          rows: body.querySelectorAll('tr[data-row]').length,
          height: document.querySelector('table')?.getBoundingClientRect().height ?? 0,
        })
      new MutationObserver(look).observe(body, { childList: true })
      return seen
    })
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect(range(page)).toContainText('101–200 of 203')
    await expect(rows).toHaveCount(100)
    const height = await table(page).evaluate((element) => element.getBoundingClientRect().height)
    expect(await changes.jsonValue()).toEqual([
      { rows: 30, height },
      { rows: 100, height },
    ])
  })

  await test.step('rows far from the window are laid out when they come near it', async () => {
    await page.goto('/licenses?limit=100')
    const rows = table(page).locator('tbody tr[data-row]')
    await expect(rows).toHaveCount(100)
    const isLaidOut = (row: typeof rows) =>
      row.getByRole('checkbox').evaluate((box) => box.checkVisibility({ contentVisibilityAuto: true }))
    expect(await isLaidOut(rows.first())).toBe(true)
    expect(await isLaidOut(rows.last())).toBe(false)
    await rows.last().scrollIntoViewIfNeeded()
    await expect.poll(() => isLaidOut(rows.last())).toBe(true)
    await expect(rows.last()).toContainText('Unused')
  })

  await test.step('rows of another page take over the elements of the rows before, and nothing else', async () => {
    await page.goto('/licenses?limit=10')
    const first = table(page).locator('tbody tr[data-row]').first()
    const before = await first.getAttribute('data-row')
    const element = await first.elementHandle()
    await first.getByRole('button', { name: 'Copy license key' }).click()
    await expect(first.getByRole('button', { name: 'Copied' })).toBeVisible()
    await first.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(first).not.toHaveAttribute('data-row', before ?? '')
    expect(await first.evaluate((now, then) => now === then, element)).toBe(true)
    await expect(first.getByRole('button', { name: 'Copy license key' })).toBeVisible()
    await expect(first.getByRole('checkbox')).not.toBeChecked()
    await first.getByRole('button', { name: /^Actions for/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.goBack()
    await expect(first).toHaveAttribute('data-row', before ?? '')
    await expect(first.getByRole('checkbox')).toBeChecked()
    await expect(page.getByRole('menu')).toHaveCount(0)
  })

  await test.step('a turned page begins with its first row', async () => {
    await page.setViewportSize({ width: 1440, height: 600 })
    await page.goto('/licenses?limit=25')
    const next = page.getByRole('button', { name: 'Next page' })
    await expect(range(page)).toContainText('1–25 of 203')
    await next.click()
    await expect(range(page)).toContainText('26–50 of 203')
    const header = page.getByRole('columnheader', { name: 'License key' })
    await expect(header).toBeInViewport()
    await expect(table(page).locator('tbody tr[data-row]').first()).toBeInViewport({ ratio: 1 })
    await expect(next).not.toBeInViewport()
  })
})
