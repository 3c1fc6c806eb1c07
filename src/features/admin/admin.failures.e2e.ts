import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { makeAdmin, newOwner } from '#testing/people/people.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

/** Error messages of administration screens, and the screens without any plans. */

const dialog = (page: Page) => page.getByRole('dialog')

test.beforeEach(({ app }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
})

test('owners whose status, plan or account could not be changed are named as such', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  const { username } = await newOwner(app, `other_${owner.username}`.slice(0, 60), { plan: 'Free' })
  const choose = async (entry: string) => {
    await page.getByRole('button', { name: `Actions for ${username}` }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  const changePlan = async () => {
    await choose('Change plan')
    await dialog(page).getByLabel('Plan').selectOption({ label: 'Developer ($9.99/month)' })
  }
  const remove = async () => {
    await choose('Delete')
    await dialog(page).getByLabel('Username').fill(username)
  }
  const ban = dialog(page).getByRole('button', { name: 'Ban', exact: true })
  await page.goto(`/admin/owners?q=${username}`)
  await expectFailures(app, page, [
    { says: 'Failed to update owner status', open: () => choose('Ban'), press: ban },
    { says: 'Failed to update owner plan', open: changePlan, press: 'Update plan' },
    { says: 'Failed to delete owner', open: remove, press: 'Delete owner' },
  ])
})

test('a plan that could not be made, changed or deleted says so; without any, the default ones are made at a press', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  const create = async () => {
    await page.getByRole('button', { name: 'Create Plan' }).click()
    await dialog(page).getByLabel('Name', { exact: true }).fill(`Gold-${owner.id}`)
    await dialog(page).getByLabel('Display name').fill('Gold')
  }
  const edit = async () => {
    await page.getByRole('button', { name: 'Edit Developer' }).click()
    await dialog(page).getByRole('spinbutton', { name: 'Price' }).fill('4.5')
  }
  const remove = () => page.getByRole('button', { name: 'Delete Developer' }).click()
  await page.goto('/admin/plans')
  await expectFailures(app, page, [
    { says: 'Failed to create plan', open: create, press: 'Create Plan' },
    { says: 'Failed to update plan', open: edit, press: 'Save Changes' },
    { says: 'Failed to delete plan', open: remove, press: 'Delete plan' },
  ])

  const { plans } = (await owner.visitor.call('GET /admin/plans')).body
  for (const { name: id } of plans) await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id } })
  await page.reload()
  await expect(page.getByText('No plans configured', { exact: true })).toBeVisible()
  await expectNoAxeViolations(page)
  const initialize = page.getByRole('button', { name: 'Initialize Default Plans' })
  await expectFailures(app, page, [{ says: 'Failed to initialize plans', press: initialize }])
  await initialize.click()
  await expectToast(page, 'Default plans created successfully')
  await expect(page.getByRole('list', { name: 'Plans' }).getByRole('heading')).toHaveText(
    plans.map((plan) => plan.displayName),
  )
})

test('settings that could not be saved say so in their section, and keep what was typed', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/settings')
  const section = page.getByRole('form', { name: 'Platform', exact: true })
  await section.getByLabel('Maintenance message').fill('Back at noon.')
  await withoutTable(app.db, 'audit', async () => {
    await section.getByRole('button', { name: 'Save platform settings' }).click()
    await expect(section.getByText('Failed to save settings', { exact: true })).toBeVisible()
  })
  await expect(section.getByLabel('Maintenance message')).toHaveValue('Back at noon.')
})

test('-1 typed into the limit of a plan is unlimited, and an emptied field is a problem instead of 0', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  const name = `Typed-${owner.id}`
  await owner.visitor.call('POST /admin/plans', {
    body: { name, displayName: name, price: 5, limits: { max_licenses_per_app: 25 } },
  })
  const storedPlan = async () =>
    (await owner.visitor.call('GET /admin/plans')).body.plans.find((plan) => plan.name === name)
  await page.goto('/admin/plans')
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const limit = dialog(page).getByRole('spinbutton', { name: 'Max licenses per app' })
  await limit.press('Control+A')
  await limit.press('Delete')
  await limit.press('Enter')
  await expect(dialog(page)).toContainText('Max licenses per app must be at least -1')
  await expect(limit).toHaveValue('')
  await limit.pressSequentially('-1')
  await expect(limit).toHaveValue('-1')
  await limit.press('Enter')
  await expectToast(page, 'Plan updated successfully')
  expect((await storedPlan())?.limits.max_licenses_per_app).toBe(-1)
  await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id: name } })
})

test('a number outside of its limits is named at its field, each in its own words', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/settings')
  const platform = page.getByRole('form', { name: 'Platform', exact: true })
  const attempts = platform.getByRole('spinbutton', { name: 'Max failed login attempts' })
  const cooldown = platform.getByRole('spinbutton', { name: 'Login cooldown (minutes)' })
  await attempts.fill('1.5')
  await cooldown.fill('20000')
  await platform.getByRole('button', { name: 'Save platform settings' }).click()
  await expect(attempts).toHaveAccessibleDescription(/Max failed login attempts must be a whole number/)
  await expect(cooldown).toHaveAccessibleDescription(/can be at most 10,?080/)
  await expect(attempts).toBeFocused()
  await expectNoAxeViolations(page)
})
