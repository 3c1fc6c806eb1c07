import type { Page, Route } from '@playwright/test'
import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { newUser } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const form = (page: Page) => page.getByRole('dialog', { name: 'Create subscription' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' })
const create = (page: Page) => page.getByRole('button', { name: 'Create subscription' }).first()

/** The page before, and the one whose dialogs are opened. */
async function goToSubscriptions(page: Page) {
  await page.goto('/variables')
  await page.getByRole('link', { name: 'Subscriptions', exact: true }).click()
  await expect(heading(page, 'Subscriptions')).toBeVisible()
}

async function expectBackToLeave(page: Page) {
  await expect(page).toHaveURL(/\/subscriptions$/)
  await page.goBack()
  await expect(heading(page, 'Variables Management')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a dialog leaves no entry in the history, however it is closed', async ({ page, owner }) => {
  await test.step('after a dialog is closed by its button, Escape, or saving, Back leads to the page before', async () => {
    await goToSubscriptions(page)
    for (const close of ['Cancel', 'Close', 'Escape']) {
      await create(page).click()
      await expect(form(page)).toBeVisible()
      if (close === 'Escape') await page.keyboard.press(close)
      else await form(page).getByRole('button', { name: close }).click()
      await expect(form(page)).toBeHidden()
    }
    await create(page).click()
    await form(page).getByLabel('Name').fill('Pro')
    await form(page)
      .getByRole('button', { name: /create/i })
      .click()
    await expectToast(page, 'Subscription created successfully')
    await expect(form(page)).toBeHidden()
    await expectBackToLeave(page)
    await page.goForward()
    await expect(heading(page, 'Subscriptions')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('unsaved changes that are kept keep the dialog, and Back leads to the page before once they are discarded', async () => {
    await goToSubscriptions(page)
    await create(page).click()
    await form(page).getByLabel('Name').fill('Pro')
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await page.goBack()
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(form(page).getByLabel('Name')).toHaveValue('Pro')
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await expect(form(page)).toBeHidden()
    await expectBackToLeave(page)
  })

  await test.step('Back closes a dialog, and one that the page was opened with is closed in place', async () => {
    await goToSubscriptions(page)
    await create(page).click()
    await expect(form(page)).toBeVisible()
    await page.goBack()
    await expect(form(page)).toBeHidden()
    await page.goForward()
    await form(page).getByRole('button', { name: 'Cancel' }).click()
    await expectBackToLeave(page)

    await page.goto(`/a/${owner.appId}/subscriptions?dialog=create`)
    await form(page).getByRole('button', { name: 'Cancel' }).click()
    await expectBackToLeave(page)
  })
})

test('a dialog that was opened before the page was loaded again is left as well', async ({ page, owner }) => {
  void owner
  await goToSubscriptions(page)
  await create(page).click()
  await expect(form(page)).toBeVisible()
  await page.reload()
  await form(page).getByRole('button', { name: 'Cancel' }).click()
  await expectBackToLeave(page)
})

test('a page that is opened at the moment in which a dialog closes stays, and Back leads to the page of the dialog', async ({
  page,
  owner,
}) => {
  void owner
  await goToSubscriptions(page)
  for (const typed of ['', 'Pro']) {
    await create(page).click()
    await form(page).getByLabel('Name').fill(typed)
    await form(page)
      .getByRole('button', { name: 'Cancel' })
      .evaluate((cancel: HTMLElement) => {
        cancel.click()
        const links = [...cancel.ownerDocument.querySelectorAll<HTMLElement>('a')]
        links.find(({ textContent }) => textContent.trim() === 'Licenses')?.click()
      })
    await expect(heading(page, 'Licenses')).toBeVisible()
    await expect(page).toHaveURL(/\/licenses$/)
    await page.goBack()
    await expect(heading(page, 'Subscriptions')).toBeVisible()
    await expect(form(page)).toBeHidden()
  }
  await expectBackToLeave(page)
})

test('a page that is loaded again at the moment in which a dialog closes is loaded', async ({ page, owner }) => {
  await goToSubscriptions(page)
  for (const load of [() => page.reload(), () => page.goto(`/a/${owner.appId}/subscriptions`)]) {
    await create(page).click()
    await expect(form(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await load()
    await expect(heading(page, 'Subscriptions')).toBeVisible()
    await expect(form(page)).toBeHidden()
  }
})

test('dialogs opened from the palette and in the panel are left too', async ({ page, owner }) => {
  await newUser(owner, 'kim')
  await page.goto('/variables')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByRole('button', { name: 'Details of kim' }).click()
  const panel = page.locator('[data-side-panel]')
  await panel.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(panel).toBeVisible()
  await page.goBack()
  await expect(panel).toBeHidden()
  await expect(heading(page, 'Users')).toBeVisible()
  await page.getByRole('link', { name: 'Subscriptions', exact: true }).click()
  await expect(heading(page, 'Subscriptions')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('create subscription')
  await palette.getByRole('option', { name: 'Create subscription', exact: true }).click()
  await form(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/subscriptions$/)
  await page.goBack()
  await expect(heading(page, 'Users')).toBeVisible()
})

/** Lets a call through when it is told to. */
async function holdCall(page: Page, path: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(`**${path}`, async (route) => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

test('the late reply to a call of a dialog closes nothing that was opened since', async ({ page, owner }) => {
  const dialog = page.getByRole('dialog')
  await test.step('a dialog of the page', async () => {
    await newUser(owner, 'lucas')
    await page.goto('/users')
    const release = await holdCall(page, '/delete_user')
    await page.getByRole('button', { name: 'Actions for lucas' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: 'Create user' }).first().click()
    const name = dialog.getByRole('textbox', { name: 'Username' })
    await name.fill('marina')
    release()
    await expectToast(page, 'User deleted successfully')
    await expect(page.getByRole('row').filter({ hasText: 'lucas' })).toHaveCount(0)
    await expect(name).toHaveValue('marina')
  })

  await test.step('the panel', async () => {
    const [first = '', second = ''] = await newLicenses(owner, 2)
    await page.goto(`/licenses?panel=license:${first}`)
    const release = await holdCall(page, '/delete_license')
    const panel = page.locator('[data-side-panel]')
    await panel.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await page.getByRole('row').filter({ hasText: second }).getByRole('cell').nth(3).click()
    await expect(panel.getByRole('heading', { name: second })).toBeVisible()
    release()
    await expectToast(page, 'License deleted successfully')
    await expect(page.getByRole('row').filter({ hasText: first })).toHaveCount(0)
    await expect(panel.getByRole('heading', { name: second })).toBeVisible()
  })

  await test.step('the same dialog about rows that were selected since', async () => {
    for (const [level, name] of [
      [2, 'Pro'],
      [3, 'Team'],
    ] as const) {
      await owner.visitor.call('POST /create_subscription', { body: { level, name } })
    }
    await page.goto('/subscriptions')
    const requests = await heldRequests(page, '/bulk-delete')
    const toolbar = page.getByRole('toolbar')
    const openDelete = async (name: string) => {
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await toolbar.getByRole('button', { name: 'Delete' }).click()
    }
    await openDelete('Pro')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => requests.length).toBe(1)
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await openDelete('Team')
    await expect(dialog).toContainText('2 subscriptions')
    await requests[0]?.continue()
    await expect(page.getByRole('checkbox', { name: 'Select Pro', includeHidden: true })).toHaveCount(0)
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(toolbar).toContainText('1 selected')
    await expect(page.getByRole('checkbox', { name: 'Select Team' })).toBeChecked()
  })
})

/** The requests of a call, which go on when they are told to. */
async function heldRequests(page: Page, path: string): Promise<Route[]> {
  const requests: Route[] = []
  await page.route(`**${path}`, (route) => void requests.push(route))
  return requests
}

test('a call that fails after Back closed its dialog is reported, and what a bulk action did can be undone', async ({
  page,
  owner,
}) => {
  const dialog = page.getByRole('dialog')
  const failAfterBack = async (row: string, path: string) => {
    const requests = await heldRequests(page, path)
    await page.getByRole('button', { name: `Actions for ${row}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => requests.length).toBe(1)
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await requests[0]?.abort()
  }
  await test.step('one row', async () => {
    await goToSubscriptions(page)
    await failAfterBack('Basic', '/bulk-delete')
    await expectToast(page, 'Failed to delete subscription')
  })

  const [first = '', second = ''] = await newLicenses(owner, 2)
  await test.step('a row of another list', async () => {
    await page.goto('/licenses')
    await failAfterBack(first, '/delete_license')
    await expectToast(page, 'Failed to delete license')
  })

  const openBan = async () => {
    await page.goto('/licenses')
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Ban', exact: true }).click()
    await expect(dialog).toContainText('2 ')
    await expect(dialog).not.toContainText('Counting')
  }
  const ban = dialog.getByRole('button', { name: 'Ban', exact: false }).last()
  await test.step('a bulk action', async () => {
    await openBan()
    const requests = await heldRequests(page, '/licenses/bulk')
    await ban.click()
    await expect.poll(() => requests.length).toBe(1)
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await requests[0]?.abort()
    await expectToast(page, 'Failed to ban')
    await page.unroute('**/licenses/bulk')
  })

  await test.step('a bulk action that failed in part', async () => {
    await openBan()
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: second } })
    await ban.click()
    await expect(dialog).toContainText('1 done · 1 failed')
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('row').filter({ hasText: first })).toContainText('Unused')
  })
})

test('a search that was just typed stays when a dialog is opened and closed', async ({ page, owner }) => {
  void owner
  await page.goto('/subscriptions')
  await expect(create(page)).toBeVisible()
  await page.getByRole('searchbox').pressSequentially('Bas')
  await create(page).click()
  await expect(form(page)).toBeVisible()
  await expect(page).toHaveURL(/q=Bas/)
  await page.goBack()
  await expect(form(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/subscriptions\?q=Bas$/)
  await expect(page.getByRole('searchbox')).toHaveValue('Bas')
})
