import { manyUsers, newSubscriber, newUser } from '#testing/people/end-users.ts'
import { pt } from './catalog.ts'
import { expect } from './fixtures.ts'
import { day } from './license-screen.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })
test('users of every state, what is done with them and what is rejected are told in Portuguese', async ({
  app,
  page,
  owner,
  reader,
}) => {
  const names = ['ana', 'bruno', 'carla', 'diego', 'elena']
  for (const name of names) reader.data.add(name)
  for (const [at, name] of names.entries()) {
    const days = [30, null, 400, 1][at]
    await (days === undefined
      ? newUser(owner, name, { email: 'elena@example.com' })
      : newSubscriber(owner, { username: name, days }))
  }
  reader.data.add('elena@example.com')
  await manyUsers(app, owner, { prefix: 'late', amount: 2, expiresAt: app.now() - 5 * day })
  for (const name of ['late-0', 'late-1', 'nova']) reader.data.add(name)
  await app.db.write(({ db }) =>
    db
      .updateTable('users')
      .set({ hwid_hash: Buffer.alloc(32), last_login_at: app.now() - 7200 } as never)
      .where('username', '=', 'ana')
      .execute(),
  )
  await owner.visitor.call('POST /toggle_ban_user', { body: { username: 'bruno', banned: true } })
  await owner.visitor.call('POST /toggle_pause_user', { body: { username: 'carla', paused: true } })

  await page.goto('/users?limit=50')
  await expect(page.locator('tbody tr')).not.toHaveCount(0)
  await reader.settled()
  await reader.openMenus(7)
  for (const name of ['ana', 'bruno', 'carla', 'elena']) {
    for (const dialog of ['edit', 'ban', 'pause', 'reset-hwid', 'delete']) {
      await reader.openDialog(`/users?limit=50&dialog=${dialog}&row=${name}`)
    }
  }
  for (const name of ['delete-expired', 'reset-all-hwid', 'unban-all', 'delete-all']) {
    await reader.openDialog(`/users?limit=50&dialog=${name}`)
    await reader.submit()
    await expect(page.getByText(pt('Counting…'))).toHaveCount(0)
    await page.keyboard.press('Escape')
  }
  await reader.openDialog('/users?limit=50&dialog=export')
  await reader.openDialog('/users?limit=50&dialog=create')
  await reader.submit()
  await reader.shows('Username is required')
  await reader.field('Username').fill('ana')
  await reader.field('Password').fill('short')
  await reader.submit()
  await reader.field('Password').fill('Password-of-user')
  await reader.submit()
  await expect(reader.dialog.getByRole('alert').or(reader.dialog.locator('[aria-invalid=true]')).first()).toBeVisible()
  await reader.field('Username').fill('nova')
  await reader.confirm()

  const selectAll = page.getByRole('checkbox', { name: pt('Select all rows on this page') })
  const selectionActions = [
    'extend',
    'subtract',
    'ban-selected',
    'unban-selected',
    'pause-selected',
    'unpause-selected',
    'reset-selected',
    'delete-selected',
  ]
  for (const name of selectionActions) {
    await reader.go('/users?limit=50')
    await selectAll.check()
    await reader.openDialog(`/users?limit=50&dialog=${name}`)
    await expect(page.getByText(pt('Counting…'))).toHaveCount(0)
    // No machine is bound any longer.
    if (name !== 'reset-selected') await reader.confirm()
  }
  await reader.shows('No users found yet.')
})

test('the details of a user and actions on one are told in Portuguese', async ({ page, owner, reader }) => {
  for (const name of ['ana', 'cor', 'azul']) reader.data.add(name)
  await newSubscriber(owner, { username: 'ana', days: 1 })
  await page.goto('/users')
  await reader.button('Details of {name}', 'ana').click()
  await reader.settled()
  await page.getByLabel(pt('Variable name'), { exact: true }).fill('cor')
  const add = page.getByRole('button', { name: pt('Add'), exact: true })
  await add.last().click()
  await page.getByLabel(pt('Variable data'), { exact: true }).fill('azul')
  await add.last().click()
  await reader.button('Delete {name}', 'cor').click()
  await reader.settled()
  await reader.button('Remove {name} from {username}', 'Basic', 'ana').click()
  await reader.shows('No active subscriptions found.')
  await page.getByLabel(pt('Add subscription'), { exact: true }).selectOption('1')
  await add.first().click()
  await reader.settled()
  for (const dialog of ['ban', 'ban', 'pause', 'pause', 'delete']) {
    await reader.openDialog(`/users?dialog=${dialog}&row=ana`)
    await reader.confirm()
  }
  await reader.shows('No users found yet.')
})
