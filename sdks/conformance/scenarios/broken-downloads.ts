import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { failureOf } from '../server/model.ts'
import type { Script } from '../server/scripted-server.ts'
import type { Stage } from '../stage.ts'
import { bytes, cutAfter, fetched, half, haltAfter, id, left, prepared } from './file-transfers.ts'

/** How a download goes on, and when it ends: docs/protocol.md, "When a download breaks off". */

const scenario = scenariosOf('changed')
/** The waits between attempts are parts of it. */
const create = { timeout: 3 }

/** What a proxy says while the server behind it is away. */
const gateway =
  (status: number): Script =>
  () => ({ status, headers: [['content-type', 'text/html']], body: Buffer.from('<h1>Bad Gateway</h1>') })

const honest: Script = (exchange) => exchange.honest()
const asked = (stage: Stage) => `${stage.server.count('download')} asked`
const ranges = (stage: Stage) =>
  stage.server.requests
    .filter(({ call }) => call === 'GET file')
    .map(({ headers }) => (headers['if-range'] ? (headers.range ?? 'no range') : 'all'))
    .join(' and ')

/** Something on the server's port that resets each connection. Ends once it has met one. */
async function resetOnce(stage: Stage): Promise<void> {
  const resetting = createServer((socket) => socket.resetAndDestroy())
  await once(resetting.listen(stage.server.port, '127.0.0.1'), 'listening')
  await once(resetting, 'connection')
  resetting.close()
  await once(resetting, 'close')
}

const resumed: Scenario[] = [
  scenario(
    'a download that falls silent in the middle',
    {
      guards: 'a download goes on after silence, from the bytes that it has',
      expected: `ok, the file, all and bytes=${half}-`,
      create,
    },
    async (stage) => {
      stage.server.next('GET file', haltAfter(half))
      return `${await fetched(stage)}, ${ranges(stage)}`
    },
  ),
  scenario(
    'a download whose bytes are not answered at first',
    { guards: 'a download goes on after silence before its first byte', expected: 'ok, the file, all and all', create },
    async (stage) => {
      stage.server.next('GET file', () => undefined)
      return `${await fetched(stage)}, ${ranges(stage)}`
    },
  ),
  scenario(
    'a restart of the server during a download',
    { guards: 'a download goes on once the server is back', expected: 'ok, the file', create: { timeout: 10 } },
    async (stage) => {
      const begun = new Promise<void>((resolve) =>
        stage.server.next(
          'GET file',
          haltAfter(half, () => resolve()),
        ),
      )
      const download = fetched(stage)
      await begun
      await stage.server.stop()
      await resetOnce(stage)
      await stage.server.start()
      return download
    },
  ),
  scenario(
    'a proxy that answers for a server that restarts',
    {
      guards: 'what a proxy says about a server that is away ends no download',
      expected: 'ok, the file, 5 asked',
      create,
    },
    async (stage) => {
      for (const script of [honest, gateway(502), gateway(404)]) stage.server.next('download', script)
      for (const script of [cutAfter(half), gateway(503)]) stage.server.next('GET file', script)
      return `${await fetched(stage)}, ${asked(stage)}`
    },
  ),
  scenario(
    'a download during maintenance',
    { guards: 'a download waits as long as the server asks', expected: 'ok, the file, waited', create },
    async (stage) => {
      stage.server.next('download', ({ sign }) => sign(failureOf('MAINTENANCE', { retryAfterSeconds: 2 })))
      const got = await fetched(stage)
      const [first, second] = stage.server.requests.filter(({ call }) => call === 'download')
      return `${got}, ${(second?.atMs ?? 0) - (first?.atMs ?? 0) > 1900 ? 'waited' : 'asked too early'}`
    },
  ),
  scenario(
    'a download that falls silent while its file is replaced',
    { guards: 'the parts of two files are never joined', expected: 'ok, the file, all and all', create },
    async (stage) => {
      const earlier = Buffer.from(bytes.map((byte) => 255 - byte))
      const place = prepared(stage)
      stage.server.model.files.set(id, { fileName: 'app.zip', bytes: earlier })
      stage.server.next(
        'GET file',
        haltAfter(half, () => stage.server.model.files.set(id, { fileName: 'app.zip', bytes })),
      )
      return `${await stage.outcome('download', place)}, ${left(stage)}, ${ranges(stage)}`
    },
  ),
]

const ended: Scenario[] = [
  scenario(
    'a download that breaks off each time',
    { guards: 'a download has five attempts and leaves nothing', expected: 'NETWORK, the old file, 5 asked', create },
    async (stage) => {
      stage.server.always('GET file', cutAfter(1000))
      return `${await fetched(stage)}, ${asked(stage)}`
    },
  ),
  scenario(
    'a download from a server that is away',
    { guards: 'a download gives up a server that does not come back', expected: 'NETWORK, the old file', create },
    async (stage) => {
      await stage.server.stop()
      return fetched(stage)
    },
  ),
  scenario(
    'a download that is asked to wait for more than a minute',
    { guards: 'a long wait is left to the program', expected: 'MAINTENANCE, the old file, 1 asked', create },
    async (stage) => {
      stage.server.always('download', ({ sign }) => sign(failureOf('MAINTENANCE', { retryAfterSeconds: 61 })))
      return `${await fetched(stage)}, ${asked(stage)}`
    },
  ),
  scenario(
    'a download whose file is gone after a cut',
    { guards: 'a signed no ends a download at once', expected: 'DOWNLOAD_NOT_FOUND, the old file, 2 asked', create },
    async (stage) => {
      stage.server.next('download', honest)
      stage.server.always('download', ({ sign }) => sign(failureOf('DOWNLOAD_NOT_FOUND')))
      stage.server.next('GET file', cutAfter(half))
      return `${await fetched(stage)}, ${asked(stage)}`
    },
  ),
  scenario(
    'a download that is canceled between two attempts',
    { guards: 'a program can cancel a download that waits', expected: 'CANCELLED, the old file', create },
    async (stage) => {
      stage.server.always('download', ({ sign }) => sign(failureOf('MAINTENANCE', { retryAfterSeconds: 60 })))
      const call = { do: 'download', ...prepared(stage) }
      return `${await stage.outcome('cancel', { after: 0.5, call })}, ${left(stage)}`
    },
  ),
  scenario(
    'a client that is closed between two attempts of a download',
    { guards: 'close ends a download that waits', expected: 'CANCELLED, the old file', create },
    async (stage) => {
      stage.server.always('download', ({ sign }) => sign(failureOf('MAINTENANCE', { retryAfterSeconds: 60 })))
      const download = stage.outcome('download', prepared(stage))
      await stage.until(() => stage.server.count('download') > 0)
      await stage.ask('close')
      return `${await download}, ${left(stage)}`
    },
  ),
]

export const brokenDownloadScenarios: Scenario[] = [...resumed, ...ended]
