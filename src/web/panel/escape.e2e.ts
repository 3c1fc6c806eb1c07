import type { Page } from '@playwright/test'
import { expect, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newUser } from '#testing/people/end-users.ts'

/** Escape closes the topmost thing only, also while that is still on its way. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const dialog = (page: Page) => page.getByRole('dialog')
const showAll = (page: Page) => panel(page).getByRole('button', { name: 'Show all' })

async function openWebhook(page: Page, { visitor }: SignedInOwner) {
  const body = { name: 'Order bot', url: 'https://example.com/hook', events: ['license.created' as const] }
  const { webhookId } = (await visitor.call('POST /create_webhook', { body })).body
  await page.goto(`/webhooks?panel=webhook:${webhookId}`)
  await expect(showAll(page)).toBeVisible()
}

/** Only the panel is open, and Escape closes that. */
async function expectPanelOnly(page: Page) {
  await expect(page).not.toHaveURL(/action=/)
  await expect(dialog(page)).toHaveCount(0)
  await expect(panel(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(page).not.toHaveURL(/panel=/)
}

test('Escape closes a dialog or the palette that is still loading over the panel, and the panel stays', async ({
  page,
  owner,
}) => {
  const held: (() => Promise<void>)[] = []
  await page.route(/\/assets\/(deliveries-dialog|command-palette)-[^/]*\.js$/, (route) => {
    held.push(() => route.continue())
  })
  await openWebhook(page, owner)
  await showAll(page).click()
  await expect(page).toHaveURL(/action=deliveries/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/action=/)
  await expect(panel(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeVisible()

  await expect.poll(() => held.length).toBe(2)
  await Promise.all(held.map((release) => release()))
  await page.waitForLoadState('networkidle')
  await expectPanelOnly(page)
})

test('Escape in the moment after a dialog was asked for, and in that of its opening, closes it and not the panel', async ({
  page,
  owner,
}) => {
  await openWebhook(page, owner)
  await showAll(page).click()
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(panel(page)).toBeVisible()

  await showAll(page).evaluate((button: HTMLElement) => {
    button.click()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  })
  await expect(page).not.toHaveURL(/action=/)
  await expect(dialog(page)).toHaveCount(0)
  await expect(panel(page)).toBeVisible()

  const isPressed = showAll(page).evaluate(
    (button: HTMLElement) =>
      new Promise<boolean>((resolve) => {
        const press = () => {
          if (!document.querySelector('[role=dialog]')) return
          observer.disconnect()
          const target = document.activeElement ?? document.body
          target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
          resolve(true)
        }
        const observer = new MutationObserver(press)
        observer.observe(document.body, { childList: true, subtree: true })
        button.click()
      }),
  )
  expect(await isPressed).toBe(true)
  await expectPanelOnly(page)
})

test('a dialog of the panel that cannot be loaded leaves the panel as it was, and Retry opens it', async ({
  page,
  owner,
}) => {
  const address = /\/assets\/deliveries-dialog-[^/]*\.js$/
  await page.route(address, (route) => route.abort())
  await openWebhook(page, owner)
  await showAll(page).click()
  await expect(page.getByText('This could not be loaded')).toBeVisible()
  await expect(page).not.toHaveURL(/action=/)
  await expect(panel(page)).toBeVisible()
  await page.unroute(address)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog(page)).toBeVisible()
  await expect(page).toHaveURL(/action=deliveries/)
  await page.keyboard.press('Escape')
  await expectPanelOnly(page)
})

test('Escape in a search or in the bar of the selected rows beside the panel is theirs, and the panel stays', async ({
  page,
  owner,
}) => {
  for (const username of ['kim', 'lee']) await newUser(owner, username)
  await page.goto('/users?panel=user:kim')
  await expect(panel(page)).toBeVisible()
  const search = page.getByRole('searchbox')
  await search.fill('k')
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('')
  await expect(panel(page)).toBeVisible()
  const lee = page.getByRole('checkbox', { name: 'Select lee', exact: true })
  await lee.check()
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  await bar.getByRole('button', { name: 'Clear selection' }).focus()
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expect(lee).toBeFocused()
  await lee.check()
  await bar.getByRole('button', { name: 'Clear selection' }).press('Enter')
  await expect(lee).toBeFocused()
  await expect(panel(page)).toBeVisible()
  await search.focus()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
})
