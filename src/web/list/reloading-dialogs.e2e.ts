import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newLicenses } from '#testing/people/people.ts'

/** What a person typed or is uploading stays while the list behind the dialog is read again, whatever comes of it. */

const dialog = (page: Page) => page.getByRole('dialog')
const name = (page: Page) => dialog(page).getByRole('textbox', { name: 'Name' })
const chooseFile = (page: Page) =>
  dialog(page)
    .getByLabel(/Choose a file/)
    .setInputFiles({ name: 'setup.exe', mimeType: 'x/y', buffer: randomBytes(100) })
const addFile = async ({ visitor }: SignedInOwner, file: string) =>
  (await visitor.call('POST /downloads/upload', { body: { name: file }, file: new File(['bytes'], file) })).body
    .download
const removeFile = ({ visitor }: SignedInOwner, id: string) =>
  visitor.call('DELETE /downloads/file/{name}', { params: { name: id }, body: {} })

test('an upload and its name stay when the list is asked again before its last answer was read to the end', async ({
  page,
  owner,
  connection,
}) => {
  await page.goto(`${connection.url}/downloads?dialog=create`)
  // The browser read other bytes than the server has received.
  await page.evaluate(() => {
    const digest = crypto.subtle.digest.bind(crypto.subtle)
    crypto.subtle.digest = async () => {
      crypto.subtle.digest = digest
      return new ArrayBuffer(32)
    }
  })
  await expect(name(page)).toBeVisible()
  const met = connection.breakBodies('GET /api/1.0/website/downloads', 'hold')
  await chooseFile(page)
  await expect(dialog(page).getByRole('alert')).toHaveText('The stored file differed from yours and was deleted')
  await expect.poll(met).toBeGreaterThan(0)
  const before = met()
  await name(page).fill('My program')
  await dialog(page).getByRole('button', { name: 'Upload again' }).click()
  await expect(dialog(page).getByText('Matches your file')).toBeVisible()
  await expect.poll(met).toBeGreaterThan(before)
  await connection.restore()
  await expect(page.getByText('Not completed')).toBeVisible()
  await expect(name(page)).toHaveValue('My program')
  await expect(dialog(page).getByText('Matches your file')).toBeVisible()
  expect((await owner.visitor.call('GET /downloads')).body.downloads).toMatchObject([{ name: 'My program' }])
})

test('an upload stays while its list changes', async ({ page, owner, connection }) => {
  await page.goto(`${connection.url}/downloads?dialog=create`)
  await chooseFile(page)
  await name(page).fill('My program')
  const isKept = async () => {
    await expect(dialog(page).getByText('Matches your file')).toBeVisible()
    await expect(name(page)).toHaveValue('My program')
  }
  await expect(page.getByText('Not completed')).toBeVisible()
  await isKept()
  const [own] = (await owner.visitor.call('GET /downloads')).body.downloads
  const other = await addFile(owner, 'other.exe')
  await expect(page.getByText('1 new').first()).toBeVisible()
  await isKept()
  for (const id of [own?.downloadId, other.downloadId]) await removeFile(owner, id ?? '')
  await expect(page.locator('tr[aria-disabled=true]')).toHaveCount(1)
  await isKept()
})

test('a form stays while others change its list, and what was not answered to the end is sent again, once', async ({
  page,
  owner,
  connection,
}) => {
  await page.goto(`${connection.url}/subscriptions?dialog=create`)
  await name(page).fill('Studio')
  const level9 = { level: 9, name: 'Founder', active: true }
  await owner.visitor.call('POST /create_subscription', { body: level9 })
  await expect(page.getByText('1 new').first()).toBeVisible()
  await expect(name(page)).toHaveValue('Studio')

  const create = dialog(page).getByRole('button', { name: 'Create', exact: true })
  const met = connection.breakBodies('POST /api/1.0/website/create_subscription', 'cut')
  await create.click()
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  expect(met()).toBe(1)
  await expect(name(page)).toHaveValue('Studio')
  await connection.restore()
  // The list has it by now, so that the next free level is another.
  await expect(page.getByText('2 new').first()).toBeVisible()
  await create.click()
  await expectToast(page, 'Subscription created successfully')
  const { subscriptions } = (await owner.visitor.call('GET /subscriptions')).body
  expect(subscriptions.map((each) => each.name).toSorted()).toEqual(['Basic', 'Founder', 'Studio'])
})

test('what is typed in a dialog of the panel stays when somebody else deletes what it is about', async ({
  page,
  owner,
}) => {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  await page.goto(`/licenses?panel=license:${licenseKey}&action=edit`)
  const notes = dialog(page).getByLabel('Notes')
  await notes.fill('typed before')
  await owner.visitor.call('POST /delete_license', { body: { licenseKey, deleteUsers: false } })
  await expect(page.locator('[data-side-panel]')).toContainText('License not found')
  await expect(notes).toHaveValue('typed before')
  await page.keyboard.press('Escape')
  await expect(dialog(page).last()).toContainText('Discard your changes?')
})

test('the same for what is deleted from a list', async ({ page, owner }) => {
  const change = (more: object) =>
    owner.visitor.call('POST /modify_app_var', { body: { variableName: 'color', variableData: 'red', ...more } })
  await change({})
  await page.goto('/variables?panel=variable:color&action=edit')
  const data = dialog(page).getByLabel('Data')
  await data.fill('typed before')
  await change({ deleteVariable: true })
  await expect(page.locator('[data-side-panel]')).toContainText('Variable not found')
  await expect(data).toHaveValue('typed before')
})
