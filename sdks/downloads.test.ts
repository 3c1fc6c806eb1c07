import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readInstallation } from '../src/server/secrets/installation.ts'
import { clientPrograms } from '../testing/clients/client-programs.ts'
import { FlakyProxy } from '../testing/faults/flaky-proxy.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../testing/people/people.ts'
import { keepSignedIn } from '../testing/platform.ts'
import { clientOptions } from '../testing/people/sdk-client.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { outcomeOf } from './conformance/contract.ts'
import { Program } from './conformance/program.ts'

/** Every client fetches files from the real server: the signed bytes, or nothing. */

let app: TestApp
let owner: OwnedApp
let proxy: FlakyProxy
/** The requests that the proxy has cut while it is down. */
let cutRequests = 0
let isDown = false
const folder = mkdtempSync(join(tmpdir(), 'signet-files-'))
const target = join(folder, 'setup.exe')
const bytes = randomBytes(400_000)
const otherBytes = randomBytes(400_000)

beforeAll(async () => {
  app = await startTestApp({ clockRuns: true })
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  proxy = await FlakyProxy.start(app.url, () => () => {
    if (!isDown) return 'forward'
    cutRequests += 1
    return 'cut'
  })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await proxy.close()
  await app.close()
})

let made = 0
async function upload(authenticated: boolean, who = owner): Promise<string> {
  const body = { name: `file ${++made}`, authenticated }
  const answer = await who.visitor.call('POST /downloads/upload', { body, file: new File([bytes], 'setup.exe') })
  return answer.body.download.downloadId
}

const hashOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
const fileHashes = () =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, hashOf(readFileSync(join(folder, name)))]))

/** Where the bytes of a file are on the server's disk. */
async function storedAt(id: string): Promise<string> {
  const { id: databaseId } = await readInstallation(app.db)
  return join(app.services.config.dataDir, 'files', databaseId, id)
}

describe.each(clientPrograms().filter(({ command }) => command))('the $language client', ({ command }) => {
  let program: Program
  beforeEach(async () => {
    writeFileSync(target, 'the old one')
    const [name = '', ...args] = command ?? []
    program = new Program(name, args)
    await create(15)
  })
  afterEach(async () => {
    isDown = false
    await program.end()
    await proxy.restore()
  })

  const create = async (timeout: number) =>
    program.ask('create', {
      ...(await clientOptions(app, owner)),
      serverUrl: proxy.url,
      heartbeatInterval: null,
      timeout,
    })
  const license = async (key: string) => outcomeOf(await program.ask('license', { key }))
  const download = async (fileId: string, path: string) => outcomeOf(await program.ask('download', { fileId, path }))
  /** The proxy goes down in the middle of a file; resolves then. */
  const goesDown = () =>
    new Promise<void>((resolve) => {
      proxy.cutAnswersAfter(150_000, 1, () => {
        isDown = true
        resolve()
      })
    })

  const expectUntouched = () => expect(fileHashes()).toEqual({ 'setup.exe': hashOf(Buffer.from('the old one')) })
  const expectWritten = () => expect(fileHashes()).toEqual({ 'setup.exe': hashOf(bytes) })

  test('writes a public file without a user, and one that requires it only for a user (R-UP-07)', async () => {
    const [open, guarded] = [await upload(false), await upload(true)]
    expect(await download(guarded, target)).toBe('NOT_SIGNED_IN')
    expectUntouched()
    expect(await download(open, target)).toBe('ok')
    expectWritten()
    writeFileSync(target, 'the old one')
    const [key = ''] = await newLicenses(owner, 1)
    expect(await license(key)).toBe('ok')
    expect(await download(guarded, target)).toBe('ok')
    expectWritten()
  })

  test("discards bytes that don't match the signed hash", async () => {
    const id = await upload(false)
    writeFileSync(await storedAt(id), otherBytes)
    expect(await download(id, target)).toBe('FILE_CORRUPT')
    expectUntouched()
  })

  test('resumes where the connection broke, and leaves nothing when it breaks every time', async () => {
    await create(3)
    const id = await upload(false)
    proxy.cutAnswersAfter(150_000, 2)
    expect(await download(id, target)).toBe('ok')
    expectWritten()
    writeFileSync(target, 'the old one')
    proxy.cutAnswersAfter(70_000, 100)
    expect(await download(id, target)).toBe('NETWORK')
    expectUntouched()
    await proxy.reject()
    expect(await download(id, target)).toBe('NETWORK')
    expectUntouched()
  })

  test('resumes after silence', async () => {
    await create(3)
    const id = await upload(false)
    proxy.stallAnswersAfter(150_000, 1)
    expect(await download(id, target)).toBe('ok')
    expectWritten()
  })

  test('resumes once a server that was stopped is back', async () => {
    const id = await upload(true)
    const [key = ''] = await newLicenses(owner, 1)
    expect(await license(key)).toBe('ok')
    const broken = goesDown()
    const before = cutRequests
    const outcome = download(id, target)
    await broken
    await app.stop()
    await vi.waitFor(() => expect(cutRequests).toBeGreaterThan(before), { timeout: 60_000, interval: 20 })
    isDown = false
    await app.start()
    expect(await outcome).toBe('ok')
    expectWritten()
  })

  test('starts over when the file was replaced meanwhile', async () => {
    await create(3)
    const id = await upload(false)
    const stored = await storedAt(id)
    const broken = goesDown()
    const outcome = download(id, target)
    await broken
    writeFileSync(stored, otherBytes)
    await app.db.write(({ db }) =>
      db
        .updateTable('downloads')
        .set({ sha256: hashOf(otherBytes) })
        .where('id', '=', id)
        .execute(),
    )
    isDown = false
    expect(await outcome).toBe('ok')
    expect(fileHashes()).toEqual({ 'setup.exe': hashOf(otherBytes) })
  })

  test('can be canceled during silence and between two attempts', async () => {
    const id = await upload(false)
    const call = { do: 'download', fileId: id, path: target }
    proxy.stallAnswersAfter(150_000, 1)
    expect(outcomeOf(await program.ask('cancel', { after: 1, call }))).toBe('CANCELLED')
    await proxy.reject()
    expect(outcomeOf(await program.ask('cancel', { after: 1, call }))).toBe('CANCELLED')
    expectUntouched()
  })

  test("gets the same reply for another app's file and a missing one (R-TEN-02)", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await license(key)
    const foreign = await upload(false, await newOwnerWithApp(app))
    for (const id of [foreign, 'A'.repeat(22), '../x']) {
      expect(await download(id, target)).toBe('DOWNLOAD_NOT_FOUND')
    }
    expectUntouched()
  })

  test("reports when the file can't be written", async () => {
    const id = await upload(false)
    expect(await download(id, join(folder, 'nowhere', 'x'))).toBe('FILE_NOT_WRITTEN')
    expect(await download(id, folder)).toBe('FILE_NOT_WRITTEN')
    expectUntouched()
  })
})
