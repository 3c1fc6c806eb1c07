import type { Locator, Page } from '@playwright/test'
import { languages } from '#contract/language.ts'
import { cutTimes } from '#e2e/cut-texts.ts'
import { expect, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import type { TestApp } from '#testing/start-test-app.ts'

const longName = 'maximiliane.von.der.heydebrand'
const longIp = '2a02:8109:9cc0:3f10:8d3c:61f2:9b04:77ae'
const longEmail = `${longName}@heydebrand-und-soehne.example`
const hour = 3600

/** Names and addresses as long as they get, and times whose length doesn't depend on the time of day. */
async function fillWide(app: TestApp, owner: SignedInOwner): Promise<void> {
  await signedIn(app, owner, await newSubscriber(owner, { username: longName }))
  await newLicenses(owner, 2)
  const { id } = await newSellingReseller(app, {}, { ...owner })
  const now = app.now()
  await app.db.write(async ({ db }) => {
    const times = { created_at: now - 23 * hour, last_heartbeat_at: now - 13 * hour, expires_at: now + 14 * hour }
    const ofApp = ['app_id', '=', owner.appId] as const
    await db
      .updateTable('client_sessions')
      .set({ ip: longIp, ...times })
      .where(...ofApp)
      .execute()
    await db.updateTable('resellers').set({ username: longName, email: longEmail }).where('id', '=', id).execute()
    await db
      .updateTable('users')
      .set({ ip: longIp })
      .where(...ofApp)
      .execute()
  })
}

/** Cut without a sign: a button or a badge that leaves its cell, or a text that no ellipsis ends. */
const clipped = (cells: Locator) =>
  cells.evaluateAll((all) =>
    all.flatMap((cell) => {
      const edge = cell.getBoundingClientRect().right
      const solid = [...cell.querySelectorAll('button, [class*="rounded-sm"]')]
      const isOut = solid.some((each) => each.getBoundingClientRect().right > edge && !each.closest('a'))
      const isCut = [cell, ...cell.querySelectorAll('*')].some((each) => {
        const { overflowX, textOverflow } = getComputedStyle(each)
        return (
          each.scrollWidth > each.clientWidth + 1 &&
          overflowX === 'hidden' &&
          textOverflow !== 'ellipsis' &&
          each.tagName !== 'TIME'
        )
      })
      return isOut || isCut ? [cell.textContent] : []
    }),
  )

/** Every text that an ellipsis ends is whole in a tooltip. */
async function expectWholeInTooltip(page: Page, text: string): Promise<void> {
  const cell = page.locator('tbody td').filter({ hasText: text }).first()
  const isCut = await cell.evaluate((td) =>
    [td, ...td.querySelectorAll('*')].some(
      (each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).textOverflow === 'ellipsis',
    ),
  )
  if (!isCut) return
  await cell.hover()
  const titles = await cell.evaluate((td) =>
    [td, ...td.querySelectorAll('[title]')].map((each) => each.getAttribute('title')),
  )
  expect(titles).toContain(text)
}

async function open(page: Page, path: string): Promise<Locator> {
  await page.goto(path)
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  return page.locator('tbody tr[data-row] td')
}

test('what is too long for its column gives way, or is whole in a tooltip', async ({ app, page, owner }) => {
  await fillWide(app, owner)
  await test.step('at 1440 px a session’s times and status are shown in full, and its user and address are too, or have a tooltip', async () => {
    const cells = await open(page, '/sessions')
    expect(await clipped(cells)).toEqual([])
    for (const text of ['23 hours ago', '13 hours ago', '14 hours left', 'Inactive']) {
      const shown = cells.getByText(text, { exact: true })
      expect(await shown.evaluate((each) => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0)
    }
    await expectWholeInTooltip(page, longName)
    await expectWholeInTooltip(page, longIp)
    expect(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  })

  await test.step("text that doesn't fit in a list has an ellipsis and a tooltip", async () => {
    for (const [path, texts] of [
      ['/sessions', [longName, longIp]],
      ['/licenses', []],
      ['/users', [longName, longIp]],
      ['/logs', [longName]],
      ['/manage-resellers', [longName, longEmail]],
    ] as const) {
      const cells = await open(page, path)
      for (const width of [1440, 1024]) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(() => clipped(cells), `${path} at ${width} px`).toEqual([])
        // In a narrow window, the column of addresses gives way.
        for (const text of texts) if (width === 1440 || text !== longIp) await expectWholeInTooltip(page, text)
      }
    }
    const header = page.getByRole('columnheader', { name: 'Licenses Generated' })
    // Columns give way before a header is cut, so a large text stands for a long one of another language.
    await header.evaluate((th) => (th.style.fontSize = '40px'))
    expect(await header.evaluate((th) => th.scrollWidth > th.clientWidth)).toBe(true)
    await header.hover()
    await expect(header).toHaveAttribute('title', 'Licenses Generated')
  })

  await test.step('a text that is read from right to left keeps its beginning, and is whole in a tooltip', async () => {
    const notes = 'اشتراك الاستوديو المتقدم للفرق الكبيرة والمحترفين في كل مكان'
    const body = {
      appName: owner.appName,
      amount: 1,
      subscription: 1,
      expiryUnit: 'days',
      duration: 30,
      notes,
    } as const
    expect((await owner.visitor.call('POST /create_licenses', { body })).status).toBe(200)
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, '/licenses')
    const cell = page.locator('tbody td').filter({ hasText: notes })
    const shown = await cell.evaluate((td) => {
      const [text] = [td, ...td.querySelectorAll('*')].flatMap((each) =>
        [...each.childNodes].filter((node) => node instanceof Text),
      )
      const range = document.createRange()
      if (text) range.setStart(text, 0)
      if (text) range.setEnd(text, 1)
      const { left, right } = range.getBoundingClientRect()
      const { left: start, right: end } = td.getBoundingClientRect()
      return left >= start && right <= end && td.scrollWidth > td.clientWidth
    })
    expect(shown).toBe(true)
    await expectWholeInTooltip(page, notes)
  })

  await test.step('times are shown in full where their column is shown, in every language: others give way', async () => {
    await page.goto('/overview')
    for (const { code: locale } of languages) {
      await page.evaluate((chosen) => localStorage.setItem('signet.locale', chosen), locale)
      for (const path of ['/licenses', '/users', '/sessions', '/logs']) {
        await open(page, path)
        for (const width of [1440, 1280, 1024]) {
          await page.setViewportSize({ width, height: 900 })
          await expect.poll(() => cutTimes(page), `${path} at ${width} px, ${locale}`).toEqual([])
        }
      }
    }
  })
})

/** Keys whose text leaves its cell, or is shortened. */
const cutKeys = (page: Page) =>
  page.locator('tbody tr[data-row]').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const key = row.querySelector('.machine')
      const cell = key?.closest('td')
      if (!key || !cell) return ['no key']
      const isOut = key.getBoundingClientRect().right > cell.getBoundingClientRect().right
      return isOut || key.textContent !== row.getAttribute('data-row') ? [key.textContent] : []
    }),
  )

test('a license key is whole at any width', async ({ page, owner }) => {
  await test.step('a key that may wrap is read as one word', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await open(page, '/licenses')
    await expect(page.getByRole('cell', { name: new RegExp(`^${key}`) })).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    const card = page.getByRole('list', { name: 'Licenses' }).getByRole('listitem')
    await expect(card).toMatchAriaSnapshot(`- listitem: /${key}/`)
  })

  await test.step('a license key is never cut: other columns give way, and their menu says so', async () => {
    await newLicenses(owner, 2)
    await page.setViewportSize({ width: 1720, height: 900 })
    await open(page, '/licenses')
    for (const width of [1720, 1440, 1280, 1024, 800]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => cutKeys(page), `${width} px`).toEqual([])
    }
    await newLicenses(owner, 1, { mask: '################-################-################-###########' })
    await open(page, '/licenses')
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => cutKeys(page), `long keys at ${width} px`).toEqual([])
    }
    await expect(page.getByRole('columnheader', { name: 'Notes' })).toBeHidden()
    await page.getByRole('button', { name: 'Columns' }).click()
    const notes = page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Notes' })
    await expect(notes).toBeChecked()
    await expect(notes).toHaveAccessibleDescription('No space at this width')
  })
})
