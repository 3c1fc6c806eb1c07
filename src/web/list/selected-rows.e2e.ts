import type { Page } from '@playwright/test'
import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { newUser } from '#testing/people/end-users.ts'

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Actions for selected rows' })

async function deleteOne(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Delete|Confirm)/ })
    .click()
}

test('a row that is deleted by itself is no longer selected, and the others are', async ({ page, owner }) => {
  for (const username of ['kim', 'lee']) await newUser(owner, username)
  for (const variableName of ['color', 'size'])
    await owner.visitor.call('POST /modify_app_var', { body: { variableName, variableData: 'x' } })
  for (const [path, one, other, said] of [
    ['/users', 'kim', 'lee', 'User deleted successfully'],
    ['/variables', 'color', 'size', 'Variable deleted successfully'],
  ] as const) {
    await page.goto(path)
    for (const name of [one, other]) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
    await expect(bar(page)).toContainText('2 selected')
    await deleteOne(page, one)
    await expectToast(page, said)
    await expect(bar(page)).toContainText('1 selected')
  }
})
