import type { Locator, Page } from '@playwright/test'
import { newSubscriber } from '#testing/people/end-users.ts'
import { makeAdmin, newLicenses } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { redeem } from './license-screen.ts'
import { expect, expectNoAxeViolations, signIn, test } from './fixtures.ts'

/** What the eye is led to: only what differs has a hue, and nothing covers or squeezes what is read. */

const styleOf = (element: Locator, name: string) =>
  element.evaluate((each, property) => getComputedStyle(each).getPropertyValue(property), name)
const boxOf = (element: Locator) => element.evaluate((each) => each.getBoundingClientRect().toJSON() as DOMRect)
const badge = (page: Page, text: string) => page.locator('td .badge', { hasText: new RegExp(`^${text}$`) }).first()
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('rows have the height of their lines, a hue only for what differs, and a bar only for little time left', async ({
  app,
  page,
  owner,
}) => {
  await test.step('rows with two lines are taller than others', async () => {
    await newLicenses(owner, 1)
    await page.goto('/licenses')
    await expect(page.locator('tr[data-row]')).toHaveCount(1)
    const single = (await boxOf(page.locator('tr[data-row]'))).height
    await page.goto('/audit')
    const audited = page.locator('tr[data-row]').first()
    await expect(audited).toBeVisible()
    expect((await boxOf(audited)).height).toBe(single)
    await makeAdmin(app, owner)
    await page.goto('/admin/owners')
    const double = page.locator('tr[data-row]').first()
    await expect(double).toBeVisible()
    expect((await boxOf(double)).height).toBeGreaterThanOrEqual(single + 12)
  })

  await test.step('normal states are gray, and only a state that differs has a hue', async () => {
    const [banned = '', redeemed = ''] = await newLicenses(owner, 3)
    await redeem(app, redeemed, 'ada')
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
    await page.goto('/licenses')
    const [used, unused, out] = ['Used', 'Unused', 'Banned'].map((text) => badge(page, text)) as [
      Locator,
      Locator,
      Locator,
    ]
    for (const property of ['color', 'background-color']) {
      expect(await styleOf(used, property)).toBe(await styleOf(unused, property))
      expect(await styleOf(out, property)).not.toBe(await styleOf(unused, property))
    }
    const shape = (of: Locator) =>
      of.evaluate((each) => {
        const { borderWidth, borderStyle, backgroundImage } = getComputedStyle(each, '::before')
        return `${borderWidth} ${borderStyle} ${backgroundImage}`
      })
    expect(new Set([await shape(used), await shape(unused), await shape(out)]).size).toBe(3)
  })

  await test.step('a bar of the time left appears only when little is left, and the date is always there', async () => {
    for (const [username, days] of [
      ['long', 180],
      ['short', 5],
    ] as const)
      await newSubscriber(owner, { username, days })
    await page.goto('/users')
    await expect(row(page, 'short').locator('.time-bar')).toBeVisible()
    await expect(row(page, 'long').locator('.time-bar')).toHaveCount(0)
    const time = row(page, 'long').locator('time').filter({ hasText: 'left' })
    await expect(time).toHaveText(/^180 days left\s· \w+ \d+, \d{4}$/)
    const cut = (element: Element) => element.scrollHeight > element.clientHeight + 2
    expect(await time.evaluate(cut)).toBe(false)
  })
})

test('what has the same task looks the same on every page', async ({ page, owner }) => {
  await test.step('fields and the search have the same focus ring, and that of a row goes all round', async () => {
    await newLicenses(owner, 1)
    const ring = async (element: Locator) => {
      await element.press('Shift')
      return Promise.all(
        ['outline-width', 'outline-style', 'outline-offset', 'outline-color'].map((each) => styleOf(element, each)),
      )
    }
    await page.setViewportSize({ width: 900, height: 900 })
    await page.goto('/licenses')
    const search = await ring(page.getByRole('searchbox'))
    expect(search.slice(0, 3)).toEqual(['2px', 'solid', '2px'])
    const line = page.locator('tr[data-row]')
    await line.press('Shift')
    // The ring fades in.
    await expect(async () => {
      const shadows = await line
        .locator('td')
        .evaluateAll((cells) => cells.map((each) => getComputedStyle(each).boxShadow))
      expect(shadows.length).toBeGreaterThan(3)
      for (const shadow of shadows) expect(shadow).toMatch(/ 0px 2px 0px 0px inset,.* 0px -2px 0px 0px inset/)
      expect(shadows.at(0)).toContain(' 2px 0px 0px 0px inset')
      expect(shadows.at(-1)).toContain(' -2px 0px 0px 0px inset')
    }).toPass({ timeout: 45_000 })

    await page.goto('/dashboard')
    expect(await ring(page.getByRole('textbox', { name: 'App name' }))).toEqual(search)
  })

  await test.step('the tabs of the log are those of every other page', async () => {
    await newLicenses(owner, 1)
    const look = (tab: Locator) =>
      tab.evaluate((each) => {
        const { height, paddingLeft, borderRadius, fontSize, fontWeight, backgroundColor, color } =
          getComputedStyle(each)
        return { height, paddingLeft, borderRadius, fontSize, fontWeight, backgroundColor, color }
      })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/licenses?dialog=create')
    const tab = await look(page.getByRole('tab', { selected: true }).first())
    await page.goto('/logs')
    expect(
      await look(page.getByRole('navigation', { name: 'Logs' }).getByRole('link', { name: 'Log', exact: true })),
    ).toEqual(tab)
  })
})

