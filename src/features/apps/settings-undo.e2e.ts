import type { Page } from '@playwright/test'
import { expect, expectToast, test } from '#e2e/fixtures.ts'

const version = (page: Page) => page.getByRole('textbox', { name: 'App version', exact: true })
const vpnBlock = (page: Page) => page.getByRole('switch', { name: 'VPN block', exact: true })
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })

test('saved settings are undone from their toast and from the activity, unless they were changed since', async ({
  page,
  owner,
}) => {
  const stored = async () => {
    const { version: name, vpnBlock: isOn } = (await owner.visitor.call('GET /active_app')).body.app!.settings
    return { name, isOn }
  }
  const save = async (name: string) => {
    await version(page).fill(name)
    await page.getByRole('button', { name: 'Save Changes' }).first().click()
    await expectToast(page, 'Settings saved successfully!')
    await expect.poll(async () => (await stored()).name).toBe(name)
  }
  await page.goto('/dashboard')
  const former = await version(page).inputValue()
  await vpnBlock(page).check()
  await save('2.0')
  await undo(page).click()
  await expect(version(page)).toHaveValue(former)
  await expect(vpnBlock(page)).not.toBeChecked()
  expect(await stored()).toEqual({ name: former, isOn: false })

  await save('3.0')
  const body = { appId: owner.appId, version: '4.0' }
  expect((await owner.visitor.call('POST /update_app', { body })).status).toBe(200)
  await undo(page).click()
  await expectToast(page, /changed/i)
  expect((await stored()).name).toBe('4.0')
  await expect(version(page)).toHaveValue('4.0')

  await page.getByRole('button', { name: 'Activity' }).click()
  const saves = page.getByRole('dialog', { name: 'Activity' }).getByRole('listitem')
  const last = saves.filter({ hasText: 'App settings changed' }).first()
  await last.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await stored()).name).toBe('3.0')
  await expect(saves.nth(1).getByText('Undone', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(version(page)).toHaveValue('3.0')
})
