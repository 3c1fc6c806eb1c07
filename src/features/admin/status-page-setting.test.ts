import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAdmin, type Owner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The page framed on /status. */

let app: TestApp
let admin: Owner
const folder = mkdtempSync(join(tmpdir(), 'signet-frame-'))

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Signet</title>')
  app = await startTestApp({ dashboardDir: folder, config: { publicUrl: 'https://signet.test' } })
  admin = await newAdmin(app)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const save = async (group: 'platform' | 'security', settings: object) => {
  const answer = await admin.visitor.send('POST', `/api/1.0/website/admin/settings/${group}`, { body: { settings } })
  await app.services.settings.current()
  return answer
}
const set = (statusPageUrl: string) => save('platform', { statusPageUrl })
const frame = async () => (await admin.visitor.call('GET /status')).body.frame
const policy = async () => {
  const text = (await fetch(`${app.url}/status`)).headers.get('content-security-policy') ?? ''
  return text.split('; ').filter((each) => each.startsWith('frame-src'))
}

test('without an address, no frame is allowed', async () => {
  expect([await frame(), await policy()]).toEqual([null, ["frame-src 'none'"]])
})

test('an address is framed, only its origin is allowed, and removing it removes both (R-HDR-01)', async () => {
  expect((await set('  https://status.example:8443/board?theme=dark ')).status).toBe(200)
  expect(await frame()).toBe('https://status.example:8443/board?theme=dark')
  expect(await policy()).toEqual(['frame-src https://status.example:8443'])
  expect((await set('')).status).toBe(200)
  expect([await frame(), await policy()]).toEqual([null, ["frame-src 'none'"]])
})

test.each([
  ['javascript:alert(document.cookie)', 'STATUS_PAGE_INVALID'],
  ['data:text/html,<script>alert(1)</script>', 'STATUS_PAGE_INVALID'],
  ["https://a;script-src'unsafe-inline'/", 'STATUS_PAGE_INVALID'],
  ['https://*/', 'STATUS_PAGE_INVALID'],
  ['https://signet.test/status', 'STATUS_PAGE_OWN'],
  ['https://user:secret@status.example', 'STATUS_PAGE_CREDENTIALS'],
  ['http://status.example', 'STATUS_PAGE_HTTP'],
])('%j is rejected with %s and changes neither page nor policy', async (address, code) => {
  const { status, body } = await set(address)
  expect([status, body.code, body['field']]).toEqual([400, code, 'statusPageUrl'])
  expect([await frame(), await policy()]).toEqual([null, ["frame-src 'none'"]])
})

test("http:// is framed while HTTPS isn't enforced, and no longer once it is", async () => {
  await save('security', { enforceHTTPS: false })
  expect((await set('http://status.example')).status).toBe(200)
  expect(await policy()).toEqual(['frame-src http://status.example'])
  await save('security', { enforceHTTPS: true })
  expect([await frame(), await policy()]).toEqual([null, ["frame-src 'none'"]])
  await set('')
})

test('an address in the database is validated again before it is framed', async () => {
  await app.db.write(async (tx) => {
    const value = JSON.stringify({ statusPageUrl: "https://x; script-src 'unsafe-inline' *" })
    await tx.db.updateTable('platform_settings').set({ value }).where('name', '=', 'platform').execute()
    tx.publish('settings:platform')
  })
  await app.services.settings.current()
  expect([await frame(), await policy()]).toEqual([null, ["frame-src 'none'"]])
})
