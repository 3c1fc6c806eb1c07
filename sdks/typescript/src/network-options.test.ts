import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CertificateAuthority } from '../../conformance/server/certificates.ts'
import { ScriptedServer } from '../scripted-server.ts'
import type { ClientOptions } from './client.ts'
import { readNetwork } from './network-options.ts'

const scripted = new ScriptedServer()
const https = 'https://signet.example.com'
const print = 'ab'.repeat(32)
const variables = ['http', 'https', 'no', 'all'].flatMap((name) => [`${name}_proxy`, `${name.toUpperCase()}_PROXY`])

beforeEach(() => {
  for (const name of [...variables, 'REQUEST_METHOD']) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const clientOf = (options: Partial<ClientOptions>) =>
  scripted.client({ serverUrl: https, fetch: undefined, ...options })

function invalid(options: Partial<ClientOptions>): Error {
  try {
    clientOf(options)
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_CONFIGURATION' })
    return error as Error
  }
  throw new Error(`${JSON.stringify(options)} was accepted`)
}

/** Host, port, and name with password. */
function proxyOf(url: string, proxy?: string | null): string | undefined {
  const found = readNetwork({ proxy }, new URL(url))?.proxy
  const name = found?.authorization && `${atob(found.authorization.replace('Basic ', ''))}@`
  return found && `${name ?? ''}${found.host}:${found.port}`
}

test.each<[string, unknown]>([
  ['no text', 7],
  ['empty', ''],
  ['an empty list', []],
  ['of SHA-1', 'ab'.repeat(20)],
  ['a character too long', `${print}a`],
  ['no hexadecimal', 'xy'.repeat(32)],
  ['good and then nothing', `${print},`],
  ['one of a list that is none', [print, 'auto']],
  ['one of a list that is no text', [print, null]],
])('a fingerprint that is %s', (_, sslFingerprint) => {
  expect(invalid({ sslFingerprint: sslFingerprint as string }).message).toContain('sslFingerprint')
})

test('authorities that are none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-ca-'))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, 'no certificate')
  const { cert } = new CertificateAuthority()
  const damaged = cert.replace(/\n./, '\n!')
  const { key } = new CertificateAuthority().issue()
  for (const ca of ['', '/nowhere/ca.pem', file, folder, damaged, cert + damaged, key, 7 as unknown as string]) {
    expect(invalid({ ca }).message).toContain('ca is no PEM')
  }
  rmSync(folder, { recursive: true })
})

test('a fingerprint and an authority need https', () => {
  const serverUrl = 'http://127.0.0.1:1'
  expect(invalid({ serverUrl, sslFingerprint: print }).message).toContain('https://')
  expect(invalid({ serverUrl, ca: new CertificateAuthority().cert }).message).toContain('https://')
  clientOf({ serverUrl, sslFingerprint: 'auto' })
})

test.each([
  'proxy.example.com:3128',
  'https://proxy.example.com',
  'socks5://proxy.example.com',
  'http://someone:s3cret@proxy.example.com/path',
  'http://someone:s3cret@proxy.example.com?x',
  'http://someone:s3cret@proxy.example.com#x',
  'http://someone:s3cret@proxy.example.com:0',
  'http://someone:s3cret@proxy.example.com:99999',
  'http://someone:s3cret/@proxy.example.com',
  'http://proxy.exa\nmple.com',
  'http://',
  7 as unknown as string,
])('%j is no proxy, and the error has no password', (proxy) => {
  const error = invalid({ proxy })
  expect(error.message).toContain('proxy is like')
  expect(`${error.stack} ${String(error.cause)}`).not.toContain('s3cret')
})

test('a fetch of your own excludes them', () => {
  const fetch = globalThis.fetch
  for (const options of [{ sslFingerprint: print }, { ca: 'x' }, { proxy: 'http://proxy.test' }]) {
    expect(invalid({ ...options, fetch }).message).toContain('fetch of your own')
  }
  vi.stubEnv('HTTPS_PROXY', 'socks5://proxy.test')
  clientOf({ fetch, sslFingerprint: 'auto', proxy: 'auto' })
})

test.each(['Deno', 'Bun', 'WebSocketPair'])(
  'where there is a global %s, they are errors, and nothing else is',
  (name) => {
    vi.stubGlobal(name, {})
    for (const options of [{ sslFingerprint: print }, { ca: 'x' }, { proxy: 'http://proxy.test' }]) {
      expect(invalid(options).message).toContain('need Node 20.16 or later')
    }
    // Its fetch knows the environment by itself.
    vi.stubEnv('HTTPS_PROXY', 'socks5://proxy.test')
    clientOf({ sslFingerprint: 'auto', proxy: 'auto' })
    clientOf({ proxy: null })
  },
)

