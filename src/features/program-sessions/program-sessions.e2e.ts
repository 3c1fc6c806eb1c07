import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { setCountries } from '#testing/country-file.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { Program } from '#testing/people/program.ts'

const dialog = (page: Page) => page.getByRole('dialog')
// Machines and sessions have random letters, which may be those of a name.
const row = (page: Page, user: string) => page.getByRole('row').filter({ has: page.getByText(user, { exact: true }) })
const code = async (program: Program) => (await program.heartbeat()).body.code ?? 'OK'
const users = async ({ visitor }: SignedInOwner) =>
  (await visitor.call('GET /sessions')).body.sessions.map(({ verifiedUser }) => verifiedUser).toSorted()

test('sessions of running programs are listed, and end one by one, selected ("Deleted N sessions successfully"), or all once the app is named', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  setCountries(app, { '127.0.0.0/8': 'BR' })
  await page.goto('/sessions')
  await expect(page.getByText('No sessions yet')).toBeVisible()

  // The search also finds IDs of sessions, which consist of hexadecimal digits, so each name has another letter.
  const programs: Record<string, Program> = {}
  for (const username of ['ivy', 'ben', 'cyd', 'zoe']) {
    programs[username] = await signedIn(app, owner, await newSubscriber(owner, { username }))
  }
  await (await Program.of(app, owner)).init()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(row(page, 'ivy')).toContainText('Active')
  await expect(row(page, 'ivy')).toContainText('127.0.0.1')
  await expect(row(page, 'ivy')).toContainText('BR Brazil')
  const { sessions } = (await owner.visitor.call('GET /sessions', { query: { search: 'ivy' } })).body
  await expect(row(page, 'ivy').getByTitle(sessions[0]?.hwid ?? 'no machine')).toBeVisible()
  await expect(row(page, 'Not signed in')).toBeVisible()

  await page.getByRole('button', { name: 'Country' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Brazil 5' }).click()
  await expect(page).toHaveURL(/f\.country=BR/)
  await page.keyboard.press('Escape')
  const actionsOfIvy = row(page, 'ivy').getByRole('button', { name: /^Actions for ivy/ })
  await actionsOfIvy.click()
  await page.getByRole('menuitem', { name: 'Only this device' }).click()
  await expect(page).toHaveURL(/f\.hwid=/)
  await expect(row(page, 'Not signed in')).toBeHidden()
  await page.reload()
  await expect(row(page, 'zoe')).toBeVisible()
  await expect(row(page, 'Not signed in')).toBeHidden()
  await page.goto('/sessions')

  await actionsOfIvy.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('Delete the session of ivy?')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Session deleted successfully')
  await expect(row(page, 'ivy')).toBeHidden()
  expect(await code(programs['ivy'] as Program)).toBe('SESSION_ENDED')
  expect(await code(programs['ben'] as Program)).toBe('OK')

  for (const name of ['ben', 'cyd']) await row(page, name).getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Deleted 2 sessions successfully')
  expect(await users(owner)).toEqual([null, 'zoe'])

  await page.getByRole('searchbox').fill('zoe')
  await expect(row(page, 'Not signed in')).toBeHidden()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete all' }).click()
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Delete all' }).click()
  await expect(dialog(page).getByText('App name does not match')).toBeVisible()
  expect(await code(programs['zoe'] as Program)).toBe('OK')
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete all' }).click()
  await expectToast(page, 'All sessions deleted successfully')
  expect(await code(programs['zoe'] as Program)).toBe('SESSION_ENDED')
  expect(await users(owner)).toEqual([])
})

test('a session without a heartbeat is inactive, and expired once its time is over', async ({ app, page, owner }) => {
  await signedIn(app, owner, await newSubscriber(owner, { username: 'ivy' }))
  await page.goto('/sessions')
  for (const [seconds, status] of [
    [0, 'Active'],
    [700, 'Inactive'],
    [3700, 'Expired'],
  ] as const) {
    // The page counts by the browser's clock.
    await page.clock.setFixedTime((app.now() + seconds) * 1000)
    await expect(row(page, 'ivy').getByText(status, { exact: true })).toBeVisible()
  }
})

test('the sidebar and the page count the active sessions alike, and follow when one turns inactive', async ({
  app,
  page,
  owner,
}) => {
  await signedIn(app, owner, await newSubscriber(owner, { username: 'ivy' }))
  const program = await Program.of(app, owner)
  await program.init()
  app.advance(590)
  await signedIn(app, owner, await newSubscriber(owner, { username: 'ben' }))
  const expectCounts = async (active: number, counts: string[]) => {
    await expect(page.getByRole('list', { name: 'Session counts' }).getByRole('listitem')).toHaveText(counts)
    await expect(page.getByText(`${active} active session${active === 1 ? '' : 's'}`)).toBeVisible()
    await expect(page.getByRole('link', { name: /^Sessions/ })).toContainText(`${active}`)
    await expect(page.getByRole('table').getByText('Active', { exact: true })).toHaveCount(active)
  }
  await page.clock.install({ time: app.now() * 1000 })
  await page.goto('/sessions')
  await expectCounts(3, ['All3', 'Active3', 'Inactive0', 'Expired0'])
  app.advance(60)
  await page.clock.runFor(61_000)
  await expectCounts(1, ['All3', 'Active1', 'Inactive2', 'Expired0'])

  await page.getByRole('button', { name: /^Inactive/ }).click()
  await expect(page).toHaveURL(/f\.status=inactive/)
  await expect(row(page, 'ben')).toBeHidden()
  await expect(row(page, 'ivy')).toBeVisible()
})

test('sessions that could not be deleted say so, and why when the server says it', async ({ app, page, owner }) => {
  for (const username of ['ivy', 'ben']) await signedIn(app, owner, await newSubscriber(owner, { username }))
  const remove = async () => {
    await page.getByRole('button', { name: /^Actions for ivy/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  const deleteSelected = async () => {
    await row(page, 'ben').getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  }
  const deleteAll = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete all' }).click()
    await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  }
  const endAll = () => owner.visitor.call('POST /sessions/bulk-delete', { body: { filter: {} } })
  await page.goto('/sessions')
  await expectFailures(app, page, [
    { says: 'Failed to delete session', open: remove, press: 'Delete' },
    { says: 'Failed to delete selected sessions', open: deleteSelected, press: 'Delete' },
    { says: 'Failed to delete all sessions', open: deleteAll, press: 'Delete all' },
    { says: 'Failed to delete session: Session not found', open: remove, press: 'Delete', meanwhile: endAll },
  ])
  await page.goto('/sessions?dialog=delete-selected')
  await expectToast(page, 'No sessions selected')
})

test('sessions are narrowed by start and last heartbeat, and sorted by their end, in the address', async ({
  app,
  page,
  owner,
}) => {
  for (const username of ['ivy', 'ben', 'cyd']) {
    await signedIn(app, owner, await newSubscriber(owner, { username }))
  }
  const { sessions } = (await owner.visitor.call('GET /sessions')).body
  const set = (user: string, times: { created_at?: number; last_heartbeat_at?: number; expires_at?: number }) =>
    app.db.write(({ db }) =>
      db
        .updateTable('client_sessions')
        .set(times)
        .where('handle', '=', sessions.find(({ verifiedUser }) => verifiedUser === user)?.session_id ?? '')
        .execute(),
    )
  const old = app.now() - 3 * 86_400
  await set('ben', { created_at: old, expires_at: app.now() + 90_000 })
  await set('cyd', { created_at: old, last_heartbeat_at: old, expires_at: app.now() + 60 })
  await page.goto('/sessions')
  const rows = page.locator('tr[data-row]')
  await expect(rows).toHaveCount(3)
  const chip = (name: string) => page.getByRole('button', { name, exact: true }).and(page.locator(':not(th *)'))
  await chip('Last Heartbeat').click()
  await page.getByRole('menuitemradio', { name: 'Last 24 hours' }).click()
  await expect(page).toHaveURL(/f\.seen=1/)
  await expect(rows).toHaveCount(2)
  await expect(row(page, 'cyd')).toHaveCount(0)
  await chip('Created').click()
  await page.getByRole('menuitemradio', { name: 'Last 24 hours' }).click()
  await expect(rows).toHaveCount(1)
  await expect(row(page, 'ivy')).toBeVisible()
  await page.reload()
  await expect(rows).toHaveCount(1)
  await page.goto('/sessions?f.created=30&f.seen=nothing')
  await expect(rows).toHaveCount(3)
  const end = page.getByRole('columnheader').getByRole('button', { name: 'Expires', exact: true })
  await end.click()
  await expect(page).toHaveURL(/sort=expires/)
  await expect(rows.first()).toContainText('cyd')
  await end.click()
  await expect(page).toHaveURL(/sort=-expires/)
  await expect(rows.first()).toContainText('ben')
})

test('a session ID is cut to its beginning, and whole in its tooltip and its copy', async ({
  app,
  page,
  context,
  owner,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await (await Program.of(app, owner)).init()
  const [session] = (await owner.visitor.call('GET /sessions')).body.sessions
  const id = session?.session_id ?? ''
  await page.goto('/sessions')
  const shown = page.getByTitle(id)
  await expect(shown).toHaveText(`${id.slice(0, 8)}…`)
  expect(await shown.evaluate((each) => each.scrollWidth <= each.parentElement!.clientWidth)).toBe(true)
  await page.getByRole('button', { name: 'Copy session ID' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id)
})
