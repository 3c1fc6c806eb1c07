import { assign, newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import { Program } from '#testing/people/program.ts'
import { pt } from './catalog.ts'
import { expect, signIn } from './fixtures.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })

test("a reseller's area is in Portuguese, from the set-up link to the history of credits", async ({
  app,
  page,
  owner,
  context,
  reader,
}) => {
  await context.clearCookies()
  const invited = await newReseller(app, owner)
  const reseller = await newSellingReseller(app, {}, owner)
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second app', version: '1.0.0' } })
  await assign(owner, { id: reseller.id, appName: 'Second app', credits: 0, planCosts: {} })
  for (const { username } of [invited, reseller])
    for (const name of [username, `${username}@example.com`, username.slice(0, 2).toUpperCase()]) reader.data.add(name)
  reader.data.add('Second app')

  await page.goto('/reseller/setup/no-such-link')
  await reader.shows('This setup link is no longer valid')
  await page.goto(`/reseller/setup/${invited.registrationToken}`)
  await page.getByRole('button', { name: pt('Complete Setup') }).click()
  await reader.shows('Email is required')
  await reader.settled()

  const { licenses } = (await reseller.sell({ amount: 3 })).body as unknown as { licenses: string[] }
  const [played = '', spare = ''] = licenses
  for (const key of licenses) reader.data.add(key)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(played)
  await signIn(context, app, reseller.visitor)
  const select = async (name: string) => {
    await page.getByRole('complementary').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click()
    await reader.settled()
  }
  await page.goto('/reseller/dashboard')
  await select('Second app')
  await reader.shows('Your administrator has not allowed any plan for this app yet.')
  for (const path of ['/reseller/licenses', '/reseller/users', '/reseller/credits']) await reader.go(path)
  await reader.go('/reseller/dashboard')
  await select(owner.appName)
  await reader.shows('Plan durations')
  await expect(page.getByRole('button', { name: 'Vender 30 dias' })).toBeVisible()

  await reader.go('/reseller/licenses')
  await expect(page.getByRole('row').filter({ hasText: spare })).toBeVisible()
  await reader.openMenus(2)
  await reader.openDialog('/reseller/licenses?dialog=create')
  await reader.field('Plan duration').selectOption('')
  await reader.submit()
  await reader.shows('Please select a plan duration')
  await reader.field('Plan duration').selectOption('30')
  await reader.field('Amount').fill('1000')
  await reader.shows('How to get more credits')
  await reader.field('Amount').fill('2')
  await reader.submit()
  const keys = await reader.dialog.getByRole('textbox', { name: pt('Created license keys') }).inputValue()
  for (const key of keys.split('\n')) reader.data.add(key)
  await reader.dialog.getByRole('button', { name: pt('OK') }).click()
  await reader.settled()
  await reader.openDialog(`/reseller/licenses?dialog=delete&row=${spare}`)
  await reader.confirm()

  await reader.go('/reseller/users')
  await expect(page.getByRole('row').filter({ hasText: played })).toBeVisible()
  await reader.openDialog(`/reseller/users?dialog=reset-hwid&row=${played}`)
  await reader.confirm()
  await reader.shows('Not set')
  await reader.go('/reseller/credits')
  await expect(page.getByRole('row')).toHaveCount(5)
  await reader.openMenus()

  await reader.go('/reseller/profile')
  await reader.shows('Your administrator can change the email address.')
  await reader.openDialog('/reseller/profile?dialog=password')
})
