import { newUser } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { expect, expectNoAxeViolations, expectToast, test } from './fixtures.ts'

/** A reader whose browser asks for the Spanish of Mexico. */

test.use({ locale: 'es-MX' })

test('rejections, form errors, and success messages are in Spanish', async ({ page, owner }) => {
  await page.goto('/create-app')
  const html = page.locator('html')
  await expect(html).toHaveAttribute('lang', 'es-419')
  await expect(html).toHaveAttribute('dir', 'ltr')
  const create = page.getByRole('button', { name: 'Crear', exact: true })
  await create.click()
  await expect(page.getByText('El nombre de la app es obligatorio')).toBeVisible()
  const name = page.getByLabel('Nombre de la app', { exact: true })
  await name.fill(owner.appName)
  await create.click()
  await expect(page.getByText('Ya tienes una app con este nombre')).toBeVisible()
  await expectNoAxeViolations(page)

  await page.goto('/licenses?dialog=create')
  await page.getByRole('combobox', { name: 'Suscripción' }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Crear licencia', exact: true }).click()
  await page.getByRole('button', { name: 'Listo', exact: true }).click()
  await expectToast(page, '1 licencia creada correctamente')
})

test('dates and numbers have the Latin American format', async ({ page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1, { duration: 30 })
  await page.goto('/licenses')
  await expect(page.getByRole('row').filter({ hasText: key.slice(0, 4) })).toContainText('1 mes')
  await page.goto('/licenses?dialog=create')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: '1,000', exact: true })).toBeVisible()
  await expect(dialog).toContainText(/expira \d{1,2} [a-z]{3} \d{4}, \d{1,2}:\d\d [ap]\.\s?m\./)
})

test('a long state fits its column, where columns have least room', async ({ page, owner }) => {
  const username = await newUser(owner, 'bloqueada')
  await owner.visitor.call('POST /toggle_ban_user', { body: { username, banned: true } })
  await page.goto('/users')
  const cell = page.getByRole('cell').filter({ hasText: 'Bloqueado' })
  const roomLeft = async () => {
    await expect(cell).toBeVisible()
    return cell.evaluate((each) => {
      const end = each.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(each).paddingRight)
      return end - (each.querySelector('.badge')?.getBoundingClientRect().right ?? Infinity)
    })
  }
  for (const width of [1280, 1200, 1120, 1040, 960, 880, 800]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(roomLeft, `${width} px`).toBeGreaterThanOrEqual(0)
  }
})

test('a user who knows no word of it finds their language by its own name', async ({ page, context }) => {
  await context.clearCookies()
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Iniciar sesión', level: 1 })).toBeVisible()
  const language = page.getByRole('combobox', { name: 'Idioma' })
  await expect(language.getByRole('option')).toHaveText(['English', 'Português', 'Español'])
  await language.selectOption({ label: 'English' })
  await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
})
