import { Program } from '#testing/program.ts'
import { expect } from './fixtures.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })
test.beforeEach(({ app }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
})

test('logs and everything about them are in Portuguese', async ({ app, page, owner, reader }) => {
  const program = await Program.of(app, owner)
  await program.init()
  await program.send('log', { message: 'written-by-the-program' })
  await program.license('no-such-key')
  const { logs } = (await owner.visitor.call('GET /logs')).body
  for (const { message, credential, session, device, ip } of logs) {
    for (const text of [message, credential, session, device, ip]) reader.data.add(text)
  }
  await page.goto('/logs')
  await expect(page.locator('tbody tr')).toHaveCount(3)
  await reader.openMenus(3)
  for (const row of (await page.locator('tbody tr').all()).toReversed()) await row.click()
  await reader.settled()
  const row = logs[0]?.id
  for (const address of ['export', 'retention', 'delete-all', `delete&row=${row}`]) {
    await reader.openDialog(`/logs?dialog=${address}`)
  }
  await reader.openDialog(`/logs?dialog=delete&row=${row}`)
  await reader.submit()
  await reader.shows('Log deleted successfully')
})
