import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'signet-docs-'))
let app: TestApp

const write = (path: string, content: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), content)
}
const get = (path: string) => fetch(app.url + path, { redirect: 'manual' })

beforeAll(async () => {
  write('web/index.html', '<title>Signet</title><meta content="__LINKS__">')
  write('web/secret.txt', 'not documentation')
  write('docs/index.html', 'first page')
  write('docs/404.html', 'no such page')
  write('docs/guides/index.html', 'guides')
  write('docs/_astro/page.abc.js', 'export {}')
  write('docs/script-hashes.json', '["sha256-AAAA"]')
  app = await startTestApp({ dashboardDir: join(folder, 'web') })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test.each([
  ['/docs/', 200, 'first page'],
  ['/docs/?from=dashboard', 200, 'first page'],
  ['/docs/guides/', 200, 'guides'],
  ['/docs/nothing/', 404, 'no such page'],
  ['/docs/nothing.png', 404, 'no such page'],
  ['/docs/_astro/', 404, 'no such page'],
])('%s is answered with %i', async (path, status, text) => {
  const reply = await get(path)
  expect([reply.status, await reply.text()]).toEqual([status, text])
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test.each([
  ['/docs', '/docs/'],
  ['/docs?a=b.c', '/docs/?a=b.c'],
  ['/docs/guides', '/docs/guides/'],
])('%s leads to %s', async (path, target) => {
  const reply = await get(path)
  expect([reply.status, reply.headers.get('location')]).toEqual([301, target])
})

test.each(['/docs/..%2fweb/secret.txt', '/docs/%2e%2e/web/secret.txt', '/docs//evil.example', '/docs/\\evil.example'])(
  '%s leaves the folder for nobody',
  async (path) => {
    const reply = await get(path)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    expect(await reply.text()).not.toContain('not documentation')
  },
)

test('only listed inline scripts run, and only hashed files are kept by browsers', async () => {
  const policy = (await get('/docs/')).headers.get('content-security-policy')
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval' 'sha256-AAAA';")
  expect(policy).toContain("default-src 'none'")
  for (const path of ['/docs/guides/', '/docs/nothing/'])
    expect((await get(path)).headers.get('content-security-policy'), path).toBe(policy)
  expect((await get('/docs/guides/')).headers.get('cache-control')).toBe('no-cache')
  expect((await get('/docs/_astro/page.abc.js')).headers.get('cache-control')).toContain('immutable')
})

test('the dashboard leads to it, unless the operator names another address', async () => {
  const linksOf = async (subject: TestApp) => (await fetch(`${subject.url}/login`)).text()
  expect(await linksOf(app)).toContain('&quot;documentation&quot;:&quot;/docs/&quot;')
  const links = { documentation: 'https://docs.example.com/' }
  const other = await startTestApp({ dashboardDir: join(folder, 'web'), config: { links } })
  expect(await linksOf(other)).toContain('https://docs.example.com/')
  await other.close()
})

/** `fetch` sends no Host header of its own. */
const statusAt = (path: string, host: string) =>
  new Promise((resolve, reject) => {
    request(app.url + path, { headers: { host } }, (reply) => resolve(reply.resume().statusCode))
      .on('error', reject)
      .end()
  })

test('a domain of a reseller, which reveals nothing about the platform, has none and leads to none', async () => {
  const { id, owner } = await newSellingReseller(app)
  const look = { companyName: 'Nora Keys', primaryColor: '#ff0055', secondaryColor: '#003366', logoUrl: '' }
  const body = { domain: 'keys.nora.example', ...look }
  await owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body })
  expect(await statusAt('/docs/', 'keys.nora.example')).toBe(200)
  await app.db.write(({ db }) =>
    db.updateTable('reseller_domains').set({ proved_at: app.now() }).where('reseller_id', '=', id).execute(),
  )
  app.advance(3600)
  for (const path of ['/docs/', '/docs/guides/', '/docs/nothing/', '/docs/_astro/page.abc.js'])
    expect(await statusAt(path, 'keys.nora.example'), path).toBe(404)
  expect(await statusAt('/docs/', new URL(app.url).host)).toBe(200)
})

test('a server that was built without it has none', async () => {
  const bare = await startTestApp()
  expect((await fetch(`${bare.url}/docs/`)).status).toBe(404)
  await bare.close()
})
