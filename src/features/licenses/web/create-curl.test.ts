import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createCurl } from './create-curl.ts'

const body = { amount: 3, mask: '\'$(id)`id`"\\####', notes: "Marta's batch", subscription: 1 }

test('a shell passes the body on as it stands, whatever is in it', () => {
  const curl = createCurl('https://signet.test', 'app1', body)
  const script = `curl() { for part in "$@"; do printf '%s\\0' "$part"; done; }; uuidgen() { echo key; }; ${curl}`
  const parts = execFileSync('sh', ['-c', script], { env: { ...process.env, SIGNET_COOKIE: 'c=1', SIGNET_CSRF: 't' } })
    .toString()
    .split('\0')
  expect(parts[0]).toBe('https://signet.test/api/1.0/website/create_licenses')
  expect(parts).toContain('X-App-Id: app1')
  expect(parts).toContain('Cookie: c=1')
  expect(parts).toContain('X-CSRF-Token: t')
  expect(JSON.parse(parts[parts.indexOf('-d') + 1] ?? '')).toEqual(body)
})
