import { newAlert } from '#testing/busy-app.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'

const ip = '2001:db8:85a3:1234:5678:8a2e:370:7334'

test('HWIDs and IP addresses in lists are copied whole by keyboard, and their button takes no width before', async ({
  app,
  context,
  page,
  owner,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const username = await newSubscriber(owner, { days: 10 })
  await signedIn(app, owner, username)
  const { body } = await owner.visitor.call('GET /users', { query: { search: username } })
  const hwid = body.users[0]?.hwid ?? ''
  expect(hwid.length).toBeGreaterThan(8)
  const user = await app.db.read.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
  const hash = String(user?.hwid_hash)
  await newAlert(app, owner, { ip, hwid_hash: hash })
  for (const [path, label, copied] of [
    ['/users', 'Copy HWID', hwid],
    ['/users', 'Copy IP address', '127.0.0.1'],
    ['/sessions', 'Copy HWID', hwid],
    ['/sessions', 'Copy IP address', '127.0.0.1'],
    ['/logs', 'Copy HWID', /^\S+$/],
    ['/alerts', 'Copy HWID', hash.slice(0, 16)],
    ['/alerts', 'Copy IP address', ip],
  ] as const) {
    await page.goto(path)
    const button = page.getByRole('row').getByRole('button', { name: label }).first()
    await expect.poll(async () => (await button.boundingBox())?.width).toBe(0)
    await button.focus()
    await expect.poll(async () => (await button.boundingBox())?.width).toBe(24)
    await page.keyboard.press('Enter')
    const read = () => page.evaluate(() => navigator.clipboard.readText())
    if (typeof copied === 'string') await expect.poll(read).toBe(copied)
    else await expect.poll(read).toMatch(copied)
    await page.evaluate(() => navigator.clipboard.writeText(''))
    // The buttons of all lists are the same, and every list is checked without the focus in it.
    if (path === '/users') await expectNoAxeViolations(page)
  }
})
