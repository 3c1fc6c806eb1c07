import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { newSubscriber } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'

/** What the command palette finds: a pasted key or name itself, with its acts. */

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const option = (page: Page, name: string) => palette(page).getByRole('option', { name, exact: true })
const found = (page: Page, name: string) =>
  palette(page).getByRole('group', { name: 'Found in this app' }).getByRole('option', { name })

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: /Search or jump to/ }).click()
  await palette(page).getByRole('combobox').fill(text)
}

test('a pasted license key appears itself, and is banned by keyboard', async ({ app, page, owner }) => {
  const [key = '', other = ''] = await newLicenses(owner, 2)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  await page.goto('/overview')
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  await ask(page, key)
  await expect(found(page, key)).toContainText('Used')
  await expect(found(page, other)).toHaveCount(0)
  await expectNoAxeViolations(page)
  await expect(found(page, key)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(option(page, 'Ban this license')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /ban/i })
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(page, 'License banned successfully')
  expect((await program.heartbeat()).body.code).toBe('LICENSE_BANNED')

  await ask(page, key)
  await expect(found(page, key)).toContainText('Banned')
  await expect(option(page, 'Unban this license')).toBeVisible()
})

test('a user is found by a part of the name, and acts are offered for the whole name', async ({ page, owner }) => {
  await newSubscriber(owner, { username: 'lucas.ferreira' })
  await page.goto('/licenses')
  await ask(page, 'ferrei')
  await expect(found(page, 'lucas.ferreira')).toContainText('Active')
  await expect(option(page, 'Edit this user')).toHaveCount(0)
  await palette(page).getByRole('combobox').fill('lucas.ferreira')
  await option(page, 'Edit this user').click()
  await expect(page.getByRole('dialog', { name: /edit/i })).toBeVisible()
})

test('finds nothing of another owner or another app, and waits for three characters', async ({ app, page, owner }) => {
  const stranger = await newOwnerWithApp(app)
  const [foreign = ''] = await newLicenses(stranger, 1)
  const [own = ''] = await newLicenses(owner, 1)
  await page.goto('/licenses')
  await ask(page, foreign)
  await expect(option(page, `Why was “${foreign}” rejected?`)).toBeVisible()
  await expect(page.getByText('Found in this app')).toBeHidden()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await palette(page).getByRole('combobox').fill(own.slice(0, 2))
  await expect(option(page, `Why was “${own.slice(0, 2)}” rejected?`)).toBeVisible()
  await palette(page).getByRole('combobox').fill(own)
  await expect(found(page, own)).toBeVisible()
  expect(asked.filter((url) => url.includes(`search=${own.slice(0, 2)}&`))).toEqual([])
})

test('without the server, the palette still leads to pages', async ({ page, owner, connection }) => {
  expect(owner.appId).not.toBe('')
  await page.goto(`${connection.url}/licenses`)
  await expect(page.getByRole('heading', { name: 'Licenses', level: 1 })).toBeVisible()
  await ask(page, 'Users')
  await expect(option(page, 'Users')).toBeVisible()
  connection.stall()
  await palette(page).getByRole('combobox').fill('Sessions')
  await expect(option(page, 'Sessions')).toBeVisible()
  await connection.restore()
})
