import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import { pt } from './catalog.ts'
import { expect } from './fixtures.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR', permissions: ['clipboard-read', 'clipboard-write'] })
test('an owner’s resellers, what is done with them and what is rejected are told in Portuguese', async ({
  app,
  page,
  owner,
  reader,
}) => {
  await page.goto('/manage-resellers')
  await reader.shows('No resellers found yet.')
  const seller = await newSellingReseller(app, {}, owner)
  const { username } = await newReseller(app, owner)
  for (const text of [seller.username, `${seller.username}@example.com`, username]) reader.data.add(text)
  await seller.sell()
  await page.reload()
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await reader.openMenus(2)

  await reader.openDialog('/manage-resellers?dialog=create')
  await reader.submit()
  const made = `nova_${seller.username}`
  reader.data.add(made)
  await reader.field('Username').fill(made)
  await reader.submit()
  await expect(reader.field('Setup link')).toBeVisible()
  reader.data.add(await reader.field('Setup link').inputValue())
  await reader.button('Done').click()

  await reader.openDialog(`/manage-resellers?dialog=setup-link&row=${username}`)
  await reader.openDialog(`/manage-resellers?dialog=delete&row=${seller.username}`)
  await reader.dialog.getByRole('checkbox').check()
  await reader.submit()
  await reader.openDialog(`/manage-resellers?dialog=credits&row=${seller.username}`)
  await reader.submit()
  await reader.button('History').click()
  await expect(reader.dialog.getByRole('list', { name: pt('Transaction history') })).toBeVisible()
  await reader.dialog.getByRole('spinbutton').fill('5')
  await reader.confirm()
  await reader.go('/manage-resellers?q=nobody+like+it')
  reader.data.add('nobody like it')
})

test('a reseller’s apps, plans, levels, domain and history are told in Portuguese', async ({
  app,
  page,
  owner,
  reader,
}) => {
  const seller = await newSellingReseller(app, {}, owner)
  const { username } = await newReseller(app, owner)
  for (const text of [
    seller.username,
    `${seller.username}@example.com`,
    username,
    'CNAME',
    'TXT',
    'S',
    'keys.example.com',
  ])
    reader.data.add(text)
  await page.goto(`/resellers/${username}`)
  await reader.shows('No apps assigned yet.')
  await reader.openMenus()
  await reader.openDialog(`/resellers/${username}?dialog=assign-app`)
  await reader.submit()

  await reader.go(`/resellers/${seller.username}`)
  await reader.shows('Allowed plans')
  await reader.button('Add {name} to {appName}', '1 dia', owner.appName).click()
  await page.keyboard.press('Enter')
  await reader.shows('Enter a whole number of credits')
  await page.keyboard.type('4')
  await page.keyboard.press('Enter')
  await reader.shows('Saved')
  await reader.button('Remove {name}', '7 dias').click()
  await reader.settled()
  await reader.openDialog(`/resellers/${seller.username}?dialog=custom-plan&row=x`)
  await reader.submit()
  await reader.dialog.getByRole('spinbutton').fill('2')
  await reader.confirm()
  await reader.openDialog(`/resellers/${seller.username}?dialog=remove-app&row=${encodeURIComponent(owner.appName)}`)
  await reader.dialog.getByRole('checkbox').check()
  await reader.submit()

  await reader.go(`/resellers/${seller.username}`)
  await reader.button('Save domain').click()
  await reader.shows('Domain is required')
  const domain = 'chaves.example.com'
  for (const text of [domain, 'signet.test', `_signet.${domain}`]) reader.data.add(text)
  await page.getByLabel(pt('Domain'), { exact: true }).fill(domain)
  await reader.button('Save domain').click()
  await reader.shows('Not verified yet')
  const { body } = await owner.visitor.call('GET /resellers/{id}/domain', { params: { id: seller.id } })
  reader.data.add(body.domain?.record.value ?? '')
  await reader.button('Check now').click()
  await reader.settled()
  await reader.button('Credits of all apps').click()
  await reader.settled()
  await reader.button('Delete domain').click()
  await expect(reader.dialog).toBeVisible()
})
