import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { goodPassword, newLicenses } from '#testing/people/people.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { Visitor } from '#testing/people/visitor.ts'
import { ensureServer } from './build-server.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'signet-built-'))
const metricsToken = 'a-token-for-the-metrics-of-this-test'
const admin = { username: 'builder', password: goodPassword }
let server: ServerProcess | undefined

afterAll(async () => {
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('what is built serves, searches in its report thread and shows its metrics', async () => {
  server = await startServerProcess({
    DATA_DIR: dataDir,
    METRICS_TOKEN: metricsToken,
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    ADMIN_EMAIL: 'builder@example.com',
  })
  const visitor = new Visitor(server.url)
  expect((await visitor.call('POST /login', { body: admin })).status).toBe(200)
  const { body } = await visitor.call('POST /create_app', { body: { appName: 'Built' } })
  visitor.appId = body.appId
  await visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic' } })
  const [license = ''] = await newLicenses({ visitor }, 3)
  const search = license.slice(-6)
  const found = await visitor.call('GET /licenses', { query: { search } })
  expect(found.body.licenses.map(({ licenseKey }) => licenseKey)).toEqual([license])

  const headers = { authorization: `Bearer ${metricsToken}` }
  const metrics = await fetch(`${server.url}/metrics`, { headers })
  expect(await metrics.text()).toContain('process_cpu_seconds_total')
})

test('what is built is ASCII, so that it takes one byte of memory for each character', async () => {
  const files = globSync(join(dirname(await ensureServer()), '*.js'))
  expect(files.length).toBeGreaterThan(3)
  const others = files.map((file) => [file, /[^\0-\x7f]/.exec(readFileSync(file, 'utf8'))?.[0]])
  expect(others.filter(([, found]) => found)).toEqual([])
})
