import { X509Certificate } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { type Scenario, scenariosOf } from '../scenario.ts'
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

export const hostileTlsScenarios: Scenario[] = [
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
