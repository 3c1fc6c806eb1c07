/* oxlint-disable no-restricted-imports -- a program of the tests */
import { Client, type ClientOptions, type Fetch, hardwareIdOf, type Session, SignetError } from './src/client.ts'
import type { MessageLanguage } from './src/codes.ts'
import { Messages } from './src/errors.ts'
import { nodeFetch } from './src/node-transport.ts'
import { vectorChecks } from './conformance-vectors.ts'

/**
 * Lets sdks/conformance drive this client: a JSON object per line in, one per line out. With `--sockets`, calls that
 * would go through the global `fetch` go over `node:http` too.
 */

type Fields = Record<string, unknown>
interface Ask extends Fields {
  id: number
  do: string
}
type Act = (ask: Ask, signal?: AbortSignal) => Promise<unknown>

let client: Client | undefined

const current = (): Client => {
  if (!client) throw new Error('There is no client')
  return client
}
const isOverSockets = process.argv.includes('--sockets')
/** A wrong address is what the client itself must find. */
const overSockets = (serverUrl: string): Fetch | undefined =>
  URL.canParse(serverUrl)
    ? nodeFetch({ server: new URL(serverUrl), fingerprints: new Set(), ca: undefined, proxy: undefined })
    : undefined
const print = (line: Fields): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const text = (ask: Ask, name: string): string => ask[name] as string
const seconds = (date: Date | null): number | null => date && Math.floor(date.getTime() / 1000)

const sessionFields = ({ user, expiresAt }: Session): Fields => ({
  username: user.username,
  expiresAt: seconds(expiresAt),
  subscriptions: user.subscriptions.map((each) => ({ ...each, expiresAt: seconds(each.expiresAt) })),
})

async function create(ask: Ask): Promise<void> {
  await client?.close()
  client = undefined
  const { id: _id, do: _do, timeout, heartbeatInterval, grace, fingerprints, caFile, ...rest } = ask
  const isSpecial = fingerprints !== undefined || caFile !== undefined
  const options = {
    ...rest,
    ...(fingerprints !== undefined && { sslFingerprint: fingerprints }),
    ...(caFile !== undefined && { ca: caFile }),
    ...(isOverSockets && !isSpecial && { fetch: overSockets(text(ask, 'serverUrl')) }),
    ...(timeout !== undefined && { timeoutSeconds: timeout }),
    ...(heartbeatInterval !== undefined && { heartbeatSeconds: heartbeatInterval }),
    ...(grace !== undefined && { graceSeconds: grace }),
    onLost: ({ code }: SignetError) => print({ event: 'lost', code }),
    onInterrupted: ({ code }: SignetError) => print({ event: 'interrupted', code }),
    onResumed: () => print({ event: 'resumed' }),
  }
  client = new Client(options as unknown as ClientOptions)
}

async function cancel(ask: Ask): Promise<unknown> {
  const call = ask['call'] as Ask
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), Number(ask['after']) * 1000)
  try {
    return await acts[call.do]?.(call, controller.signal)
  } catch (error) {
    throw error === controller.signal.reason ? new SignetError('CANCELLED', 'The call was aborted.') : error
  } finally {
    clearTimeout(timer)
  }
}

async function runVectors(ask: Ask): Promise<Fields> {
  const failed: string[] = []
  const checks = vectorChecks(text(ask, 'dir'))
  for (const { name, run } of checks) await run().catch(() => failed.push(name))
  return { passed: checks.length - failed.length, failed }
}

const acts: Record<string, Act | undefined> = {
  create,
  cancel,
  vectors: runVectors,
  init: async (_, signal) => {
    const { name, version } = await current().init({ signal })
    return { name, version }
  },
  license: async (ask, signal) => sessionFields(await current().license(text(ask, 'key'), { signal })),
  login: async (ask, signal) =>
    sessionFields(
      await current().login(text(ask, 'username'), text(ask, 'password'), {
        licenseKey: ask['licenseKey'] as string | undefined,
        signal,
      }),
    ),
  register: async (ask, signal) => {
    const [username, password, key] = [text(ask, 'username'), text(ask, 'password'), text(ask, 'licenseKey')]
    return sessionFields(await current().register(username, password, key, ask['email'] as string, { signal }))
  },
  upgrade: async (ask, signal) => sessionFields(await current().upgrade(text(ask, 'licenseKey'), { signal })),
  heartbeat: async (_, signal) => sessionFields(await current().heartbeat({ signal })),
  variable: async (ask, signal) => ({ value: await current().variable(text(ask, 'name'), { signal }) }),
  userVariable: async (ask, signal) => ({ value: await current().userVariable(text(ask, 'name'), { signal }) }),
  setUserVariable: (ask, signal) => current().setUserVariable(text(ask, 'name'), text(ask, 'value'), { signal }),
  log: (ask, signal) => current().log(text(ask, 'message'), { signal }),
  changePassword: (ask, signal) =>
    current().changePassword(text(ask, 'password'), text(ask, 'newPassword'), { signal }),
  requestPasswordReset: (ask, signal) => current().requestPasswordReset(text(ask, 'username'), { signal }),
  logout: (_, signal) => current().logout({ signal }),
  close: async () => client?.close(),
  callWebhook: (ask, signal) =>
    current().callWebhook(text(ask, 'webhookId'), ask['params'] as Fields | undefined, { signal }),
  download: async (ask, signal) => {
    const { path: _path, ...file } = await current().download(text(ask, 'fileId'), text(ask, 'path'), { signal })
    return file
  },
  valid: async () => ({ valid: current().isValid() }),
  hwid: async (ask) => ({ hwid: await hardwareIdOf(text(ask, 'ownerId'), text(ask, 'machineId')) }),
  message: async (ask) => ({
    message: new Messages(text(ask, 'language') as MessageLanguage).of(new SignetError(text(ask, 'code'), '')),
  }),
}

async function answer(ask: Ask): Promise<void> {
  try {
    const act = acts[ask.do]
    if (!act) throw new SignetError('UNSUPPORTED', `There is no ${ask.do}.`)
    print({ id: ask.id, ok: true, result: (await act(ask)) ?? {} })
  } catch (error) {
    const isOurs = error instanceof SignetError
    const { code, status } = isOurs ? error : { code: 'PROGRAM_FAILED', status: 0 }
    const retryAfter = isOurs ? error.retryAfterSeconds : undefined
    print({ id: ask.id, ok: false, code, status, message: (error as Error).message, ...(retryAfter && { retryAfter }) })
    if (!isOurs) process.stderr.write(`${(error as Error).stack}\n`)
  }
}

let created: Promise<void> = Promise.resolve()
const answers = new Set<Promise<void>>()
let unread = ''
// Not node:readline, for which U+2028 is a line end too.
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = (unread + chunk).split('\n')
  unread = lines.pop() ?? ''
  for (const line of lines) hear(JSON.parse(line) as Ask)
})
process.stdin.on('end', () => void end())

function hear(ask: Ask): void {
  const answered = created.then(() => answer(ask)).finally(() => answers.delete(answered))
  answers.add(answered)
  // A client must be there before the next request.
  if (ask.do === 'create') created = answered
}

async function end(): Promise<void> {
  await created
  await client?.close()
  await Promise.all(answers)
  process.exit(0)
}
