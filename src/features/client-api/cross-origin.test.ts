import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Browser-based programs (R-CSRF-06). */
let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const headers = { origin: 'https://elsewhere.example' }
const allowed = (answer: { headers: Headers }) => answer.headers.get('access-control-allow-origin')
const preflight = (path: string) =>
  fetch(app.url + path, {
    method: 'OPTIONS',
    headers: { ...headers, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-signet-app' },
  })

test('a page of any origin can call as a program and read the signature; other programs get no CORS headers (R-CSRF-06)', async () => {
  const answer = await preflight('/api/1.0/client/init')
  expect(answer.status).toBe(204)
  expect(allowed(answer)).toBe('*')
  expect(answer.headers.get('access-control-allow-headers')).toContain('x-signet-nonce')
  const program = await Program.of(app, owner)
  const page = await program.send('init', { version: '1.0.0' }, { headers })
  expect(page.status).toBe(200)
  expect(allowed(page)).toBe('*')
  expect(page.headers.get('access-control-expose-headers')).toContain('x-signet-signature')
  expect(page.headers.get('access-control-allow-credentials')).toBeNull()
  const rejected = await program.send('init', {}, { headers: { ...headers, 'x-signet-app': 'x' }, unsigned: true })
  expect([rejected.status, allowed(rejected)]).toEqual([404, '*'])
  expect(allowed(await program.init())).toBeNull()
})

test('the dashboard and its API stay same-origin (R-CSRF-06)', async () => {
  for (const path of ['/api/1.0/website/licenses', '/api/1.0/website/login', '/api/1.0/seller/license', '/login']) {
    expect(allowed(await preflight(path)), path).toBeNull()
    expect(allowed(await fetch(app.url + path, { headers })), path).toBeNull()
  }
})
