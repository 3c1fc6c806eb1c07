import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, test } from '#e2e/fixtures.ts'
import { bulkBar, dialog, redeem, select } from '#e2e/license-screen.ts'
import { newLicenses } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'

/** Error messages on the screen when an action on licenses fails. */

const counted = (page: Page) => expect(dialog(page)).not.toContainText('Counting')

test('failed actions on licenses are reported by name', async ({ app, page, owner }) => {
  const [used = '', unused = ''] = await newLicenses(owner, 2)
  await redeem(app, used, 'marta.dev')
  await page.goto('/licenses')
  const edit = async () => {
    await page.getByRole('button', { name: `Actions for ${unused}` }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog(page).getByRole('spinbutton', { name: 'Expiry in days' }).fill('45')
  }
  const remove = async () => {
    await page.getByRole('button', { name: `Actions for ${unused}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  const more = (entry: string) => async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
    await counted(page)
    await dialog(page).getByLabel('App name').fill(owner.appName)
  }
  const deleteSelected = async () => {
    await select(page, unused)
    await bulkBar(page).getByRole('button', { name: 'Delete selected' }).click()
    await counted(page)
  }
  const addTime = async () => {
    await bulkBar(page).getByRole('button', { name: 'Add time' }).click()
    await counted(page)
  }
  const maintenance = () => setPlatform(app, 'platform', { maintenanceMode: true })
  await expectFailures(app, page, [
    { says: 'Failed to update license', open: edit, press: 'Save Changes' },
    { says: 'Failed to delete license', open: remove, press: 'Delete license' },
    { says: 'Failed to delete unused licenses', open: more('Delete unused'), press: 'Delete unused licenses' },
    { says: 'Failed to delete used licenses', open: more('Delete used'), press: 'Delete used licenses' },
    { says: 'Failed to delete all licenses', open: more('Delete all'), press: 'Delete all licenses' },
    { says: 'Failed to delete selected licenses', open: deleteSelected, press: 'Delete selected' },
    { says: 'Failed to add time', open: addTime, press: 'Add time' },
    {
      says: 'Failed to add time: System is under maintenance. Please check back later.',
      open: addTime,
      press: 'Add time',
      meanwhile: maintenance,
    },
  ])
  await setPlatform(app, 'platform', {})
})
