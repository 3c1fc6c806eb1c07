import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readInstallation } from '../src/server/secrets/installation.ts'
import { FlakyProxy } from '../testing/faults/flaky-proxy.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '../testing/people/people.ts'
import { keepSignedIn } from '../testing/platform.ts'
import { clientOptions } from '../testing/people/sdk-client.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { Client, type ClientOptions, SignetError } from './typescript/src/client.ts'

/** Both clients fetch files from the real server: the signed bytes, or nothing. */

interface Program {
  license(key: string): Promise<string>
  /** 'done', or the code of what went wrong. */
  download(id: string, path: string): Promise<string>
  close(): Promise<void>
}

const outcomeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'done',
    (error: unknown) => (error instanceof SignetError ? error.code : Promise.reject(error)),
  )

async function typescriptProgram(options: ClientOptions): Promise<Program> {
  const client = new Client({ ...options, heartbeatSeconds: null })
  return {
    license: (key) => outcomeOf(client.license(key)),
    download: (id, path) => outcomeOf(client.download(id, path)),
    close: () => client.close(),
  }
}

const pythonSource = `
import json, sys
from signet_client import Client, SignetError
client = Client(**json.loads(sys.stdin.readline()), heartbeat_interval=None)
for line in sys.stdin:
    name, arguments = json.loads(line)
    try:
        getattr(client, name)(*arguments)
        print("done", flush=True)
    except SignetError as error:
        print(error.code, flush=True)
client.close()
`

async function pythonProgram(options: ClientOptions): Promise<Program> {
  const { ownerId, appName, version, serverUrl, verificationKey, sealingKey, hwid } = options
  const child = spawn(process.env['SIGNET_PYTHON'] ?? 'python3', ['-c', pythonSource], {
    env: { ...process.env, PYTHONPATH: join(import.meta.dirname, 'python') },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const write = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`)
  const keys = { verification_key: verificationKey, sealing_key: sealingKey }
  write({ owner_id: ownerId, app_name: appName, version, server_url: serverUrl, hwid, ...keys })
  const ask = async (name: string, ...rest: string[]) => {
    write([name, rest])
    return String((await lines.next()).value)
  }
  return {
    license: (key) => ask('license', key),
    download: (id, path) => ask('download', id, path),
    async close() {
      child.stdin.end()
      await lines.next()
    },
  }
}

let app: TestApp
let owner: OwnedApp
let proxy: FlakyProxy
const folder = mkdtempSync(join(tmpdir(), 'signet-files-'))
const target = join(folder, 'setup.exe')
const bytes = randomBytes(400_000)
const otherBytes = randomBytes(400_000)

beforeAll(async () => {
  app = await startTestApp({ clockRuns: true })
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  proxy = await FlakyProxy.start(app.url)
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

describe.each([
  ['TypeScript', typescriptProgram],
  ['Python', pythonProgram],
])('the %s client', (_, start) => {
  let program: Program
  beforeEach(async () => {
    writeFileSync(target, 'the old one')
    program = await start({ ...(await clientOptions(app, owner)), serverUrl: proxy.url })
  })
  afterEach(async () => {
    await program.close()
    await proxy.restore()
  })

  const expectUntouched = () => expect(fileHashes()).toEqual({ 'setup.exe': hashOf(Buffer.from('the old one')) })
  const expectWritten = () => expect(fileHashes()).toEqual({ 'setup.exe': hashOf(bytes) })

  test('writes a public file without a user, and one that requires it only for a user (R-UP-07)', async () => {
    const [open, guarded] = [await upload(false), await upload(true)]
    expect(await program.download(guarded, target)).toBe('NOT_SIGNED_IN')
    expectUntouched()
    expect(await program.download(open, target)).toBe('done')
    expectWritten()
    writeFileSync(target, 'the old one')
    const [key = ''] = await newLicenses(owner, 1)
    expect(await program.license(key)).toBe('done')
    expect(await program.download(guarded, target)).toBe('done')
    expectWritten()
  })

  test("discards bytes that don't match the signed hash", async () => {
    const id = await upload(false)
    const { id: databaseId } = await readInstallation(app.db)
    writeFileSync(join(app.services.config.dataDir, 'files', databaseId, id), otherBytes)
    expect(await program.download(id, target)).toBe('FILE_CORRUPT')
    expectUntouched()
  })

  test('resumes where the connection broke, and leaves nothing when it breaks every time', async () => {
    const id = await upload(false)
    proxy.cutAnswersAfter(150_000, 2)
    expect(await program.download(id, target)).toBe('done')
    expectWritten()
    writeFileSync(target, 'the old one')
    proxy.cutAnswersAfter(70_000, 100)
    expect(await program.download(id, target)).toBe('NETWORK')
    expectUntouched()
  })

  test("gets the same reply for another app's file and a missing one (R-TEN-02)", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await program.license(key)
    const foreign = await upload(false, await newOwnerWithApp(app))
    for (const id of [foreign, 'A'.repeat(22), '../x']) {
      expect(await program.download(id, target)).toBe('DOWNLOAD_NOT_FOUND')
    }
    expectUntouched()
  })

  test("reports when the file can't be written", async () => {
    const id = await upload(false)
    expect(await program.download(id, join(folder, 'nowhere', 'x'))).toBe('FILE_NOT_WRITTEN')
    expect(await program.download(id, folder)).toBe('FILE_NOT_WRITTEN')
    expectUntouched()
  })
})
