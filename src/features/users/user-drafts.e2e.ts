import type { Page } from '@playwright/test'
import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { newUser, subscribe, userOf } from '#testing/people/end-users.ts'

const panel = (page: Page) => page.locator('[data-side-panel]')
const field = (page: Page, name: string) => panel(page).getByRole('textbox', { name, exact: true })
const days = (page: Page) => panel(page).getByRole('spinbutton', { name: 'Days from now' })

test('a variable that is not being edited follows what somebody else stores; one that is asks', async ({
  page,
  owner,
}) => {
  await newUser(owner, 'kim')
  const variable = { username: 'kim', variableName: 'color' }
  const elsewhere = async (variableData: string) => {
    await owner.visitor.call('PUT /user_variables', { body: { ...variable, variableData } })
  }
  await owner.visitor.call('POST /user_variables', { body: { ...variable, variableData: 'red' } })
  await page.goto('/users?panel=user:kim')
  await expect(field(page, 'color')).toHaveValue('red')
  await elsewhere('blue')
  await expect(field(page, 'color')).toHaveValue('blue')
  await field(page, 'color').fill('green')
  await elsewhere('black')
  const conflict = page.getByRole('group', { name: 'Changed in the meantime' })
  await expect(conflict).toContainText(/Theirs.*black.*Yours.*green/)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save color' }).click()
  await expectToast(page, 'Variable updated successfully')
  expect((await userOf(owner, 'kim'))?.variables).toEqual({ color: 'green' })
})

test('what is typed in the panel of a user stays over other users, tabs, closing, and widths of the window', async ({
  page,
  owner,
}) => {
  for (const name of ['lea', 'max']) await newUser(owner, name)
  await subscribe(owner, 'lea', { days: 10 })
  for (const [level, name] of [
    [2, 'Pro'],
    [3, 'Team'],
  ] as const)
    await owner.visitor.call('POST /create_subscription', { body: { level, name, active: true } })
  const added = panel(page).getByRole('combobox', { name: 'Add subscription' })
  const addedDays = panel(page).getByRole('spinbutton', { name: 'Days', exact: true })
  const body = { username: 'lea', variableName: 'color', variableData: 'red' }
  await owner.visitor.call('POST /user_variables', { body })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/users?panel=user:lea')
  await field(page, 'color').fill('green')
  await field(page, 'Variable name').fill('size')
  await field(page, 'Variable data').fill('XL')
  await panel(page).getByRole('button', { name: 'Edit Basic of lea' }).click()
  await days(page).fill('77')
  await added.selectOption('Team')
  await addedDays.fill('90')
  const isKept = async () => {
    await expect(field(page, 'color')).toHaveValue('green')
    await expect(field(page, 'Variable name')).toHaveValue('size')
    await expect(field(page, 'Variable data')).toHaveValue('XL')
    await expect(days(page)).toHaveValue('77')
    await expect(added).toHaveValue('3')
    await expect(addedDays).toHaveValue('90')
  }
  await page.getByRole('button', { name: 'Details of max' }).click()
  await expect(field(page, 'Variable name')).toHaveValue('')
  await page.getByRole('button', { name: 'Details of lea' }).click()
  await isKept()
  await panel(page).getByRole('tab', { name: 'Raw' }).click()
  await panel(page).getByRole('tab', { name: 'Details' }).click()
  await isKept()
  await page.setViewportSize({ width: 700, height: 900 })
  await expect(panel(page)).toHaveRole('dialog')
  await isKept()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(panel(page)).toHaveRole('region')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await page.getByRole('button', { name: 'Details of lea' }).click()
  await isKept()

  await panel(page).getByRole('button', { name: 'Save color' }).click()
  await expectToast(page, 'Variable updated successfully')
  await panel(page).getByRole('button', { name: 'Add', exact: true }).last().click()
  await expectToast(page, 'Variable created successfully')
  await panel(page).getByRole('button', { name: 'Cancel' }).click()
  await panel(page).getByRole('button', { name: 'Add', exact: true }).first().click()
  await expectToast(page, 'Subscription added successfully')
  await page.getByRole('button', { name: 'Details of max' }).click()
  await page.getByRole('button', { name: 'Details of lea' }).click()
  await expect(field(page, 'size')).toHaveValue('XL')
  await expect(field(page, 'Variable name')).toHaveValue('')
  await expect(days(page)).toBeHidden()
  await expect(panel(page)).toContainText('Team')
  await expect(added).toHaveValue('2')
})

test('what is typed for something that somebody else deletes is discarded, and a message says so', async ({
  page,
  owner,
}) => {
  for (const name of ['nina', 'olga']) await newUser(owner, name)
  await subscribe(owner, 'nina', { days: 10 })
  const variable = { username: 'nina', variableName: 'color' }
  await owner.visitor.call('POST /user_variables', { body: { ...variable, variableData: 'red' } })
  const discarded = (what: string) => `Deleted meanwhile, so what you typed is discarded: ${what}`
  const questions: string[] = []
  page.on('dialog', async (question) => {
    questions.push(question.type())
    await question.accept()
  })
  await page.goto('/users?panel=user:nina')
  await field(page, 'color').fill('green')
  await owner.visitor.call('DELETE /user_variables', { query: {}, body: variable })
  await expectToast(page, discarded('color'))
  await expect(field(page, 'color')).toBeHidden()

  await panel(page).getByRole('button', { name: 'Edit Basic of nina' }).click()
  await days(page).fill('77')
  const params = { username: 'nina', id: 1 }
  await owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params })
  await expectToast(page, discarded('Level 1'))

  await field(page, 'Variable name').fill('size')
  await owner.visitor.call('POST /delete_user', { body: { username: 'nina' } })
  await expectToast(page, discarded('nina'))
  await expect(panel(page)).toContainText('User not found')
  await page.reload()
  expect(questions).toEqual([])

  await page.goto('/users?panel=user:olga')
  await field(page, 'Variable name').fill('size')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await owner.visitor.call('POST /delete_user', { body: { username: 'olga' } })
  await expectToast(page, discarded('olga'))
  await page.reload()
  expect(questions).toEqual([])
})
