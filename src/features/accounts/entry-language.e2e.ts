import type { Page } from '@playwright/test'
import { field } from '#e2e/entry-screen.ts'
import { expect, test } from '#e2e/fixtures.ts'
import { turnOnTwoFactor } from '#testing/people/two-factor.ts'
import { setPlatform } from '#testing/platform.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Found by its place, so that its name may be in any language and a dialog may cover it. */
const languages = (page: Page) => page.locator('footer select').first()
const chooseLanguage = (page: Page, label: string) => languages(page).selectOption({ label })

/** Sign-ins of earlier tests come from the same address. */
test.beforeEach(({ app }) => app.advance(61))

const stored = (page: Page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))

test('what is typed to sign in stays in another language, with its errors in that language, and is stored nowhere', async ({
  page,
}) => {
  await page.goto('/login')
  await field(page, 'Username').fill('ana_prism')
  await page.getByRole('checkbox', { name: 'Remember me' }).check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Password is required')).toBeVisible()
  await chooseLanguage(page, 'Português')
  await expect(heading(page, 'Entrar')).toBeVisible()
  await expect(page).toHaveTitle(/^Entrar/)
  await expect(page.getByText('A senha é obrigatória')).toBeVisible()
  await expect(field(page, 'Nome de usuário')).toHaveValue('ana_prism')
  await expect(page.getByRole('checkbox')).toBeChecked()
  await field(page, 'Senha').fill('Typed-secret-4711')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'inválid' })).toBeVisible()
  await languages(page).focus()
  await chooseLanguage(page, 'English')
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid' })).toBeVisible()
  await expect(languages(page)).toBeFocused()
  await expect(field(page, 'Password')).toHaveValue('Typed-secret-4711')
  expect(await stored(page)).not.toMatch(/ana_prism|Typed-secret/)
})

test('what is typed to register stays in another language', async ({ page }) => {
  await page.goto('/register')
  const typed = {
    Username: 'ana_prism',
    Email: 'ana@example.com',
    'Display name': 'Ana',
    Password: 'Typed-secret-4711',
  }
  for (const [label, text] of Object.entries(typed)) await field(page, label).fill(text)
  await field(page, 'Confirm password').fill('Other-secret-4711')
  await page.getByRole('checkbox', { name: /terms/ }).check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await chooseLanguage(page, 'Español')
  await expect(heading(page, 'Crear cuenta')).toBeVisible()
  await expect(page.getByText('Las contraseñas no coinciden')).toBeVisible()
  const texts = {
    'Nombre de usuario': 'ana_prism',
    Contraseña: typed.Password,
    'Confirmar contraseña': 'Other-secret-4711',
  }
  for (const [label, text] of Object.entries(texts)) await expect(field(page, label)).toHaveValue(text)
  await expect(page.locator('input[name=email]')).toHaveValue(typed.Email)
  await expect(page.locator('input[name=displayName]')).toHaveValue(typed['Display name'])
  await expect(page.getByRole('checkbox')).toBeChecked()
  expect(await stored(page)).not.toMatch(/ana_prism|ana@example|Typed-secret|Other-secret/)
})

test('what is typed to ask for a new password and to set it stays in another language', async ({ page }) => {
  await page.goto('/login?dialog=forgot-password')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).fill('ana@example.com')
  await chooseLanguage(page, 'Português')
  await expect(page.getByRole('dialog', { name: 'Esqueci a senha' })).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue('ana@example.com')

  for (const path of ['/reset-password#token', '/reset-user-password#token']) {
    await page.goto(path)
    await field(page, 'Nova senha').fill('Typed-secret-4711')
    await field(page, 'Confirmar nova senha').fill('Typed-secret')
    await chooseLanguage(page, 'English')
    await expect(heading(page, 'New password')).toBeVisible()
    await expect(field(page, 'New password')).toHaveValue('Typed-secret-4711')
    await expect(field(page, 'Confirm new password')).toHaveValue('Typed-secret')
    expect(await stored(page)).not.toContain('Typed-secret')
    await chooseLanguage(page, 'Português')
    await expect(heading(page, 'Nova senha')).toBeVisible()
  }
})

test('the second step of a sign-in stays in another language, with what was typed of the code', async ({
  app,
  page,
  owner,
}) => {
  await setPlatform(app, 'security', { enable2FA: true })
  await turnOnTwoFactor(app, owner)
  await page.context().clearCookies()
  await page.goto('/login')
  await field(page, 'Username').fill(owner.username)
  await field(page, 'Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await field(page, 'Two-factor code').fill('123')
  await chooseLanguage(page, 'Español')
  await expect(heading(page, 'Autenticación de dos factores')).toBeVisible()
  await expect(page.locator('form').getByRole('textbox')).toHaveValue('123')
})
