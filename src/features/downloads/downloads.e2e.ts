import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { ClamdServer, eicar } from '#testing/servers/clamd-server.ts'
import { newLicenses, setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { withoutTable } from '#testing/faults/without-table.ts'
import { downloadCounts } from './download-counts.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const choose = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const card = (page: Page, label: string) => page.getByRole('listitem').filter({ hasText: label })
const upload = async (
  owner: SignedInOwner,
  name: string,
  body = {},
  bytes: Buffer<ArrayBuffer> = Buffer.from('bytes'),
) =>
  (await owner.visitor.call('POST /downloads/upload', { body: { name, ...body }, file: new File([bytes], name) })).body
    .download.downloadId
const files = async (owner: SignedInOwner) => (await owner.visitor.call('GET /downloads')).body.downloads

test('a file uploads as soon as it is selected, and Complete saves edits made meanwhile', async ({
  app,
  page,
  owner,
}) => {
  await page.goto('/downloads')
  await expect(page.getByText('No files yet')).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Upload File' }).first().click()
  await expect(dialog(page).getByText(/Maximum file size:/)).toBeVisible()
  await dialog(page).getByLabel('Name').press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText('Please select a file')
  const buffer = randomBytes(200_000)
  await dialog(page)
    .getByLabel(/Choose a file/)
    .setInputFiles({ name: 'setup.exe', mimeType: 'application/octet-stream', buffer })
  await expect(dialog(page).getByRole('progressbar')).toHaveJSProperty('value', 100)
  await expect(dialog(page).getByLabel('Name')).toHaveValue('setup.exe')
  await expect(dialog(page).getByText(createHash('sha256').update(buffer).digest('hex'))).toBeVisible()
  await expect(dialog(page).getByText('Matches your file')).toBeVisible()
  await dialog(page).getByLabel('Description').fill('The installer')
  await dialog(page).getByLabel('Require Authentication').check()
  const [stored] = await files(owner)
  expect((await fetch(`${app.url}/api/1.0/download/${stored?.downloadId}`)).status).toBe(404)
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Complete' }).click()
  await expectToast(page, 'File uploaded successfully')
  await expect(row(page, 'setup.exe')).toContainText('The installer')
  await expect(row(page, 'setup.exe')).toContainText('200 KB')
  await expect(row(page, 'setup.exe')).toContainText('Required')
  await expect(card(page, 'Total Files')).toContainText('1')
  await expect(card(page, 'Storage (MB)')).toContainText('0.2')
  await expect(card(page, 'Auth Required')).toContainText('1')
  expect(await files(owner)).toMatchObject([{ name: 'setup.exe', description: 'The installer', authenticated: true }])
})

test("a file that is not as it should be isn't stored", async ({ page, owner }) => {
  await test.step("a file that is too large isn't sent, and a canceled one isn't stored", async () => {
    await page.goto('/downloads?dialog=create')
    const field = dialog(page).getByLabel(/Choose a file/)
    await field.setInputFiles({ name: 'large.bin', mimeType: 'x/y', buffer: Buffer.alloc(8_000_001) })
    await expect(dialog(page).getByRole('alert')).toHaveText('A file can have at most 8 MB')
    await field.setInputFiles({ name: 'small.exe', mimeType: 'x/y', buffer: randomBytes(100) })
    await expect(dialog(page).getByRole('progressbar')).toHaveJSProperty('value', 100)
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect.poll(() => files(owner)).toEqual([])
  })

  await test.step('a stored file that differs from the chosen one is deleted, and the chosen one can be sent again', async () => {
    await page.goto('/downloads?dialog=create')
    // The browser read other bytes than the server has received.
    await page.evaluate(() => {
      const digest = crypto.subtle.digest.bind(crypto.subtle)
      crypto.subtle.digest = async () => {
        crypto.subtle.digest = digest
        return new ArrayBuffer(32)
      }
    })
    const file = { name: 'setup.exe', mimeType: 'x/y', buffer: randomBytes(100) }
    await dialog(page)
      .getByLabel(/Choose a file/)
      .setInputFiles(file)
    await expect(dialog(page).getByRole('alert')).toHaveText('The stored file differed from yours and was deleted')
    expect(await files(owner)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Upload again' }).click()
    await expect(dialog(page).getByText('Matches your file')).toBeVisible()
    expect(await files(owner)).toMatchObject([{ fileName: 'setup.exe', fileSize: 100 }])
  })
})

test('an upload shows its bytes, speed and time left, can be stopped, and a pasted or dropped file is sent like a chosen one', async ({
  page,
  owner,
}) => {
  await page.goto('/downloads?dialog=create')
  const network = await page.context().newCDPSession(page)
  const limitUpload = (bytesPerSecond: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    })
  await limitUpload(200_000)
  const field = dialog(page).getByLabel(/Choose a file/)
  await field.setInputFiles({ name: 'slow.bin', mimeType: 'x/y', buffer: randomBytes(4_000_000) })
  await expect(dialog(page).getByText(/^[\d.]+ [KM]B of 4 MB$/)).toBeVisible()
  await expect(dialog(page).getByText(/^\d+(\.\d)? KB\/s$/)).toBeVisible()
  await expect(dialog(page).getByText(/^\d+ seconds left$/)).toBeVisible()
  await expect(page.getByText(/^(25|50|75) % uploaded$/)).toBeAttached()
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Cancel upload' }).click()
  await expect(field).toBeAttached()
  await expect.poll(() => files(owner)).toEqual([])
  await limitUpload(-1)

  const give = (type: 'paste' | 'drop', names: string[]) =>
    dialog(page)
      .getByLabel('Description')
      .evaluate(
        (target, [event, all]) => {
          const data = new DataTransfer()
          for (const name of all) data.items.add(new File(['bytes'], name))
          const init = { bubbles: true, cancelable: true }
          target.dispatchEvent(
            event === 'paste'
              ? new ClipboardEvent('paste', { ...init, clipboardData: data })
              : new DragEvent('drop', { ...init, dataTransfer: data }),
          )
        },
        [type, names] as const,
      )
  await give('drop', ['one.bin', 'two.bin'])
  await expect(dialog(page).getByRole('alert')).toHaveText('Choose one file at a time')
  await give('drop', ['dropped.bin'])
  await expect(dialog(page).getByRole('progressbar')).toHaveJSProperty('value', 100)
  await expect.poll(() => files(owner)).toMatchObject([{ fileName: 'dropped.bin' }])
  await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Upload File' }).first().click()
  await expect(field).toBeAttached()
  await give('paste', ['pasted.bin'])
  await expect(dialog(page).getByRole('progressbar')).toHaveJSProperty('value', 100)
  await expect.poll(() => files(owner)).toMatchObject([{ fileName: 'pasted.bin' }])
})

test('an upload whose dialog was lost says so, and can be completed or deleted in the list', async ({
  page,
  owner,
}) => {
  for (const name of ['kept.exe', 'dropped.exe']) await upload(owner, name, { complete: false })
  await page.goto('/downloads')
  await expect(row(page, 'kept.exe')).toContainText('Not completed')
  await expect(row(page, 'dropped.exe')).toContainText('Not completed')
  await choose(page, 'kept.exe', 'Complete upload')
  await expectToast(page, 'File uploaded successfully')
  await expect(row(page, 'kept.exe')).toContainText('Active')
  await choose(page, 'dropped.exe', 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Download deleted successfully')
  expect(await files(owner)).toMatchObject([{ name: 'kept.exe', completed: true }])
})

test('shows storage against the plan, and limits before a form opens, with a link to other plans', async ({
  app,
  page,
  owner,
}) => {
  await setPlan(app, owner.id, 'Free')
  await upload(owner, 'large.bin', {}, Buffer.alloc(1_900_000))
  await page.goto('/downloads')
  await expect(card(page, 'Storage (MB)')).toContainText('1.9 MB of 2 MB across all apps')
  await page.goto('/create-app')
  await expect(page.getByText('Your Free plan: 1 of 1 apps used.')).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Compare plans' }).click()
  await expect(dialog(page).getByRole('radio', { name: 'Developer' })).toBeVisible()
})

test('a program downloads a file, and the owner sees the country it came from', async ({ app, page, owner }) => {
  const id = await upload(owner, 'update.bin', { authenticated: true })
  const program = await Program.of(app, owner)
  await program.init()
  await program.license((await newLicenses(owner, 1))[0] ?? '')
  const { body } = await program.send('download', { id })
  expect(await (await fetch(app.url + String(body['url']))).text()).toBe('bytes')
  expect((await fetch(`${app.url}/api/1.0/download/${id}`)).status).toBe(401)
  await downloadCounts(app.services).flush()
  await page.goto('/downloads')
  await expect(card(page, 'Total Downloads')).toContainText('1')
  await choose(page, 'update.bin', 'Statistics')
  await expect(dialog(page)).toContainText('The server has no country data, so countries are unknown.')
  await expect(dialog(page).getByRole('listitem').filter({ hasText: 'Authenticated' })).toContainText('1')
  await expect(dialog(page).getByRole('row').filter({ hasText: 'Unknown' })).toContainText('1')
  await expectNoAxeViolations(page)
})

test('a link can be copied and shown; a file can be disabled, enabled, edited, and deleted', async ({
  app,
  page,
  context,
  owner,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await upload(owner, 'tool.zip')
  await page.goto('/downloads')
  await expect(row(page, 'tool.zip').getByText('Public', { exact: true })).toBeVisible()
  await expect(card(page, 'Public')).toContainText('1')
  await choose(page, 'tool.zip', 'Copy link')
  await expect(dialog(page).getByLabel('Link')).toHaveValue(new RegExp(`/api/1\\.0/download/${id}$`))
  await expect(dialog(page).getByRole('heading', { name: 'Link copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(id)
  await dialog(page).getByRole('button', { name: 'Done' }).click()

  // A browser that refuses both ways to copy.
  await page.evaluate(() => {
    document.execCommand = () => false
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
  })
  await choose(page, 'tool.zip', 'Copy link')
  await expectToast(page, 'Failed to copy to clipboard')
  await expect(dialog(page).getByRole('heading', { name: 'Download link' })).toBeVisible()
  await expect(dialog(page).getByText('Link copied')).toBeHidden()
  await dialog(page).getByRole('button', { name: 'Done' }).click()

  const status = async () => (await fetch(`${app.url}/api/1.0/download/${id}`)).status
  await choose(page, 'tool.zip', 'Disable')
  await dialog(page).getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, 'Download disabled successfully')
  await expect(row(page, 'tool.zip')).toContainText('Inactive')
  expect(await status()).toBe(404)
  await choose(page, 'tool.zip', 'Enable')
  await dialog(page).getByRole('button', { name: 'Enable' }).click()
  await expectToast(page, 'Download enabled successfully')
  expect(await status()).toBe(200)

  await choose(page, 'tool.zip', 'Edit')
  await dialog(page).getByLabel('Name').fill('Tool')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Download updated successfully')
  await choose(page, 'Tool', 'Delete')
  await expect(dialog(page)).toContainText('You can restore the file for 30 days.')
  await expect(dialog(page)).not.toContainText('deleted for good')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Download deleted successfully')
  expect(await files(owner)).toEqual([])
  expect(await status()).toBe(404)
  await page
    .locator('[data-print=no] > [role=status] > *')
    .filter({ hasText: 'Download deleted successfully' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expectToast(page, 'Restored 1 item')
  await expect(row(page, 'Tool')).toBeVisible()
  expect(await status()).toBe(200)
})

test('an upload requires a name and time to finish, and failures of an upload or a file are reported', async ({
  app,
  page,
  owner,
  connection,
}) => {
  await upload(owner, 'tool.zip')
  await page.goto(`${connection.url}/downloads`)
  await page.getByRole('button', { name: 'Upload File' }).first().click()
  const file = { name: 'setup.exe', mimeType: 'x/y', buffer: randomBytes(100) }
  const input = dialog(page).getByLabel(/Choose a file/)
  const complete = dialog(page).getByRole('button', { name: 'Complete' })
  const alert = dialog(page).getByRole('alert')
  await withoutTable(app.db, 'audit', async () => {
    await input.setInputFiles(file)
    await expect(alert).toHaveText('Failed to upload file')
  })
  connection.stall()
  await dialog(page).getByRole('button', { name: 'Upload again' }).click()
  await expect(dialog(page).getByRole('progressbar')).toBeVisible()
  await dialog(page).getByLabel('Name').press('Enter')
  await expect(alert).toHaveText('Please wait for the upload to complete')
  await connection.restore()
  await expect(dialog(page).getByRole('progressbar')).toHaveJSProperty('value', 100)
  await dialog(page).getByLabel('Name').fill(' ')
  await complete.click()
  await expect(dialog(page).getByText('Please enter a name', { exact: true })).toBeVisible()
  await dialog(page).getByLabel('Name').fill('Setup')
  await withoutTable(app.db, 'audit', async () => {
    await complete.click()
    await expect(alert).toHaveText('Upload failed')
  })
  await complete.click()
  await expectToast(page, 'File uploaded successfully')

  const disable = dialog(page).getByRole('button', { name: 'Disable' })
  await expectFailures(app, page, [
    { says: 'Failed to delete download', open: () => choose(page, 'tool.zip', 'Delete'), press: 'Delete' },
    { says: 'Failed to toggle download status', open: () => choose(page, 'tool.zip', 'Disable'), press: disable },
  ])
  await withoutTable(app.db, 'download_events', async () => {
    await choose(page, 'tool.zip', 'Statistics')
    await expect(alert).toContainText('Failed to load statistics')
  })
  await alert.getByRole('button', { name: 'Retry' }).click()
  await expect(alert).toBeHidden()
})

test("a file waiting for the virus scan says so, and an infected one says why it isn't stored", async ({
  app,
  page,
  owner,
}) => {
  const clamd = await ClamdServer.start()
  const { config } = app.services
  try {
    const [host = '', port = ''] = clamd.address.split(':')
    config.clamd = { host, port: Number(port) }
    clamd.mode = 'away'
    await upload(owner, 'waiting.exe')
    await page.goto('/downloads')
    await expect(row(page, 'waiting.exe')).toContainText('Being checked')
    await expectNoAxeViolations(page)
    clamd.mode = 'scans'
    await page.getByRole('button', { name: 'Upload File' }).first().click()
    const file = { name: 'bad.exe', mimeType: 'application/octet-stream', buffer: Buffer.from(eicar) }
    await dialog(page)
      .getByLabel(/Choose a file/)
      .setInputFiles(file)
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'This file is not stored: the virus scan found Eicar-Test-Signature in it',
    )
    expect((await files(owner)).map(({ name }) => name)).toEqual(['waiting.exe'])
    app.advance(61)
    await app.jobsDone()
    await page.goto('/downloads')
    await expect(row(page, 'waiting.exe')).toContainText('Active')
  } finally {
    config.clamd = undefined
    await clamd.close()
  }
})
