import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

/** An upload whose dialog is closed before it is complete. */

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const files = async (owner: SignedInOwner) => (await owner.visitor.call('GET /downloads')).body.downloads

test('an upload is closed by accident only after a question, and discarding it deletes the file', async ({
  page,
  owner,
}) => {
  const form = page.getByRole('dialog', { name: 'Upload File' })
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  const fill = async () => {
    await page.getByRole('button', { name: 'Upload File' }).first().click()
    await form.getByLabel(/Choose a file/).setInputFiles({ name: 'tool.exe', mimeType: 'x/y', buffer: randomBytes(9) })
    await expect(form.getByRole('progressbar')).toHaveJSProperty('value', 100)
    await form.getByLabel('Description').fill('The tool')
  }
  await page.goto('/downloads')
  await fill()
  await page.goBack()
  await expect(question).toContainText('The uploaded file is deleted.')
  await expectNoAxeViolations(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(form.getByLabel('Description')).toHaveValue('The tool')
  expect(await files(owner)).toHaveLength(1)
  await page.goBack()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(form).toBeHidden()
  await expect.poll(() => files(owner)).toEqual([])

  await fill()
  await form.getByRole('button', { name: 'Complete' }).click()
  await expectToast(page, 'File uploaded successfully')
  await expect(row(page, 'tool.exe')).toContainText('The tool')
  await page.goBack()
  await page.goto('/downloads')
  await expect(row(page, 'tool.exe')).toContainText('Active')
})

test('Back while “Complete” is being sent deletes nothing: the form closes once the file is complete, and stays if that fails', async ({
  app,
  page,
  owner,
}) => {
  const form = page.getByRole('dialog', { name: 'Upload File' })
  const isComplete = (url: URL) => url.pathname.includes('/downloads/file/')
  const deletions: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && deletions.push(request.url()))
  const goBackFrom = async (name: string) => {
    await page.getByRole('button', { name: 'Upload File' }).first().click()
    await form.getByLabel(/Choose a file/).setInputFiles({ name, mimeType: 'x/y', buffer: randomBytes(9) })
    await expect(form.getByRole('progressbar')).toHaveJSProperty('value', 100)
    const held = Promise.withResolvers<void>()
    await page.route(isComplete, (route) => held.promise.then(() => route.continue()), { times: 1 })
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await form.getByRole('button', { name: 'Complete' }).click()
    await sent
    await page.goBack()
    await expect(page).toHaveURL(/dialog=/)
    await expect(page.getByRole('dialog')).toHaveCount(1)
    return held.resolve
  }
  await page.goto('/downloads')
  const arrive = await goBackFrom('kept.exe')
  arrive()
  await expectToast(page, 'File uploaded successfully')
  await expect(form).toHaveCount(0)
  await expect(row(page, 'kept.exe')).toContainText('Active')

  const fail = await goBackFrom('half.exe')
  await withoutTable(app.db, 'audit', async () => {
    fail()
    await expect(form.getByText('Upload failed')).toBeVisible()
  })
  expect((await files(owner)).map(({ name }) => name).toSorted()).toEqual(['half.exe', 'kept.exe'])
  await form.getByRole('button', { name: 'Complete' }).click()
  await expectToast(page, 'File uploaded successfully')
  await expect(row(page, 'half.exe')).toContainText('Active')
  expect(deletions).toEqual([])
})

for (const name of ['Cancel upload', 'Cancel'])
  test(`“${name}” when the server has just stored the file deletes it`, async ({ page, owner }) => {
    const isEnded = Promise.withResolvers<void>()
    // What the page loads before it takes the reply.
    await page.route(/code-texts/, (route) => isEnded.promise.then(() => route.continue()))
    await page.goto('/downloads')
    await page.getByRole('button', { name: 'Upload File' }).first().click()
    const file = { name: 'setup.exe', mimeType: 'x/y', buffer: randomBytes(100) }
    await dialog(page)
      .getByLabel(/Choose a file/)
      .setInputFiles(file)
    await expect.poll(async () => (await files(owner)).length).toBe(1)
    await dialog(page).getByRole('button', { name, exact: true }).click()
    isEnded.resolve()
    await expect.poll(async () => (await files(owner)).length).toBe(0)
  })
