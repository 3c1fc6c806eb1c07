import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'signet-dashboard-'))
const releases = { first: '<meta content="__BUILD__"> app-1.js', second: '<meta content="__BUILD__"> app-2.js' }
let app: TestApp

async function restartWith(release: keyof typeof releases) {
  writeFileSync(join(folder, 'index.html'), releases[release])
  await app.stop()
  await app.start(folder)
}

const get = (path: string) => fetch(app.url + path)
const buildOf = async (path: string) => (await get(path)).headers.get('x-signet-build')
const buildOfPage = async () => /content="([\w-]+)"/.exec(await (await get('/licenses')).text())?.[1]

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test('every reply of the website API and the probe names the build of the page that the server serves', async () => {
  await restartWith('first')
  const first = await buildOfPage()
  expect(first).toMatch(/^[\w-]{16}$/)
  for (const path of ['/api/1.0/website/check-auth', '/api/1.0/website/nothing', '/healthz'])
    expect(await buildOf(path), path).toBe(first)

  await restartWith('second')
  const second = await buildOfPage()
  expect(second).not.toBe(first)
  expect(await buildOf('/healthz')).toBe(second)
})

test('no other reply names it', async () => {
  for (const path of ['/api/1.0/openapi.json', '/api/1.0/seller/licenses', '/readyz'])
    expect(await buildOf(path), path).toBeNull()
})

test('the query of a page can end like a file name', async () => {
  const page = await get('/licenses?q=setup.exe')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect((await get('/setup.exe?q=licenses')).status).toBe(404)
})

test('the page names the address where its cookies work, if that is HTTPS only', async () => {
  const pageOf = (publicUrl: string) => {
    writeFileSync(join(folder, 'index.html'), '<meta content="__HTTPS__">')
    return startTestApp({ dashboardDir: folder, config: { publicUrl } })
  }
  for (const [publicUrl, named] of [
    ['https://signet.test', 'https://signet.test'],
    ['http://signet.test', ''],
  ] as const) {
    const server = await pageOf(publicUrl)
    expect(await (await fetch(`${server.url}/login`)).text()).toBe(`<meta content="${named}">`)
    await server.close()
  }
})