test('settings have anchors that follow the reader and stay where they were chosen', async ({ page, owner }) => {
  const anchors = page.getByRole('navigation', { name: 'Sections' })
  const current = anchors.locator('[aria-current=true]')
  await test.step('settings have anchors that follow the reader, as a column or as a line', async () => {
    for (const width of [1440, 1000, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/dashboard')
      await expect(page.getByRole('textbox', { name: 'App name' })).toHaveValue(owner.appName)
      await expect(current).toHaveText('General')
      for (const [link, heading] of [
        ['Sessions', 'Integration and Sessions'],
        ['Danger', 'Danger Zone'],
        ['Security', 'Security Settings'],
      ] as const) {
        await anchors.getByRole('link', { name: link }).click()
        await expect(current).toHaveText(link)
        const title = page.getByRole('heading', { name: heading })
        await expect(title).toBeInViewport()
        expect((await boxOf(title)).top).toBeGreaterThan((await boxOf(page.getByRole('banner'))).bottom)
      }
      await page.evaluate(() => window.scrollTo(0, 0))
      await expect(current).toHaveText('General')
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      await expect(current).toHaveText('Danger')
      await expect(anchors).toBeInViewport()
      const tallest = await page
        .locator('form p[id$=-help]')
        .evaluateAll((hints) => Math.max(...hints.map((each) => each.clientHeight)))
      expect(tallest).toBeLessThanOrEqual(2 * 16)
    }
  })

  await test.step('a chosen section stays marked when the page grows', async () => {
    await page.setViewportSize({ width: 1440, height: 800 })
    await page.goto('/dashboard')
    await expect(page.getByRole('textbox', { name: 'App name' })).toHaveValue(owner.appName)
    await anchors.getByRole('link', { name: 'Danger' }).click()
    await page.evaluate(async () => {
      const spacer = (height: string) => Object.assign(document.createElement('div'), { style: `height: ${height}` })
      const before = window.scrollY
      document.querySelector('#general')?.prepend(spacer('200px'))
      document.body.append(spacer('600px'))
      while (window.scrollY === before) await new Promise((resolve) => requestAnimationFrame(resolve))
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    })
    await expect(current).toHaveText('Danger')
    await page.mouse.move(400, 400)
    await page.mouse.wheel(0, -5000)
    await expect(current).toHaveText('General')
  })
})

test('system settings have anchors, and a save button without changes looks off', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/settings')
  const save = page.getByRole('button', { name: 'Save platform settings' })
  await expect(save).toBeDisabled()
  expect(await styleOf(save, 'opacity')).toBe('1')
  const off = await styleOf(save, 'background-color')
  expect(off).toBe(await styleOf(page.getByRole('link', { name: 'System Settings' }), 'background-color'))
  const anchors = page.getByRole('navigation', { name: 'Sections' })
  await anchors.getByRole('link', { name: 'API' }).click()
  await expect(anchors.locator('[aria-current=true]')).toHaveText('API')
  await expect(page.getByRole('heading', { name: 'API', exact: true })).toBeInViewport()
  await expectNoAxeViolations(page)
  await page.getByRole('textbox', { name: 'Platform name' }).fill('Other')
  await expect(save).toBeEnabled()
  await expect.poll(() => styleOf(save, 'background-color')).not.toBe(off)
})

