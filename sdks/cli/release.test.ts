import { createHash, randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FlakyProxy } from '../../testing/faults/flaky-proxy.ts'
import { newSeller, newShop, type Shop, sold } from '../../testing/people/sellers.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { newSignet, type Signet } from './run-signet.ts'

/** `signet release`: the whole release, or a state from which running it again completes it. */

let app: TestApp
let shop: Shop
let signet: Signet
let file: string
const bytes = randomBytes(700_000)
const sha256 = createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  app = await startTestApp({ clockRuns: true })
})
beforeEach(async () => {
  app.advance(3600)
  shop = await newShop(app)
  signet = newSignet({ SIGNET_URL: app.url, SIGNET_KEY: shop.seller.key })
  file = join(signet.home, 'prism.exe')
  writeFileSync(file, bytes)
  return () => rmSync(signet.home, { recursive: true })
})
afterAll(() => app.close())

const settings = async () =>
  (await sold<{ settings: Record<string, unknown> }>(shop.seller, 'GET', '/settings')).settings
const files = async () =>
  (await sold<{ downloads: { name: string; downloadId: string }[] }>(shop.seller, 'GET', '/downloads')).downloads

test('a release without the permission to change settings changes none, and running it with the permission completes it', async () => {
  const { key } = await newSeller(app, shop.owner, { permissions: ['downloads:write', 'downloads:read'] })
  const before = await settings()
  const args = ['release', file, '--version', '2.4.0', '--hash']
  const broken = await signet.run(args, { env: { SIGNET_KEY: key } })
  expect(broken.code).toBe(1)
  expect(broken.stderr).toContain('SCOPE_MISSING')
  expect(broken.stderr).toContain('Run it again')
  expect(await settings()).toEqual(before)
  const stored = await files()
  expect(stored.map(({ name }) => name)).toEqual(['prism-2.4.0'])
  for (let time = 0; time < 2; time++) {
    const again = await signet.run(args)
    expect([again.code, again.stdout]).toEqual([0, 'Released 2.4.0\n'])
    expect(again.stderr).toContain('Found     prism-2.4.0')
  }
  expect(await files()).toEqual(stored)
  // Not the address that only this machine can open.
  const link = `${app.services.config.publicUrl}/api/1.0/download/${stored[0]?.downloadId}`
  expect(await settings()).toMatchObject({
    version: '2.4.0',
    hashCheck: true,
    hashToCheck: sha256,
    autoUpdateDownloadLink: link,
  })
  expect(Buffer.from(await (await fetch(app.url + new URL(link).pathname)).arrayBuffer()).equals(bytes)).toBe(true)
})

test('a release whose upload breaks off changes nothing, and running it again completes it', async () => {
  const before = await settings()
  const proxy = await FlakyProxy.start(
    app.url,
    () => (chunk) => (chunk.includes('/downloads/upload') ? 'cut' : 'forward'),
  )
  const args = ['release', file, '--version', '2.5.0', '--json']
  const broken = await signet.run(args, { env: { SIGNET_URL: proxy.url } })
  await proxy.close()
  expect([broken.code, broken.stdout]).toEqual([3, ''])
  expect([await files(), await settings()]).toEqual([[], before])
  const { code, stdout } = await signet.run(args)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ success: true, sha256, uploaded: true, settings: { version: '2.5.0' } })
  // Nobody asked for the check.
  expect(await settings()).toMatchObject({ version: '2.5.0', hashCheck: false, hashToCheck: sha256 })
})

test('another file under the name of a release, or a disabled one, is not released', async () => {
  await signet.run(['release', file, '--version', '3.0'])
  const before = await settings()
  writeFileSync(file, randomBytes(1000))
  const other = await signet.run(['release', file, '--version', '3.0'])
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('other bytes')])
  writeFileSync(file, bytes)
  await sold(shop.seller, 'POST', '/downloads/file/prism-3.0/disable', {})
  const disabled = await signet.run(['release', file, '--version', '3.0'])
  expect([disabled.code, disabled.stderr]).toEqual([1, expect.stringContaining('disabled')])
  const { key } = await newSeller(app, shop.owner, { permissions: ['downloads:write', 'settings:write'] })
  const blind = await signet.run(['release', file, '--version', '3.0'], { env: { SIGNET_KEY: key } })
  expect([blind.code, blind.stderr]).toEqual([1, expect.stringContaining('downloads:read')])
  expect(await settings()).toEqual(before)
})

test('a release without an upload sets the version, the link, and the hash of the program in an installer', async () => {
  const program = join(signet.home, 'inner.exe')
  writeFileSync(program, 'the program itself')
  const link = 'https://prism.example/4.0'
  const args = ['release', file, '--version', '4.0', '--no-upload', '--link', link, '--hash-of', program]
  const { code } = await signet.run(args)
  expect(code).toBe(0)
  expect(await files()).toEqual([])
  expect(await settings()).toMatchObject({
    version: '4.0',
    autoUpdateDownloadLink: link,
    hashToCheck: createHash('sha256').update('the program itself').digest('hex'),
  })
  await signet.run(['release', file, '--version', '4.1', '--no-upload', '--no-hash'])
  expect(await settings()).toMatchObject({ version: '4.1', autoUpdateDownloadLink: link })
  expect((await settings())['hashToCheck']).not.toBe(sha256)
})
