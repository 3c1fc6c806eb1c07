import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { recordBackup } from './backups.ts'

const metricsToken = 'a-token-of-this-test-alone'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp({ config: { metricsToken } })
  owner = await newOwnerWithApp(app, 'Metered-App-Name')
})
afterAll(() => app.close())

const ask = (authorization?: string) =>
  fetch(`${app.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
const read = async () => (await ask(`Bearer ${metricsToken}`)).text()
const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('a caller without the token gets 404, and so does everybody if no token is set', async () => {
  for (const authorization of [
    undefined,
    'Bearer',
    `Bearer ${metricsToken}x`,
    metricsToken,
    `Bearer ${'x'.repeat(26)}`,
  ])
    expect((await ask(authorization)).status).toBe(404)
  expect((await ask(`Bearer ${metricsToken}`)).status).toBe(200)
  const without = await startTestApp()
  try {
    const headers = { authorization: 'Bearer undefined' }
    expect((await fetch(`${without.url}/metrics`, { headers })).status).toBe(404)
  } finally {
    await without.close()
  }
})

test('counts requests by call and status class, including those of programs', async () => {
  await newLicenses(owner, 1)
  await owner.visitor.call('GET /licenses')
  await app.visitor().call('GET /licenses')
  await (await Program.of(app, owner)).init()
  const text = await read()
  expect(valueOf(text, 'signet_requests_total{call="GET /website/licenses",status="2xx"}')).toBe(1)
  expect(valueOf(text, 'signet_requests_total{call="GET /website/licenses",status="4xx"}')).toBe(1)
  expect(valueOf(text, 'signet_requests_total{call="POST /client/init",status="2xx"}')).toBe(1)
  expect(valueOf(text, 'signet_request_seconds_count{call="POST /client/init"}')).toBe(1)
})

test('counts what maintenance rejects as maintenance, and no duration of uploads and downloads', async () => {
  await setPlatform(app, 'platform', { maintenanceMode: true })
  try {
    expect((await owner.visitor.call('GET /apps')).status).toBe(503)
  } finally {
    await setPlatform(app, 'platform', { maintenanceMode: false })
  }
  const upload = { body: { name: 'setup.exe' }, file: new Blob(['bytes']) }
  expect((await owner.visitor.call('POST /downloads/upload', upload)).status).toBe(200)
  const text = await read()
  expect(valueOf(text, 'signet_requests_total{call="GET /website/apps",status="maintenance"}')).toBe(1)
  expect(valueOf(text, 'signet_requests_total{call="GET /website/apps",status="5xx"}')).toBeUndefined()
  expect(valueOf(text, 'signet_requests_total{call="POST /website/downloads/upload",status="2xx"}')).toBe(1)
  expect(valueOf(text, 'signet_request_seconds_count{call="POST /website/downloads/upload"}')).toBeUndefined()
})

test('no label contains a value that somebody sends or chooses, however many there are', async () => {
  const before = (await read()).split('\n').length
  for (let n = 0; n < 60; n++) {
    await fetch(`${app.url}/nothing-here-${n}`)
    await fetch(`${app.url}/api/1.0/website/no-such-call-${n}`)
    await owner.visitor.send('GET', `/api/1.0/website/resellers/by-username/somebody-${n}`)
    await fetch(`${app.url}/api/1.0/website/apps`, { method: 'PROPFIND' }).catch(() => {})
  }
  const text = await read()
  expect(text).not.toMatch(/nothing-here|no-such-call|somebody-|PROPFIND|Metered-App-Name|127\.0\.0\.1/)
  expect(text.split('\n').length - before).toBeLessThan(60)
})

test('counts rejections of rate limits by limit', async () => {
  const limit = { purpose: 'planted', subject: 'a secret subject', max: 1, seconds: 60 }
  const take = () => app.services.rateLimits.take(limit, app.services.clock())
  take()
  expect(take).toThrow('many')
  expect(take).toThrow('many')
  const text = await read()
  expect(valueOf(text, 'signet_rate_limited_total{limit="planted"}')).toBe(2)
  expect(text).not.toContain('a secret subject')
})

test('reports the age of jobs, ledger checks, and the last backup; without a run there is no metric', async () => {
  const text = await read()
  expect(valueOf(text, 'signet_backup_age_seconds')).toBeUndefined()
  expect(valueOf(text, 'signet_check_problems{check="ledger"}')).toBeUndefined()
  expect(valueOf(text, 'signet_jobs_failed{kind="mail"}')).toBe(0)
  expect(valueOf(text, 'signet_jobs_overdue_seconds{kind="mail"}')).toBe(0)
  await app.db.write((tx) => recordBackup(tx, { takenAt: app.now(), bytes: 1 }))
  app.advance(3700)
  const late = await read()
  expect(valueOf(late, 'signet_jobs_overdue_seconds{kind="verify-ledger"}')).toBe(100)
  await app.jobsDone()
  app.advance(50)
  const done = await read()
  expect(valueOf(done, 'signet_backup_age_seconds')).toBe(3750)
  expect(valueOf(done, 'signet_check_problems{check="ledger"}')).toBe(0)
  expect(valueOf(done, 'signet_check_age_seconds{check="ledger"}')).toBe(50)
  expect(valueOf(done, 'signet_job_runs_total{kind="verify-ledger",outcome="done"}')).toBe(1)
  expect(valueOf(done, 'signet_jobs_waiting{kind="verify-ledger"}')).toBe(1)
})

test('reports the state of each part as a metric, one state at a time', async () => {
  const lines = (await read()).split('\n').filter((line) => line.startsWith('signet_status{part="database"'))
  expect(lines).toHaveLength(5)
  expect(lines.filter((line) => line.endsWith(' 1'))).toEqual(['signet_status{part="database",state="ok"} 1'])
})

const alertRules = join(import.meta.dirname, '../../../docs/signet-alerts.yml')

test('every metric of the alert rules exists, with the labels that they use', async () => {
  const rules = readFileSync(alertRules, 'utf8')
  await app.db.write((tx) => recordBackup(tx, { takenAt: app.now(), bytes: 1 }))
  const text = await read()
  const there = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name))
  const names = [...new Set(rules.match(/\b(signet|process|nodejs)_\w+/g))]
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !there.has(name.replace(/_bucket$/, '')))).toEqual([])
  for (const [, name = '', label = ''] of rules.matchAll(/\b(signet_\w+)\{(\w+)=/g))
    expect(text, name).toMatch(new RegExp(`^${name}\\{[^}]*\\b${label}="`, 'm'))
})

test('promtool accepts the alert rules', (context) => {
  const { status, stdout, stderr, error } = spawnSync('promtool', ['check', 'rules', alertRules], { encoding: 'utf8' })
  context.skip(error !== undefined, 'promtool is not here (in Debian it comes with the package prometheus)')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('SUCCESS')
})

test('every metric of the Grafana board exists', async () => {
  const board = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/grafana-board.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const text = await read()
  const there = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '']) => name))
  const expressions = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(expressions.length).toBeGreaterThan(15)
  const names = expressions.flatMap((expr) => expr.match(/\b(signet|process|nodejs)_\w+/g) ?? [])
  const base = (name: string) => (there.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))
  expect([...new Set(names.map(base))].filter((name) => !there.has(name))).toEqual([])
  for (const expr of expressions) expect(expr).toMatch(/\b(signet|process|nodejs)_\w+/)
  // And none of our own is left out of it.
  const own = [...there].filter((name) => name.startsWith('signet_'))
  expect(own.filter((name) => !names.some((each) => base(each) === name))).toEqual([])
})
