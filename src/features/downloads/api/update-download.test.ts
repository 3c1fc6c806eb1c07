import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { passTime } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  for (const name of ['first', 'second']) {
    await owner.visitor.call('POST /downloads/upload', { body: { name }, file: new Blob([name]) })
  }
})

const update = (name: string, body: object) =>
  owner.visitor.call('PUT /downloads/file/{name}', { params: { name }, body })
const fileOf = async (name: string) =>
  (await owner.visitor.call('GET /downloads')).body.downloads.find((file) => file.name === name)

test('changes only the fields sent, by name and by ID', async () => {
  expect((await update('first', { description: 'new', authenticated: true })).body).toMatchObject({
    message: 'Download updated successfully',
    download: { name: 'first', description: 'new', authenticated: true },
  })
  const id = (await fileOf('first'))?.downloadId ?? ''
  expect((await update(id, { name: ' a/b %2F? ' })).body.download.name).toBe('a/b %2F?')
  expect((await update('a/b %2F?', { description: '' })).body.download).toMatchObject({
    downloadId: id,
    description: '',
    authenticated: true,
  })
})

test("an upload can't be downloaded before it is completed, and then has the values that Complete sent", async () => {
  const upload = async (name: string) => {
    const body = { name, complete: false }
    const answer = await owner.visitor.call('POST /downloads/upload', { body, file: new Blob([name]) })
    expect(answer.body.download).toMatchObject({ completed: false })
    return answer.body.download.downloadId
  }
  const status = async (id: string, more = '') => (await fetch(`${app.url}/api/1.0/download/${id}${more}`)).status
  const [completed, forgotten] = [await upload('completed'), await upload('forgotten')]
  for (const id of [completed, forgotten]) expect([await status(id), await status(id, '/info')]).toEqual([404, 404])
  await update(forgotten, { description: 'edited, still not completed' })
  const { body } = await update(completed, { authenticated: true, complete: true })
  expect(body.download).toMatchObject({ completed: true, authenticated: true })
  expect([await status(completed), await status(forgotten)]).toEqual([401, 404])

  await passTime(app, owner, 86_400 - 3600)
  await app.jobsDone()
  expect(await fileOf('forgotten')).toMatchObject({ completed: false })
  await passTime(app, owner, 7300)
  await app.jobsDone()
  expect((await owner.visitor.call('GET /downloads')).body.downloads.map(({ name }) => name).toSorted()).toEqual([
    'completed',
    'first',
    'second',
  ])
})

test('rejects an invalid name, a name that another file has, and a field that somebody else changed meanwhile', async () => {
  expect((await update('first', { name: 'second' })).body).toMatchObject({ code: 'DOWNLOAD_NAME_TAKEN', field: 'name' })
  expect((await update('first', { name: ' ' })).body).toMatchObject({ message: 'Please enter a name' })
  expect((await update('first', { description: 'x'.repeat(501) })).status).toBe(400)
  expect((await update('never', { description: 'x' })).body).toMatchObject({ code: 'DOWNLOAD_NOT_FOUND' })
  expect((await update('first', { description: 'mine', before: { description: 'seen' } })).body).toMatchObject({
    code: 'FIELD_CHANGED',
    current: { description: '' },
  })
  expect(await fileOf('first')).toMatchObject({ description: '' })
})

test('of two simultaneous renames to one name, exactly one succeeds', async () => {
  const answers = await Promise.all(['first', 'second'].map((name) => update(name, { name: 'taken' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('enables and disables a file, and deletes it with its bytes', async () => {
  const toggle = async (body: object) =>
    (await owner.visitor.call('POST /downloads/file/{name}/toggle', { params: { name: 'first' }, body })).body
  expect(await toggle({})).toMatchObject({ message: 'Download disabled successfully', active: false })
  expect(await toggle({ active: false })).toMatchObject({ active: false })
  expect(await toggle({})).toMatchObject({ message: 'Download enabled successfully', active: true })
  const remove = () => owner.visitor.call('DELETE /downloads/file/{name}', { params: { name: 'first' }, body: {} })
  expect((await remove()).body.message).toBe('Download deleted successfully')
  expect((await remove()).body).toMatchObject({ code: 'DOWNLOAD_NOT_FOUND' })
  expect(await fileOf('first')).toBeUndefined()
})
