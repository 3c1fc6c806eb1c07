import { requestHash } from '#protocol/request-hash.ts'
import { app, base64url, now, token } from './vector-keys.ts'

const nonce = Buffer.alloc(24, 0x51).toString('base64url')

interface Case {
  name: string
  path: string
  app?: string
  session?: string
  body: string | Uint8Array
}

const cases: Case[] = [
  { name: 'init, before there is a session', path: '/api/1.0/client/init', body: '{"version":"1.0"}' },
  { name: 'heartbeat with a session', path: '/api/1.0/client/heartbeat', session: token, body: '{}' },
  { name: 'empty body', path: '/api/1.0/client/logout', session: token, body: '' },
  {
    name: 'body outside ASCII',
    path: '/api/1.0/client/login',
    session: token,
    body: '{"username":"Zoë 🦭","password":"пароль"}',
  },
  {
    name: 'a path with hyphens',
    path: '/api/1.0/client/set-user-variable',
    session: token,
    body: '{"name":"theme","value":"dark 🌚"}',
  },
  {
    name: 'app name outside ASCII, percent-encoded',
    path: '/api/1.0/client/init',
    app: `Ab3dE6gH1j/${encodeURIComponent("Ünï/code & Co. (it's 100%)!*~")}`,
    body: '{}',
  },
  {
    name: 'body of all 256 bytes, as a sealed one may be',
    path: '/api/1.0/client/license',
    session: token,
    body: Uint8Array.from({ length: 256 }, (_, byte) => byte),
  },
]

export function requestVectors() {
  return {
    about: 'H of docs/protocol.md. body is base64url of the bytes as sent; hash is hex; session null means none.',
    cases: cases.map(({ name, path, app: header = app, session, body }) => {
      const request = { path, app: header, nonce, time: String(now), session }
      const hash = requestHash({ ...request, body }).toString('hex')
      return { name, ...request, session: session ?? null, body: base64url(body), hash }
    }),
  }
}
