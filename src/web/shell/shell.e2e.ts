import { expect, test } from '#e2e/fixtures.ts'
import { newAlert } from '#testing/busy-app.ts'
import { makeAdmin, newLicenses } from '#testing/people/people.ts'

test('an administrator lands on the admin dashboard once per browser session, and afterwards on Overview', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await page.goto('/login')
  await expect(page).toHaveURL(`/a/${owner.appId}/overview`)
})

test('the rail and the account menu have their pages in order', async ({ page, owner }) => {
  await page.goto('/profile')
  const rail = page.getByRole('navigation', { name: 'Main' })
  await expect(rail.getByRole('link')).toHaveText([
    'Overview',
    'Licenses',
    'Users',
    'Sessions',
    'Subscriptions',
    'Variables',
    'Downloads',
    'Webhooks',
    'Connect',
    'Settings',
    'Seller API',
    'Resellers',
    'Logs',
    'Alerts',
  ])
  for (const [group, last] of [
    ['Customers', 'Subscriptions'],
    ['Program', 'Settings'],
    ['Sell', 'Resellers'],
    ['Watch', 'Alerts'],
  ] as const) {
    await expect(rail.getByRole('list', { name: group }).getByRole('link').last(), group).toHaveText(last)
  }
  const menu = page.getByRole('button', { name: `account of ${owner.username}` })
  await menu.click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Audit',
    'Plan',
    'Profile',
    'Apps',
    'System status',
    /^Keyboard shortcuts/,
    'Sign out',
  ])
  await page.getByRole('menuitem', { name: 'Plan' }).click()
  await expect(page).toHaveURL('/profile#plan')
  await expect(page.getByRole('region', { name: 'Plan usage' })).toBeInViewport()
})

test('a search starts 500 ms after the last key press, or at once with Enter', async ({ page, owner }) => {
  await newLicenses(owner, 1)
  await page.clock.install()
  await page.goto('/licenses')
  const search = page.getByRole('searchbox')
  await page.clock.pauseAt(Date.now() + 60_000)
  await search.fill('nothing')
  await page.clock.runFor(499)
  await expect(page).toHaveURL(/\/licenses$/)
  await page.clock.runFor(1)
  await expect(page).toHaveURL(/q=nothing/)
  await search.fill('else')
  await search.press('Enter')
  await expect(page).toHaveURL(/q=else/)
})

test('below 720 px, rows are cards and the pager has no page numbers; from there on, they are a table', async ({
  page,
  owner,
}) => {
  await newLicenses(owner, 11)
  await page.goto('/licenses')
  const cards = page.getByRole('list', { name: 'Licenses', exact: true })
  const pageTwo = page.getByRole('button', { name: 'Page 2', exact: true })
  for (const [width, isPhone] of [
    [1440, false],
    [720, false],
    [719, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect(cards).toBeVisible({ visible: isPhone })
    await expect(page.getByRole('table')).toBeVisible({ visible: !isPhone })
    await expect(pageTwo).toBeVisible({ visible: !isPhone })
  }
})

test('single-letter shortcuts can be turned off', async ({ page, owner }) => {
  await page.goto('/licenses')
  const search = page.getByRole('searchbox')
  await expect(search, owner.username).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await search.blur()
  await page.keyboard.press('?')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.reload()
  await expect(search).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).not.toBeFocused()
})

test('keys of an input method neither clear a search nor close a dialog', async ({ page, owner }) => {
  const devTools = await page.context().newCDPSession(page)
  const compose = async () => {
    await devTools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  }
  await page.goto('/licenses')
  const search = page.getByRole('searchbox')
  await search.fill('Order 4711 ')
  await expect(page, owner.username).toHaveURL(/q=Order/)
  await compose()
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('Order 4711 に')
  await search.fill('Order 4711')
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('')

  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('combobox')
  await expect(palette).toBeFocused()
  await compose()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveValue('に')
  await palette.fill('Users')
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
})

test('a notification stays 5 s, or 10 s with a button, and as long as the pointer is on it', async ({
  app,
  page,
  owner,
}) => {
  await newAlert(app, owner)
  await page.clock.install()
  await page.goto('/alerts')
  const review = page.getByRole('button', { name: 'Review' })
  await expect(review).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  const toast = page.getByRole('status').locator('p')
  await review.click()
  await expect(toast).toHaveText('Alert marked as reviewed')
  await page.clock.runFor(9900)
  await expect(toast).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast).toHaveText('Alert reopened')
  await toast.hover()
  await page.clock.runFor(60_000)
  await expect(toast).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(4900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toBeHidden()
})

test('an open dialog changes no inherited style of the page, and its backdrop takes the clicks', async ({
  page,
  owner,
}) => {
  await page.goto(`/a/${owner.appId}/licenses`)
  const place = await page.getByRole('link', { name: 'Users' }).boundingBox()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await expect(page.locator('body')).toHaveAttribute('data-scroll-locked')
  await expect(page.locator('body')).toHaveCSS('pointer-events', 'auto')
  await expect(page.locator('main')).toHaveCSS('--removed-body-scroll-bar-size', '')
  await page.mouse.click((place?.x ?? 0) + 5, (place?.y ?? 0) + 5)
  await expect(page.getByRole('combobox')).toBeHidden()
  await expect(page).toHaveURL(`/a/${owner.appId}/licenses`)
})
