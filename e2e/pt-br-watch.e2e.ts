import { eventStreams } from '#server/http/event-stream.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { pt } from './catalog.ts'
import { expect } from './fixtures.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })

test('the overview, its charts, tables and what stands in their place are in Portuguese', async ({
  app,
  page,
  owner,
  reader,
}) => {
  await page.goto('/overview')
  await reader.shows('No program has run yet')
  const [key = '', banned = ''] = await newLicenses(owner, 2, { expiryUnit: 'days', duration: 3 })
  reader.data.add(owner.appName)
  await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [banned] } })
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  await program.license(banned)
  await page.reload()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(pt('License banned'), { exact: true })).toBeVisible({ timeout: 2000 })
  }).toPass()
  for (const days of [1, 7, 30, 90]) await reader.go(`/overview?days=${days}`)
  await page.getByRole('slider').first().focus()
  await page.keyboard.press('ArrowLeft')
  const toTable = pt('View {title} as table').split('{title}')[1] ?? ''
  for (const button of await page.getByRole('button', { name: toTable }).all()) await button.click()
  await expect(page.getByRole('table')).toHaveCount(7)
  await reader.settled()
})

test('the way to the first program, its ban, and its rejection are in Portuguese', async ({
  app,
  page,
  owner,
  reader,
}) => {
  await page.goto('/connect')
  await reader.shows('Create a test key')
  await page.getByRole('button', { name: pt('Create test key') }).click()
  await expect(page.getByRole('button', { name: pt('Create another') })).toBeVisible()
  const key = (await owner.visitor.call('GET /licenses')).body.licenses[0]!.license
  for (const text of [owner.appName, key]) reader.data.add(text)
  await reader.shows('Waiting for the first program…')
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  await expect(page.getByText(pt('Your program is running.')).first()).toBeVisible({ timeout: 30_000 })
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  await expect(page.getByText(pt('The key is banned. Run the program again.')).first()).toBeVisible({ timeout: 30_000 })
  await program.init()
  await program.license(key)
  await expect(page.getByText(pt("That is what your customers' copies would see."))).toBeVisible({ timeout: 30_000 })
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  await expect(page.getByText(pt('The key works again.')).first()).toBeVisible({ timeout: 30_000 })
  await reader.settled()
})

test('why a program was rejected, before and after it was asked, is in Portuguese', async ({
  app,
  page,
  owner,
  reader,
}) => {
  await page.goto('/why')
  await reader.shows('Who was rejected?')
  const [banned = '', bound = ''] = await newLicenses(owner, 2)
  for (const text of [owner.appName, owner.username, banned, bound, 'nobody-knows-this']) reader.data.add(text)
  await reader.go('/why?q=nobody-knows-this')
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
  const program = await Program.of(app, owner)
  for (const [key, hwid] of [
    [banned, 'a-machine-of-the-test'],
    [bound, 'a-machine-of-the-test'],
    [bound, 'another-machine-of-the-test'],
  ] as const) {
    program.hwid = hwid
    await program.init()
    await program.license(key)
  }
  const { body } = await owner.visitor.call('GET /diagnosis', { query: { search: '127.0.0.1' } })
  for (const { device } of body.events) if (device !== '') reader.data.add(device)
  for (const search of [banned, bound, '127.0.0.1']) {
    reader.data.add(search)
    await reader.go(`/why?q=${search}`)
    await expect(page.getByRole('listitem').first()).toBeVisible()
    await reader.settled()
  }
})

test('the log that is followed live, and what it says meanwhile, is in Portuguese', async ({
  app,
  page,
  owner,
  reader,
}) => {
  const program = await Program.of(app, owner)
  await program.init()
  reader.data.add(owner.appName)
  for (const text of ['before', 'meanwhile']) reader.data.add(text)
  await program.send('log', { message: 'before' })
  await page.goto('/logs')
  await expect(reader.button('Live')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => eventStreams(app.services).size).toBe(2)
  await page.getByRole('row').last().hover()
  await program.send('log', { message: 'meanwhile' })
  await expect(page.getByRole('button', { name: '1 novo registro' })).toBeVisible()
  await reader.button('Live').click()
  await expect.poll(() => eventStreams(app.services).size).toBe(1)
})

test('files, their dialogs and menus are in Portuguese', async ({ page, owner, reader }) => {
  await page.goto('/downloads')
  await reader.settled()
  for (const text of [owner.appName, 'setup.exe', 'tools.zip', 'The installer']) reader.data.add(text)
  // Sizes and names of algorithms are the same in both languages.
  for (const same of ['9 B', '8 MB', 'SHA-256']) reader.data.add(same)
  const ids: string[] = []
  for (const [name, authenticated] of [
    ['setup.exe', true],
    ['tools.zip', false],
  ] as const) {
    const file = new File(['the bytes'], name)
    const body = { name, authenticated, description: 'The installer' }
    const answer = await owner.visitor.call('POST /downloads/upload', { body, file })
    ids.push(answer.body.download.downloadId)
    reader.data.add(answer.body.download.downloadId)
  }
  await page.goto('/downloads')
  await reader.openMenus(2)
  for (const dialog of [
    'create',
    ...['link', 'statistics', 'edit', 'toggle', 'delete'].map((name) => `${name}&row=${ids[0]}`),
  ]) {
    await reader.openDialog(`/downloads?dialog=${dialog}`)
    await reader.go('/downloads')
  }
})