test('an address without a page is said within the area, with its search and a way back', async ({
  app,
  page,
  context,
  owner,
}) => {
  const main = page.getByRole('main')
  const expectFound = async (sidebar: string) => {
    await expect(main.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText(sidebar)
    await main.getByRole('button', { name: 'Search or jump to' }).click()
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
  }
  await page.goto(`/a/${owner.appId}/licences`)
  await expectFound(owner.appName)
  await expect(page).toHaveTitle(/^Page not found/)
  await expectNoAxeViolations(page)
  await main.getByRole('link', { name: 'Back to the dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Page not found')

  await page.goto('/admin/nothing')
  await expectFound(owner.appName)
  await makeAdmin(app, owner)
  await page.goto('/admin/nothing')
  await expectFound('Administration')

  const reseller = await newSellingReseller(app, {}, owner)
  await context.clearCookies()
  await page.goto('/nothing')
  await expect(main.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page.getByRole('complementary')).toHaveCount(0)
  await expect(main.getByRole('button')).toHaveCount(0)

  await signIn(context, app, reseller.visitor)
  await page.goto('/reseller/nothing')
  await expectFound('Credits')
})

test('wide screens are used up to 1,720 px, and the breadcrumb is above the content', async ({ page, owner }) => {
  await newLicenses(owner, 1)
  await page.goto('/licenses')
  const [title, crumb, table] = [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('navigation', { name: 'Breadcrumb' }),
    page.getByRole('table', { name: 'Licenses' }),
  ]
  await expect(table.locator('tr[data-row]')).toHaveCount(1)
  for (const width of [1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    const [rail, padding, border] = [232, 24, 1]
    await expect(async () => {
      const [left, right] = [(await boxOf(table)).left, (await boxOf(table)).right]
      expect(Math.abs((await boxOf(crumb)).left - (await boxOf(title)).left)).toBeLessThanOrEqual(1)
      const bar = width - (await page.evaluate(() => document.documentElement.clientWidth))
      expect(right - left).toBeCloseTo(Math.min(width - bar - rail, 1720) - 2 * padding - 2 * border, -1)
    }).toPass({ timeout: 45_000 })
  }
})

test('a toast covers neither the page numbers nor the bulk bar', async ({ page, owner }) => {
  for (let n = 0; n < 12; n++)
    await owner.visitor.call('POST /modify_app_var', { body: { variableName: `name-${n}`, variableData: 'data' } })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 780 })
    await page.goto('/variables')
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
    await page.getByRole('checkbox', { name: 'Select name-1', exact: true }).check()
    await page.getByRole('button', { name: 'Actions for name-1', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy data' }).click()
    const toast = page.getByRole('alert').filter({ hasText: 'Failed to copy' })
    await expect(toast).toBeVisible()
    await toast.hover()
    for (const top of [0, 10_000]) {
      await page.evaluate((to) => window.scrollTo(0, to), top)
      for (const other of [pages, page.getByRole('toolbar')]) {
        await expect
          .poll(async () => {
            const [a, b] = [await boxOf(toast), await boxOf(other)]
            return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
          })
          .toBe(false)
      }
    }
  }
})

test('the buttons of a form stay where they are when nothing blocks them any more', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/admin/owners?dialog=plan&row=${owner.id}`)
    const dialog = page.getByRole('dialog')
    const buttons = ['Cancel', 'Update plan'].map((name) => dialog.getByRole('button', { name }))
    const places = () => Promise.all(buttons.map(async (each) => (await boxOf(each)).left))
    const reason = dialog.locator('footer, div').getByText('Choose a plan').last()
    await expect(reason).toBeVisible()
    await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))))
    const before = await places()
    await dialog.getByRole('combobox', { name: 'Plan' }).selectOption('Developer')
    await expect(buttons[1]!).toBeEnabled()
    expect(await places()).toEqual(before)
  }
})

test('a list without rows has one primary button and no page numbers', async ({ page, owner }) => {
  const pageNumbers = page.getByRole('combobox', { name: 'Rows per page' })
  const filled = () =>
    page
      .getByRole('main')
      .locator('[data-variant=primary]')
      .evaluateAll((buttons) => {
        const accent = getComputedStyle(document.documentElement).getPropertyValue('--color-accent')
        const probe = Object.assign(document.createElement('i'), { style: `background: ${accent}` })
        document.body.append(probe)
        const color = getComputedStyle(probe).backgroundColor
        probe.remove()
        return buttons.filter((each) => getComputedStyle(each).backgroundColor === color).length
      })
  await test.step('an empty list has no page numbers', async () => {
    await page.goto('/licenses')
    await expect(page.getByText(/^No licenses found/)).toBeVisible()
    await expect(pageNumbers).toHaveCount(0)
  })
  await test.step('an empty list has one primary button, and so has a filled one', async () => {
    await expect.poll(filled).toBe(1)
    await newLicenses(owner, 1)
    await page.goto('/licenses?q=nothing-like-it')
    await expect(page.getByText('No results for “nothing-like-it”')).toBeVisible()
    await expect(pageNumbers).toHaveCount(0)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.locator('tr[data-row]')).toHaveCount(1)
    await expect(pageNumbers).toBeVisible()
    await expect.poll(filled).toBe(1)
  })
})
