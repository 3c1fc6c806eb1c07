import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { Program } from '#testing/people/program.ts'
import { pt } from './catalog.ts'
import { expect } from './fixtures.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })

test('alerts, their evidence and their settings are in Portuguese', async ({ app, page, owner, reader }) => {
  for (const username of ['ada', 'ben', 'cyd']) {
    await signedIn(app, owner, await newSubscriber(owner, { username }))
    reader.data.add(username)
  }
  await owner.visitor.call('POST /alerts/run-detection', { body: {} })
  const { alertId, details } = (await owner.visitor.call('GET /alerts')).body.data[0] ?? {}
  for (const text of ['HWID_MULTI_KEY', '127.0.0.1', 'login', alertId, details?.hwid.slice(0, 12)]) {
    reader.data.add(text ?? '')
  }
  // The accessible name of a row.
  reader.data.add(`${pt('Many keys on one machine')} ${details?.key}`)
  await page.goto('/alerts')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await reader.openMenus()
  await page.locator('tbody tr td').nth(3).click()
  await reader.button('Latest activity of {user}', 'ada').click()
  await reader.settled()
  await reader.openDialog('/alerts?dialog=thresholds')
  await reader.field('Threshold').fill('0')
  await reader.submit()
  await reader.go('/alerts')
  await page
    .getByRole('button', { name: pt('Dismiss', 'alert'), exact: true })
    .first()
    .click()
  await reader.shows('Alert dismissed')
  await reader.button('Undo').click()
  await reader.shows('Alert reopened')
})

test('alerts and log entries can be searched by their displayed words, with or without accents', async ({
  app,
  page,
  owner,
  reader,
}) => {
  for (const username of ['ada', 'ben', 'cyd']) await signedIn(app, owner, await newSubscriber(owner, { username }))
  const program = await Program.of(app, owner)
  await program.init()
  await program.license('NO-SUCH-KEY')
  await owner.visitor.call('POST /alerts/run-detection', { body: {} })
  for (const text of ['HWID_MULTI_KEY', '127.0.0.1', 'ada', 'ben', 'cyd', 'NO-SUCH-KEY']) reader.data.add(text)
  const title = pt('Many keys on one machine')
  const { hwid = '', key = '' } = (await owner.visitor.call('GET /alerts')).body.data[0]?.details ?? {}
  for (const text of [hwid, hwid.slice(0, 12), `${title} ${key}`]) reader.data.add(text)
  const rows = page.locator('tbody tr[data-row]')
  const find = async (words: string) => {
    // Printed above the table.
    reader.data.add(words)
    await page.getByRole('searchbox').fill(words)
    await expect(page).toHaveURL(new RegExp(`q=${encodeURIComponent(words).split('%')[0]}`))
    await reader.settled()
  }
  const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')

  await page.goto('/alerts')
  await expect(rows).toHaveCount(1)
  for (const words of [title, plain(title).toUpperCase()]) {
    await find(words)
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(title)
  }
  await find(pt('Rapid IP changes'))
  await expect(rows).toHaveCount(0)

  await page.goto('/logs')
  const rejected = pt('License not found')
  const entered = pt('Signed in', 'event')
  for (const [words, shown, count] of [
    [plain(rejected), rejected, 1],
    [entered, entered, 3],
  ] as const) {
    await find(words)
    await expect(rows).toHaveCount(count)
    await expect(rows.first()).toContainText(shown)
  }
})
