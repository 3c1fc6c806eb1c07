import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { CreateOptions, Fields } from '../contract.ts'

/**
 * A client that keeps to the contract and checks nothing: it believes every answer, follows redirects, and reads bodies
 * of any size. The tests of the kit see it fail.
 */
class NaiveError extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, status = 0) {
    super(code)
    this.code = code
    this.status = status
  }
}

let options: CreateOptions = {}
let token: string | undefined
let isValid = false

async function call(name: string, fields: Fields): Promise<Fields> {
  if (token === undefined && name !== 'init') await init()
  const { serverUrl, ownerId, appName, timeout = 15 } = options
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-signet-app': `${ownerId}/${encodeURIComponent(appName ?? '')}`,
    'x-signet-nonce': randomBytes(24).toString('base64url'),
    'x-signet-time': String(Date.now()),
    ...(token !== undefined && name !== 'init' && { 'x-signet-session': token }),
  }
  const body = JSON.stringify(fields)
  const signal = AbortSignal.timeout(timeout * 1000)
  let answer: Fields
  let status: number
  try {
    const response = await fetch(`${serverUrl}/api/1.0/client/${name}`, { method: 'POST', headers, body, signal })
    status = response.status
    answer = (await response.json()) as Fields
  } catch {
    throw new NaiveError('NETWORK')
  }
  if (answer['success'] || answer['user']) return answer
  throw new NaiveError(String(answer['code']), status)
}

async function init(): Promise<Fields> {
  const answer = await call('init', { version: options.version, sdk: 'naive/0.0.0' })
  token = String(answer['session'])
  return answer['app'] as Fields
}

async function signIn(name: string, fields: Fields): Promise<Fields> {
  const result = sessionOf(await call(name, { ...fields, hwid: options.hwid }))
  isValid = true
  return result
}

function sessionOf({ user, expiresAt }: Fields): Fields {
  const { username, subscriptions } = (user ?? {}) as Fields
  return {
    username,
    subscriptions: Array.isArray(subscriptions) ? subscriptions.map(sorted) : subscriptions,
    expiresAt,
  }
}

/** As languages print whose objects are sorted. */
const sorted = (fields: Fields | null): Fields | null =>
  fields && Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))

async function download(fileId: string, path: string): Promise<Fields> {
  const offer = await call('download', { id: fileId })
  const response = await fetch(`${options.serverUrl}${String(offer['url'])}`)
  writeFileSync(path, Buffer.from(await response.arrayBuffer()))
  return offer
}

const handlers: Record<string, (request: Fields) => Promise<Fields> | Fields> = {
  create: ({ id: _id, do: _do, ...given }) => {
    options = given as CreateOptions
    token = undefined
    isValid = false
    return {}
  },
  init,
  license: ({ key }) => signIn('license', { key }),
  login: ({ username, password }) => signIn('login', { username, password }),
  register: ({ username, password, licenseKey }) => signIn('register', { username, password, licenseKey }),
  heartbeat: async () => sessionOf(await call('heartbeat', {})),
  variable: async ({ name }) => ({ value: (await call('variable', { name }))['value'] }),
  log: ({ message }) => call('log', { message }),
  download: ({ fileId, path }) => download(String(fileId), String(path)),
  valid: () => ({ valid: isValid }),
  close: () => ({}),
}

async function serve(line: string): Promise<void> {
  const request = JSON.parse(line) as Fields
  const { id } = request
  const handler = handlers[String(request['do'])]
  const answer = await Promise.resolve()
    .then(() => handler?.(request) ?? Promise.reject(new NaiveError('UNSUPPORTED')))
    .then(
      (result) => ({ id, ok: true, result }),
      ({ code = 'CRASH', status = 0, message }: NaiveError) => ({ id, ok: false, code, status, message }),
    )
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

const lines = createInterface(process.stdin)
lines.on('line', (line) => void serve(line))
lines.on('close', () => process.exit(0))
