import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Certificate, CertificateAuthority } from '../../conformance/server/certificates.ts'
import { ScriptedServer } from '../scripted-server.ts'
import { closeAll, WireServer } from '../wire-servers.ts'
import { type ClientOptions, UnverifiedError } from './client.ts'

/** The certificate of the server: the ordinary checks always, the fingerprint in addition. */

const authority = new CertificateAuthority()
const stranger = new CertificateAuthority()
const certificate = authority.issue()
const another = 'ab'.repeat(32)
let scripted: ScriptedServer
let server: WireServer

beforeAll(async () => {
  scripted = new ScriptedServer()
  server = await WireServer.start(scripted, certificate)
})
afterEach(() => void vi.unstubAllEnvs())
afterAll(closeAll)

const clientOf = (options: Partial<ClientOptions>, of: WireServer = server) =>
  scripted.client({ serverUrl: of.url, fetch: undefined, ca: authority.cert, ...options })

/** The error of a call before which nothing was sent. */
async function rejected(options: Partial<ClientOptions>, of: WireServer = server): Promise<UnverifiedError> {
  const before = of.requests.length
  const error: unknown = await clientOf(options, of)
    .init()
    .catch((error: unknown) => error)
  expect(error).toBeInstanceOf(UnverifiedError)
  expect(of.requests.length).toBe(before)
  return error as UnverifiedError
}

const serverWith = (shown: Certificate): Promise<WireServer> => WireServer.start(scripted, shown)

test('another certificate than the pinned one is FINGERPRINT_MISMATCH, and nothing is sent', async () => {
  for (const sslFingerprint of [another, [another, 'cd'.repeat(32)], `${another},${'cd'.repeat(32)}`]) {
    const { connections } = server
    const error = await rejected({ sslFingerprint })
    expect(error).toMatchObject({ code: 'FINGERPRINT_MISMATCH', isTemporary: true, status: 0 })
    // It isn't asked a second time.
    expect(server.connections).toBe(connections + 1)
  }
})

test("the right fingerprint doesn't replace an authority that is trusted", async () => {
  const sslFingerprint = certificate.fingerprint
  expect(await rejected({ sslFingerprint, ca: undefined })).toMatchObject({ code: 'NETWORK' })
  expect(await rejected({ sslFingerprint, ca: stranger.cert })).toMatchObject({ code: 'NETWORK' })
})

test('the environment of the program turns no check off', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  // Node warns about the variable, whoever overrules it.
  const warning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const options = { sslFingerprint: certificate.fingerprint, ca: stranger.cert }
  expect(await rejected(options)).toMatchObject({ code: 'NETWORK' })
  warning.mockRestore()
})

test('an expired certificate, and one for another host, are rejected although they are pinned', async () => {
  for (const shown of [
    authority.issue({ notAfter: new Date(Date.now() - 3_600_000) }),
    authority.issue({ notBefore: new Date(Date.now() + 3_600_000) }),
    authority.issue({ host: 'signet.example.com' }),
    authority.issue({ host: '127.0.0.2' }),
  ]) {
    const error = await rejected({ sslFingerprint: shown.fingerprint }, await serverWith(shown))
    expect(error).toMatchObject({ code: 'NETWORK' })
  }
})

test('the fingerprint is of the certificate of the server, not of its authority', async () => {
  const { fingerprint256 } = new X509Certificate(authority.cert)
  expect(await rejected({ sslFingerprint: fingerprint256 })).toMatchObject({ code: 'FINGERPRINT_MISMATCH' })
})

test('a renewed certificate is found on the next connection, also after an honest one', async () => {
  const renewed = authority.issue()
  const [before, after] = [await serverWith(certificate), await serverWith(renewed)]
  await clientOf({ sslFingerprint: certificate.fingerprint }, before).init()
  expect(await rejected({ sslFingerprint: certificate.fingerprint }, after)).toMatchObject({
    code: 'FINGERPRINT_MISMATCH',
  })
  await clientOf({ sslFingerprint: [certificate.fingerprint, renewed.fingerprint] }, after).init()
})

test('plain HTTP in the place of HTTPS is NETWORK', async () => {
  const plain = await WireServer.start(scripted)
  const serverUrl = plain.url.replace('http:', 'https:')
  expect(await rejected({ serverUrl, sslFingerprint: another }, plain)).toMatchObject({ code: 'NETWORK' })
})

test('the fingerprint in any usual format', async () => {
  const plain = certificate.fingerprint
  const colons = plain.toUpperCase().replaceAll(/..(?=.)/g, '$&:')
  for (const sslFingerprint of [plain, colons, ` ${another}, ${colons} `, [another, plain]]) {
    await clientOf({ sslFingerprint }).init()
  }
})

test('an authority of your own, as text or as a file, in the place of those that Node trusts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-ca-'))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, `# Ours\n${stranger.cert}\n${authority.cert}`)
  for (const ca of [authority.cert, file]) expect((await clientOf({ ca }).license('KEY')).user.username).toBe('alice')
  rmSync(folder, { recursive: true })
})

test('calls share a kept connection', async () => {
  const own = await serverWith(certificate)
  const client = clientOf({ sslFingerprint: certificate.fingerprint }, own)
  await client.license('KEY')
  for (let calls = 0; calls < 5; calls++) await client.heartbeat()
  expect(own.connections).toBe(1)
})

test('the server is told its name, and an address is none', async () => {
  const own = await serverWith(authority.issue({ host: 'localhost' }))
  await clientOf({ serverUrl: `https://localhost:${own.port}` }, own).init()
  expect(own.requests[0]?.headers.host).toBe(`localhost:${own.port}`)
  const error = await rejected({}, own)
  expect(error.message).toContain('127.0.0.1')
})
