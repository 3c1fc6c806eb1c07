import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newOwner } from '#testing/people/people.ts'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'signet-tls-'))
const trusted = getCACertificates()
const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
let secure: TestApp
let plain: TestApp

beforeAll(async () => {
  const { cert, key } = selfSigned()
  writeFileSync(tls.certFile, cert)
  writeFileSync(tls.keyFile, key, { mode: 0o600 })
  setDefaultCACertificates([...trusted, cert])
  secure = await startTestApp({ config: { tls, publicUrl: 'https://signet.test' } })
  plain = await startTestApp()
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await secure.close()
  await plain.close()
  rmSync(folder, { recursive: true })
})

/** The fingerprint a connecting program sees, read from the connection itself. */
function fingerprintSeen(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(secure.url).port) }, () => {
      resolve(socket.getPeerCertificate().fingerprint256.replaceAll(':', '').toLowerCase())
      socket.end()
    })
    socket.on('error', reject)
  })
}

test('returns the fingerprint of the certificate that programs see', async () => {
  const { visitor } = await newOwner(secure)
  const { status, body } = await visitor.call('GET /ssl-sha256')
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  expect(body.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(body.sha256).toBe(await fingerprintSeen())
})

test('fails quietly when the server serves no TLS itself, and the screen then shows auto', async () => {
  const { visitor } = await newOwner(plain)
  const { status, body } = await visitor.call('GET /ssl-sha256')
  expect(status).toBe(200)
  expect(body).toEqual({
    success: false,
    code: 'TLS_NOT_SERVED',
    message: 'This server does not serve TLS itself',
  })
})

test('over HTTPS, cookies are bound to this host and browsers get HSTS', async () => {
  const { headers } = await secure.visitor().send('GET', '/api/1.0/website/check-auth')
  expect(headers.getSetCookie().join()).toMatch(/^__Host-vid=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  // `includeSubDomains` is not sent for other hosts than the server's own.
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test('rejects callers without a session', async () =>
  expectRejected(await plain.visitor().call('GET /ssl-sha256'), 'stranger', 401))
