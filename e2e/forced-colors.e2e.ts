import type { Page } from '@playwright/test'
import { activityLog } from '#features/logs/logs.actions.ts'
import { newLicenses } from '#testing/people/people.ts'
import { expect, test } from './fixtures.ts'

/** Colors that the reader's system chooses. */

test.use({ contextOptions: { reducedMotion: 'reduce', forcedColors: 'active' } })

const styleOf = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)

/** Of what the element draws before its content. */
const markOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element, '::before').getPropertyValue(name), property)

/** The line around it, or `none`. */
const outlineOf = (page: Page, selector: string) => styleOf(page, selector, 'outline-style')

test('controls differ in system colors and lines', async ({ page, owner }) => {
  await test.step('a state that is otherwise a color has a line or a system color', async () => {
    await newLicenses(owner, 2)
    await page.goto('/licenses')
    await page.locator('tbody').getByRole('checkbox').first().check()
    expect(await outlineOf(page, 'tr[data-selected]')).toBe('solid')
    expect(await outlineOf(page, 'tbody tr:not([data-selected])')).toBe('none')
    expect(await outlineOf(page, 'aside a[aria-current=page]')).toBe('solid')
    expect(await outlineOf(page, 'button[aria-pressed=true]')).toBe('solid')
    expect(await outlineOf(page, 'button[aria-pressed=false]')).toBe('none')
    expect(await styleOf(page, 'td .badge', 'border-top-style')).toBe('solid')

    const [tick, box] = [
      await markOf(page, 'tbody input:checked', 'color'),
      await styleOf(page, 'tbody input:checked', 'background-color'),
    ]
    expect(tick).not.toBe(box)
    const field = await styleOf(page, 'tbody input:not(:checked)', 'background-color')
    expect(box).not.toBe(field)
    // Of the menu of a row, and of the copy of its key, though the pointer is at it.
    await page.locator('.two-sheets').first().hover()
    expect(await markOf(page, '.two-sheets', 'background-color')).not.toBe(field)
    expect(await markOf(page, 'td .dots', 'forced-color-adjust')).toBe('none')

    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Tab')
    // Outlines of buttons are animated.
    await expect.poll(() => outlineOf(page, ':focus-visible')).toBe('solid')
    await expect.poll(() => styleOf(page, ':focus-visible', 'outline-width')).toBe('3px')
  })

  await test.step('a switch that is on differs from one that is off', async () => {
    await page.goto('/dashboard')
    const on = page.getByRole('switch', { checked: true }).first()
    await expect(on, owner.appName).toBeVisible()
    const [isOn, isOff] = ['input[role=switch]:checked', 'input[role=switch]:not(:checked)']
    for (const part of ['', ' + span']) {
      const background = await styleOf(page, isOn + part, 'background-color')
      expect(background, part).not.toBe(await styleOf(page, isOff + part, 'background-color'))
    }
  })

  await test.step('the chosen period has a line, and the focus another', async () => {
    await newLicenses(owner, 1)
    await page.goto('/overview')
    const period = page.getByRole('group', { name: 'Period' })
    const labelOf = (chosen: boolean) => period.locator('label', { has: page.getByRole('radio', { checked: chosen }) })
    const outline = (chosen: boolean, name: string) =>
      labelOf(chosen)
        .first()
        .evaluate((label, property) => getComputedStyle(label).getPropertyValue(property), name)
    await expect(labelOf(true)).toHaveCount(1)
    expect(await outline(false, 'outline-style')).toBe('none')
    expect(await outline(true, 'outline-color')).toBe(await systemColor(page, 'Highlight'))
    await period.getByRole('radio', { checked: true }).press('ArrowRight')
    await expect.poll(() => outline(true, 'outline-width')).toBe('3px')
  })

  await test.step('main and dangerous buttons differ from others, and a disabled one from both', async () => {
    await page.goto('/profile')
    const save = page.getByRole('button', { name: 'Save Changes' })
    const name = page.getByRole('textbox', { name: 'Display name' })
    await expect(name, owner.username).toBeVisible()
    const [highlight, gray] = [await systemColor(page, 'Highlight'), await systemColor(page, 'GrayText')]
    const look = (property: string) =>
      save.evaluate((each, of) => getComputedStyle(each).getPropertyValue(of), property)
    await expect.poll(() => look('color')).toBe(gray)
    await name.fill('Other')
    await expect.poll(() => look('background-color')).toBe(highlight)
    expect(await styleOf(page, '[data-variant=danger]', 'border-top-style')).toBe('double')
    expect(await styleOf(page, '[data-variant=secondary]', 'border-top-style')).toBe('solid')
  })
})

/** What a system color is here, as the browser computes it. */
const systemColor = (page: Page, name: string) =>
  page.evaluate((color) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = color
    const { color: computed } = getComputedStyle(probe)
    probe.remove()
    return computed
  }, name)

test('what is drawn has system colors that differ', async ({ app, page, owner }) => {
  await test.step('charts have system colors, and their series differ', async () => {
    const log = activityLog(app.services)
    log.record({ appId: owner.appId, at: app.now(), call: 'login', username: 'ivy', ip: '::1' })
    log.record({ appId: owner.appId, at: app.now(), call: 'login', username: 'ivy', ip: '::1', code: 'USER_BANNED' })
    await log.flush()
    await page.goto('/logs')
    const bars = page.locator('svg[role=img] g.keep-color path')
    await expect(bars).toHaveCount(2)
    const fills = await bars.evaluateAll((each) => each.map((bar) => getComputedStyle(bar).fill))
    expect(fills).toEqual([await systemColor(page, 'CanvasText'), await systemColor(page, 'Highlight')])
    const axis = await styleOf(page, 'svg[role=img] text', 'fill')
    expect(axis).toBe(await systemColor(page, 'CanvasText'))
  })

  await test.step('the states of a day have system colors that differ', async () => {
    const today = Math.floor(app.now() / 86_400)
    const minutes = { ok: 0, degraded: 0, down: 0 }
    const days = [
      { ...minutes, day: today - 1, down: 1440 },
      { ...minutes, day: today - 2, degraded: 1440 },
      { ...minutes, day: today - 3, ok: 1440 },
    ]
    await app.db.write(async ({ db }) => {
      await db
        .insertInto('status_days')
        .values(days.map((day) => ({ ...day, part: 'database' })))
        .execute()
    })
    await page.goto('/status')
    const bars = page.getByRole('region', { name: 'Database' }).locator('svg[role=img] g.keep-color')
    await expect(bars, owner.username).toHaveCount(90)
    const fills = await bars.evaluateAll((all) =>
      all.slice(-5, -1).map((bar) => getComputedStyle(bar.querySelector('rect')!).fill),
    )
    const colors = ['Canvas', 'GrayText', 'Highlight', 'CanvasText']
    expect(fills).toEqual(await Promise.all(colors.map((name) => systemColor(page, name))))
  })
})
