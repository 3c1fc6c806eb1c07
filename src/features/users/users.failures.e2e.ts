import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, test } from '#e2e/fixtures.ts'
import { newSubscriber, newUser } from '#testing/people/end-users.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

/** Error messages on the screen when an action on users fails. */

const dialog = (page: Page) => page.getByRole('dialog')
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Actions for selected rows' })

test('a failed action on one or several users is reported by name', async ({ app, page, owner }) => {
  await newSubscriber(owner, { username: 'ada' })
  await app.db.write(({ db }) =>
    db.updateTable('users').set({ hwid_hash: 'ab12' }).where('app_id', '=', owner.appId).execute(),
  )
  await page.goto('/users')
  const choose = (entry: string) => async () => {
    await page.getByRole('button', { name: 'Actions for ada' }).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  /** The dialog closes immediately; the error is shown in a toast. */
  const confirm = (name: string) => dialog(page).getByRole('button', { name, exact: true })
  const create = async () => {
    await page.getByRole('button', { name: 'Create user' }).click()
    await dialog(page).getByRole('textbox', { name: 'Username' }).fill('ben')
    await dialog(page).getByRole('textbox', { name: 'Password' }).fill('Password-of-user')
  }
  const bulk = (entry: string) => async () => {
    await page.getByRole('checkbox', { name: 'Select ada', exact: true }).check()
    await bar(page).getByRole('button', { name: entry }).click()
    await expect(dialog(page)).toContainText('Changes 1 user.')
  }
  await expectFailures(app, page, [
    { says: 'Failed to create user', open: create, press: 'Create' },
    { says: 'Failed to ban user', open: choose('Ban'), press: confirm('Ban') },
    { says: 'Failed to pause user', open: choose('Pause'), press: confirm('Pause') },
    { says: 'Failed to reset HWID', open: choose('Reset HWID'), press: confirm('Reset HWID') },
    { says: 'Failed to extend users', open: bulk('Extend'), press: 'Extend' },
    { says: 'Failed to subtract time', open: bulk('Subtract'), press: 'Subtract' },
  ])
})

test("a user's subscription or variable that couldn't be changed says so beside it", async ({ app, page, owner }) => {
  await newSubscriber(owner, { username: 'ada' })
  await newUser(owner, 'ben')
  const coins = { username: 'ada', variableName: 'coins', variableData: '10' }
  await owner.visitor.call('POST /user_variables', { body: coins })
  await page.goto('/users')
  await page.getByRole('button', { name: 'Details of ben' }).click()
  const levels = page.getByRole('region', { name: 'Subscriptions of ben' })
  const chooseLevel = () => levels.getByRole('combobox', { name: 'Add subscription' }).selectOption('Basic')
  const addLevel = levels.getByRole('button', { name: 'Add', exact: true })
  await expectFailures(app, page, [{ says: 'Failed to add subscription', open: chooseLevel, press: addLevel }])

  await page.getByRole('button', { name: 'Details of ada' }).click()
  await expectFailures(app, page, [
    { says: 'Failed to remove subscription', press: page.getByRole('button', { name: 'Remove Basic from ada' }) },
    { says: 'Failed to delete variable', press: page.getByRole('button', { name: 'Delete coins' }) },
  ])
  const variables = page.getByRole('region', { name: 'Variables of ada' })
  await variables.getByRole('textbox', { name: 'coins' }).fill('25')
  await variables.getByRole('textbox', { name: 'Variable name' }).fill('gems')
  await variables.getByRole('textbox', { name: 'Variable data' }).fill('3')
  await withoutTable(app.db, 'audit', async () => {
    await variables.getByRole('button', { name: 'Save coins' }).click()
    await expect(variables.getByText('Failed to update variable', { exact: true })).toBeVisible()
    await variables.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(variables.getByText('Failed to create variable', { exact: true })).toBeVisible()
  })
})
