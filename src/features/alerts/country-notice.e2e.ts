import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { setCountries } from '#testing/country-file.ts'

const why = "“Another country” alerts can't be raised: this server has no country file."

/** Opens the settings of the alert type that needs the country file. */
async function openSettings(page: Page) {
  await page.getByRole('button', { name: 'Alert settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Alert settings' })
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('IP_CHANGED_COUNTRY')
  return dialog
}

test('without a country file the alerts and their settings say what cannot be raised and how to get one; with a file nothing', async ({
  app,
  page,
  owner: _owner,
}) => {
  await page.goto('/alerts')
  const notice = page.getByText(why)
  await expect(notice).toHaveCount(1)
  await expect(notice).toContainText("a country database in MaxMind's format")
  await expect(notice).toContainText('GEOIP_COUNTRY_FILE')
  const dialog = await openSettings(page)
  await expect(dialog.getByText(why)).toBeVisible()
  await expectNoAxeViolations(page)
  // All other types are raised nevertheless.
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('HWID_MULTI_KEY')
  await expect(dialog.getByText(why)).toBeHidden()

  setCountries(app, { '203.0.113.0/24': 'BR' })
  const answer = page.waitForResponse((response) => response.url().endsWith('/ip_data'))
  await page.goto('/alerts')
  expect(await (await answer).json()).toMatchObject({ country: 'present' })
  await expect(page.getByRole('button', { name: 'Run Detection' })).toBeVisible()
  await expect(page.getByText(why)).toBeHidden()
  const open = await openSettings(page)
  await expect(open.getByRole('spinbutton', { name: 'Threshold' })).toBeVisible()
  await expect(open.getByText(why)).toBeHidden()
})