test('the environment is what Python reads', () => {
  expect(proxyOf(https)).toBeUndefined()
  vi.stubEnv('HTTP_PROXY', 'http://plain.test:3128')
  vi.stubEnv('ALL_PROXY', 'http://all.test:3128')
  expect(proxyOf(https)).toBeUndefined()
  vi.stubEnv('HTTPS_PROXY', 'http://upper.test:3128')
  expect(proxyOf(https)).toBe('upper.test:3128')
  vi.stubEnv('https_proxy', 'name:pass@lower.test')
  expect(proxyOf(https)).toBe('name:pass@lower.test:80')
  vi.stubEnv('https_proxy', '')
  expect(proxyOf(https)).toBeUndefined()
  expect(proxyOf('http://signet.example.com')).toBe('plain.test:3128')
  // The header `Proxy` of a request to a CGI program.
  vi.stubEnv('REQUEST_METHOD', 'GET')
  expect(proxyOf('http://signet.example.com')).toBeUndefined()
  vi.stubEnv('http_proxy', 'http://lower.test')
  expect(proxyOf('http://signet.example.com')).toBe('lower.test:80')
})

test('the environment counts less than the option, and not for this computer', () => {
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.test')
  vi.stubEnv('HTTP_PROXY', 'http://proxy.test')
  expect(proxyOf(https, null)).toBeUndefined()
  expect(proxyOf(https, '')).toBeUndefined()
  expect(proxyOf(https, 'http://other.test')).toBe('other.test:80')
  for (const host of ['localhost', 'x.localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    expect(proxyOf(`https://${host}`), host).toBeUndefined()
    expect(proxyOf(`http://${host}`), host).toBeUndefined()
    expect(proxyOf(`https://${host}`, 'http://own.test'), host).toBe('own.test:80')
  }
  for (const host of ['127.0.0.1.example.com', 'localhost.example.com', 'notlocalhost']) {
    expect(proxyOf(`https://${host}`), host).toBe('proxy.test:80')
  }
})

test('NO_PROXY names hosts and what is below them', () => {
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.test')
  for (const names of ['*', 'example.com', '.example.com', 'x, SIGNET.example.com ', 'a,*']) {
    vi.stubEnv('NO_PROXY', names)
    expect(proxyOf(https), names).toBeUndefined()
  }
  for (const names of ['', ',', 'ample.com', 'www.signet.example.com', 'example.org', 'com.']) {
    vi.stubEnv('NO_PROXY', names)
    expect(proxyOf(https), names).toBe('proxy.test:80')
  }
  vi.stubEnv('NO_PROXY', '2001:db8::1')
  expect(proxyOf('https://[2001:db8::1]:8443')).toBeUndefined()
  vi.stubEnv('no_proxy', 'example.com')
  expect(proxyOf(https)).toBeUndefined()
})

test('a proxy of the environment that is none is an error without its password', () => {
  vi.stubEnv('HTTPS_PROXY', 'socks5://someone:s3cret@proxy.test')
  expect(invalid({}).message).not.toContain('s3cret')
})

test('name and password are decoded as UTF-8, and a stray percent sign stays', () => {
  const authorizationOf = (proxy: string) => {
    const { authorization = '' } = readNetwork({ proxy }, new URL(https))?.proxy ?? {}
    return Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
  }
  expect(authorizationOf('http://n%C3%A4me:p%40ss%3A@proxy.test')).toBe('näme:p@ss:')
  expect(authorizationOf('http://me:100%@proxy.test')).toBe('me:100%')
  expect(authorizationOf('http://me@proxy.test')).toBe('me:')
  expect(authorizationOf('http://proxy.test')).toBe('')
  expect(proxyOf(https, 'http://[2001:db8::2]:3128')).toBe('2001:db8::2:3128')
})

test('without any of them, calls stay with fetch', () => {
  expect(readNetwork({}, new URL(https))).toBeUndefined()
  expect(readNetwork({ sslFingerprint: 'auto', proxy: null }, new URL(https))).toBeUndefined()
  expect(readNetwork({ sslFingerprint: print.toUpperCase() }, new URL(https))).toMatchObject({
    fingerprints: new Set([print]),
    proxy: undefined,
  })
})
