import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { type Certificate, CertificateAuthority } from '../server/certificates.ts'
import type { Stage } from '../stage.ts'

const scenario = scenariosOf('hostile')

/** Of a client that can not see the certificate, such as one in a browser. */
const unsupported = ['create: UNSUPPORTED', 'create: INVALID_CONFIGURATION']

interface Impostor {
  server: Server
  url: string
  /** Hexadecimal SHA-256 of its certificate. */
  fingerprint: string
  /** Requests that came through. */
  count: () => number
}

/** A server with a certificate of its own making. */
async function impostor(): Promise<Impostor> {
  const { cert, key } = selfSigned()
  let count = 0
  const server = createServer({ cert, key }, (_request, response) => {
    count += 1
    response.end('{"success":true}')
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fingerprint = new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()
  return { server, url: `https://127.0.0.1:${port}`, fingerprint, count: () => count }
}

const signIn = async (stage: Stage, fingerprintsOf: (fingerprint: string) => string[] | undefined): Promise<string> => {
  const { server, url, fingerprint, count } = await impostor()
  try {
    const fingerprints = fingerprintsOf(fingerprint)
    const created = await stage.create({ serverUrl: url, ...(fingerprints && { fingerprints }) })
    if (!created.ok) return `create: ${created.code}`
    return `${await stage.outcome('license', { key: 'KEY-1' })}, ${count()} requests`
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

let made: CertificateAuthority | undefined
/** Its key takes time to make. */
const authority = (): CertificateAuthority => (made ??= new CertificateAuthority())

interface Encrypted {
  certificate: Certificate
  /** Fingerprints of the client's configuration. */
  fingerprints?: (fingerprint: string) => string[]
  /** Whose certificates the client trusts; the server's, unless stated otherwise. */
  trusted?: CertificateAuthority
}

/** Signs in to the honest server behind TLS, with a certificate of an authority that only the client's `caFile` names. */
async function signInEncrypted(
  stage: Stage,
  { certificate, fingerprints, trusted = authority() }: Encrypted,
): Promise<string> {
  const caFile = join(stage.folder(), 'authority.pem')
  writeFileSync(caFile, trusted.cert)
  const sockets = new Set<TLSSocket>()
  const server = createTlsServer({ cert: certificate.cert, key: certificate.key }, (socket) => {
    sockets.add(socket)
    const inner = connect(stage.server.port, '127.0.0.1')
    for (const each of [socket, inner]) each.on('error', () => inner.destroy())
    socket.pipe(inner).pipe(socket)
  })
  server.on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const serverUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const pinned = fingerprints && { fingerprints: fingerprints(certificate.fingerprint) }
    const created = await stage.create({ serverUrl, caFile, ...pinned })
    if (!created.ok) return `create: ${created.code}`
    const first = await stage.outcome('license', { key: 'KEY-1' })
    if (first !== 'ok') return `${first}, ${stage.server.requests.length} requests`
    return `${first}, ${await stage.outcome('heartbeat')}`
  } finally {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

const right = scenariosOf('right')

/** With an authority of the options' own. */
const privateAuthority: Scenario[] = [
  right(
    'TLS with an authority of its own',
    { guards: 'an authority of the options is trusted', expected: ['ok, ok', ...unsupported], create: null },
    (stage) => signInEncrypted(stage, { certificate: authority().issue() }),
  ),
  right(
    'TLS with the right fingerprint',
    { guards: 'the certificate of the fingerprint is accepted', expected: ['ok, ok', ...unsupported], create: null },
    (stage) =>
      signInEncrypted(stage, {
        certificate: authority().issue(),
        fingerprints: (right) => ['ab'.repeat(32), right.toUpperCase().replaceAll(/..(?=.)/g, '$&:')],
      }),
  ),
  scenario(
    'a trusted TLS certificate with another fingerprint',
    {
      guards: 'nothing is sent to a server with another certificate, even a trusted one',
      expected: ['FINGERPRINT_MISMATCH, 0 requests', ...unsupported],
      create: null,
    },
    (stage) => signInEncrypted(stage, { certificate: authority().issue(), fingerprints: () => ['ab'.repeat(32)] }),
  ),
  scenario(
    'the fingerprint of the authority',
    {
      guards: "a fingerprint is of the server's certificate, not of one above it",
      expected: ['FINGERPRINT_MISMATCH, 0 requests', ...unsupported],
      create: null,
    },
    (stage) =>
      signInEncrypted(stage, {
        certificate: authority().issue(),
        fingerprints: () => [new X509Certificate(authority().cert).fingerprint256],
      }),
  ),
  scenario(
    'a TLS certificate of another authority',
    {
      guards: 'only the authority of the options is trusted',
      expected: ['NETWORK, 0 requests', ...unsupported],
      create: null,
    },
    (stage) =>
      signInEncrypted(stage, { certificate: new CertificateAuthority().issue(), fingerprints: (right) => [right] }),
  ),
  scenario(
    'a TLS certificate that has expired',
    {
      guards: 'a fingerprint replaces no check of the time',
      expected: ['NETWORK, 0 requests', ...unsupported],
      create: null,
    },
    (stage) =>
      signInEncrypted(stage, {
        certificate: authority().issue({ notAfter: new Date(Date.now() - 3_600_000) }),
        fingerprints: (right) => [right],
      }),
  ),
  scenario(
    'a TLS certificate for another host',
    {
      guards: 'a fingerprint replaces no check of the name',
      expected: ['NETWORK, 0 requests', ...unsupported],
      create: null,
    },
    (stage) =>
      signInEncrypted(stage, {
        certificate: authority().issue({ host: 'signet.example.com' }),
        fingerprints: (right) => [right],
      }),
  ),
]

export const hostileTlsScenarios: Scenario[] = [
  ...privateAuthority,
  scenario(
    'a TLS certificate that nobody trusts',
    {
      guards: 'nothing is sent to a server that can not show a trusted certificate',
      expected: 'NETWORK, 0 requests',
      create: null,
    },
    (stage) => signIn(stage, () => undefined),
  ),
  scenario(
    'a TLS certificate that nobody trusts, with its own fingerprint',
    {
      guards: 'a fingerprint is checked in addition, not instead',
      expected: ['NETWORK, 0 requests', ...unsupported],
      create: null,
    },
    (stage) => signIn(stage, (fingerprint) => [fingerprint]),
  ),
  scenario(
    'a TLS certificate that nobody trusts, with another fingerprint',
    {
      guards: 'nothing is sent to a server with another certificate',
      expected: ['NETWORK, 0 requests', 'FINGERPRINT_MISMATCH, 0 requests', ...unsupported],
      create: null,
    },
    (stage) => signIn(stage, () => ['ab'.repeat(32)]),
  ),
  scenario(
    'plain HTTP in the place of HTTPS',
    { guards: 'https never becomes http', expected: 'NETWORK, 0 requests', create: null },
    async (stage) => {
      await stage.create({ serverUrl: stage.server.url.replace('http:', 'https:') })
      return `${await stage.outcome('license', { key: 'KEY-1' })}, ${stage.server.requests.length} requests`
    },
  ),
]
