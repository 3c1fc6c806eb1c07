import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { setUpProgram } from '#testing/people/program-setup.ts'

const given = setUpProgram()

let made = 0
async function upload(authenticated: boolean, who = given.owner): Promise<string> {
  const body = { name: `file ${++made}`, authenticated }
  const answer = await who.visitor.call('POST /downloads/upload', { body, file: new File(['the bytes'], 'setup.exe') })
  return answer.body.download.downloadId
}
const ask = (id: string) => given.program.send('download', { id })
const fetched = async (url: unknown) => fetch(given.app.url + String(url))

test('a file that requires authentication is given to a user who may run, with the signed SHA-256 of its bytes (R-UP-07)', async () => {
  const id = await upload(true)
  expect(await ask(id)).toMatchObject({ status: 403, body: { code: 'NOT_SIGNED_IN' } })
  await given.program.license(given.key)
  const { body } = await ask(id)
  const sha256 = createHash('sha256').update('the bytes').digest('hex')
  expect(body).toMatchObject({ success: true, fileName: 'setup.exe', size: 9, sha256 })
  expect(await (await fetched(body['url'])).text()).toBe('the bytes')
  await given.program.logout()
  expect((await fetched(body['url'])).status).toBe(401)
})

test('a public file needs no user', async () => {
  const { body } = await ask(await upload(false))
  expect(await (await fetched(body['url'])).text()).toBe('the bytes')
})

test('a disabled file, a file of another app, and a missing file look the same', async () => {
  await given.program.license(given.key)
  const other = await newOwnerWithApp(given.app)
  const disabled = await upload(true)
  await given.owner.visitor.call('POST /downloads/file/{name}/toggle', { params: { name: disabled }, body: {} })
  for (const id of [disabled, await upload(false, other), 'A'.repeat(22), '../x']) {
    expect(await ask(id), id).toMatchObject({ status: 404, body: { code: 'DOWNLOAD_NOT_FOUND' } })
  }
  for (const body of [{}, { id: 5 }, { id: 'x'.repeat(101) }]) {
    expect((await given.program.send('download', body)).status, JSON.stringify(body)).toBe(400)
  }
})
