import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { drained } from '../server/raw-http.ts'
import type { Exchange, Script } from '../server/scripted-server.ts'
import type { WireReply } from '../server/signed-reply.ts'
import type { Stage } from '../stage.ts'
import { bytes, cutAfter, fetched, half, haltAfter, id } from './file-transfers.ts'

const scenario = scenariosOf('hostile')
const mebibyte = 1024 * 1024

const file = (body: Buffer, status = 200, headers: [string, string][] = []): WireReply => ({
  status,
  headers: [['content-type', 'application/octet-stream'], ...headers],
  body,
})

interface Spoiled {
  name: string
  guards: string
  script: Script
  expected: string | string[]
}

const corrupt = 'FILE_CORRUPT, the old file'
const unheard = 'NETWORK, the old file'
const whole = 'ok, the file'

/** Every answer with the bytes is scripted. */
const spoiled: Spoiled[] = [
  {
    name: 'other bytes of the same length',
    guards: 'the SHA-256 of a file is checked before it gets its name',
    script: () => file(Buffer.alloc(bytes.length)),
    expected: corrupt,
  },
  {
    name: 'one flipped bit',
    guards: 'the SHA-256 of a file is checked before it gets its name',
    script: () => {
      const changed = Buffer.from(bytes)
      changed[399_999] = (changed[399_999] ?? 0) ^ 1
      return file(changed)
    },
    expected: corrupt,
  },
  {
    name: 'a byte too many',
    guards: 'at most the signed size is read',
    script: () => file(Buffer.concat([bytes, Buffer.from('x')])),
    expected: [corrupt, whole],
  },
  {
    name: 'a byte too few',
    guards: 'a file that is shorter than its signed size is not whole',
    script: () => file(bytes.subarray(0, -1)),
    expected: [corrupt, unheard],
  },
  {
    name: 'no bytes',
    guards: 'an empty answer is no file',
    script: () => file(Buffer.alloc(0)),
    expected: [corrupt, unheard],
  },
  {
    name: 'always cut off at the start',
    guards: 'a download that makes no progress ends',
    script: cutAfter(0),
    expected: [unheard, corrupt],
  },
  {
    name: 'a 404',
    guards: 'only 200, and 206 for the rest, are the file',
    script: () => file(Buffer.from('x'), 404),
    expected: unheard,
  },
  {
    name: 'the file with the status 404',
    guards: 'only 200, and 206 for the rest, are the file',
    script: () => file(bytes, 404),
    expected: unheard,
  },
  {
    name: 'a 206 that nobody asked for',
    guards: 'a part is not the whole',
    script: () => file(bytes.subarray(10), 206, [['content-range', `bytes 10-399999/400000`]]),
    expected: [unheard, corrupt],
  },
  {
    name: 'a 416',
    guards: 'only 200, and 206 for the rest, are the file',
    script: () => file(Buffer.alloc(0), 416),
    expected: unheard,
  },
  {
    name: 'a page of a hotel',
    guards: 'the bytes are not signed: only their SHA-256 counts',
    script: () => file(Buffer.from('<html>Accept')),
    expected: [corrupt, unheard],
  },
]

const spoiledScenarios: Scenario[] = spoiled.map(({ name, guards, script, expected }) =>
  scenario(`download: ${name}`, { guards, expected, create: { timeout: 6 } }, async (stage) => {
    stage.server.always('GET file', script)
    return fetched(stage)
  }),
)

/** The first answer is cut in half; then the rest is asked for. */
const resumed: Spoiled[] = [
  {
    name: 'the rest, rightly',
    guards: 'an interrupted download goes on or starts over',
    script: ({ honest }) => honest(),
    expected: whole,
  },
  {
    name: 'all of it once more',
    guards: 'a server that gives no part starts over: the halves are not joined',
    script: () => file(bytes),
    expected: whole,
  },
  {
    name: 'a part that starts elsewhere',
    guards: 'a part counts only if it starts where the first one ended',
    script: ({ request }) =>
      request.headers.range === undefined
        ? file(bytes)
        : file(bytes.subarray(half - 7), 206, [['content-range', `bytes ${half - 7}-399999/400000`]]),
    expected: [unheard, corrupt, whole],
  },
  {
    name: 'a part with a wrong range in its header',
    guards: 'a lie about the range gives no wrong file',
    script: ({ honest, request }) => {
      if (request.headers.range === undefined) return honest()
      const reply = honest()
      return file(Buffer.alloc(reply.body.length), 206, reply.headers)
    },
    expected: [corrupt, whole],
  },
  {
    name: 'a part without a range in its header',
    guards: 'a part without its place has no place',
    script: ({ honest, request }) => (request.headers.range === undefined ? honest() : file(honest().body, 206)),
    expected: [unheard, corrupt, whole],
  },
]

const resumedScenarios: Scenario[] = resumed.map(({ name, guards, script, expected }) =>
  scenario(
    `download cut in half: ${name}`,
    // A client that does not go on by itself reports the cut; asked again, it has the file.
    { guards, expected: Array.isArray(expected) ? expected : [expected], create: { timeout: 6 } },
    async (stage) => {
      stage.server.next('GET file', cutAfter(half))
      stage.server.always('GET file', script)
      const got = await fetched(stage)
      return got === unheard ? fetched(stage) : got
    },
  ),
)

const replaced = scenario(
  'download cut in half: the file was replaced',
  { guards: 'the parts of two files are never joined', expected: 'ok, the file of later', create: { timeout: 6 } },
  async (stage) => {
    const later = Buffer.from(bytes.map((byte) => 255 - byte))
    const path = join(stage.folder(), 'app.zip')
    stage.server.model.files.set(id, { fileName: 'app.zip', bytes })
    stage.server.next('GET file', (exchange) => {
      const reply = cutAfter(half)(exchange)
      stage.server.model.files.set(id, { fileName: 'app.zip', bytes: later })
      return reply
    })
    let got = await stage.outcome('download', { fileId: id, path })
    if (got !== 'ok') got = await stage.outcome('download', { fileId: id, path })
    const content = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
    if (content.equals(later)) return `${got}, the file of later`
    return `${got}, ${content.equals(bytes) ? 'the file' : 'other bytes'}`
  },
)

/** The offer is signed: a server with a fault or a thief's hand in its database must not reach beyond the file. */
const offered =
  (change: object): Script =>
  ({ sign, server }) => {
    const offer = server.model.offerOf(id, { fileName: 'app.zip', bytes })
    return sign({ status: 200, fields: { success: true, message: '', ...offer, ...change } })
  }
const offers: [name: string, change: (stage: Stage, otherPort: number) => object, expected: string | string[]][] = [
  [
    'an address on another host',
    (_stage, port) => ({ url: `http://127.0.0.1:${port}/api/1.0/download/${id}` }),
    'MALFORMED_REPLY',
  ],
  [
    'an address that only lacks its scheme',
    (_stage, port) => ({ url: `//127.0.0.1:${port}/api/1.0/download/${id}` }),
    'MALFORMED_REPLY',
  ],
  [
    'an address that turns the server into a username',
    (_stage, port) => ({ url: `@127.0.0.1:${port}/api/1.0/download/${id}` }),
    'MALFORMED_REPLY',
  ],
  ['an address that continues the port', (_stage, port) => ({ url: `0@127.0.0.1:${port}/x` }), 'MALFORMED_REPLY'],
  [
    'an address with backslashes',
    (_stage, port) => ({ url: `/\\127.0.0.1:${port}/x` }),
    ['MALFORMED_REPLY', 'NETWORK'],
  ],
  [
    'an address with a line end',
    () => ({ url: `/api/1.0/download/${id}\r\nX-Evil: 1` }),
    ['MALFORMED_REPLY', 'NETWORK'],
  ],
  ['an address that is a number', () => ({ url: 7 }), 'MALFORMED_REPLY'],
  ['an address of a local file', () => ({ url: 'file:///etc/passwd' }), 'MALFORMED_REPLY'],
  ['a negative size', () => ({ size: -1 }), 'MALFORMED_REPLY'],
  ['a size of text', () => ({ size: '400000' }), 'MALFORMED_REPLY'],
  ['a size of a fraction', () => ({ size: 1.5 }), 'MALFORMED_REPLY'],
  ['a SHA-256 that is none', () => ({ sha256: 'x' }), 'MALFORMED_REPLY'],
  ['no SHA-256', () => ({ sha256: undefined }), 'MALFORMED_REPLY'],
  ['a file name that is a number', () => ({ fileName: 7 }), 'MALFORMED_REPLY'],
]
const offerScenarios: Scenario[] = offers.map(([name, change, expected]) =>
  scenario(
    `download: ${name}, signed`,
    {
      guards: 'the bytes come from a path on the same server and go to the given path only',
      expected: [expected].flat().map((code) => `${code}, the old file, 0 elsewhere`),
      create: { timeout: 6 },
    },
    async (stage) => {
      const other = await stage.otherServer()
      stage.server.always('download', offered(change(stage, other.port)))
      return `${await fetched(stage)}, ${other.requests.length} elsewhere`
    },
  ),
)

const traversal: Scenario[] = ['../evil', '..\\evil', '/tmp/signet-evil', 'C:\\evil', 'app.zip:stream', '', '.'].map(
  (fileName) =>
    scenario(
      `download: the file name ${JSON.stringify(fileName)}, signed`,
      {
        guards: 'the file name of the server decides no path',
        expected: [whole, 'MALFORMED_REPLY, the old file'],
        create: { timeout: 6 },
      },
      async (stage) => {
        stage.server.always('download', offered({ fileName }))
        const got = await fetched(stage)
        const evil = [join(stage.folder(), '..', 'evil'), '/tmp/signet-evil'].find((path) => existsSync(path))
        return evil ? `${got}, and ${evil}` : got
      },
    ),
)

const away: Scenario[] = [301, 307].map((status) =>
  scenario(
    `download: a redirect ${status} to another server`,
    { guards: 'redirects are not followed', expected: `${unheard}, 0 elsewhere`, create: { timeout: 6 } },
    async (stage) => {
      const other = await stage.otherServer()
      other.model.files.set(id, { fileName: 'app.zip', bytes })
      stage.server.always('GET file', ({ request }: Exchange) =>
        file(Buffer.alloc(0), status, [['location', other.url + request.path]]),
      )
      return `${await fetched(stage)}, ${other.requests.length} elsewhere`
    },
  ),
)

const places: Scenario[] = [
  scenario(
    'download: endless bytes',
    {
      guards: 'at most the signed size is read',
      expected: [`${corrupt}, not much was read`, `${unheard}, not much was read`],
      create: { timeout: 6 },
    },
    async (stage) => {
      let most = 0
      stage.server.always('GET file', async ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' })
        let sent = 0
        for (; sent < 128 * mebibyte && !response.destroyed; sent += mebibyte) {
          if (!response.write(Buffer.alloc(mebibyte))) await drained(response)
        }
        most = Math.max(most, sent)
        response.destroy()
        return undefined
      })
      const got = await fetched(stage)
      await stage.until(() => most > 0, 2000)
      // What the buffers of both sides hold counts, too.
      return `${got}, ${most < 64 * mebibyte ? 'not much' : `${most / mebibyte} MiB`} was read`
    },
  ),
  scenario(
    'download: into a folder that does not exist',
    { guards: 'a path that can not be written has an error of its own', expected: 'FILE_NOT_WRITTEN' },
    async (stage) => {
      stage.server.model.files.set(id, { fileName: 'app.zip', bytes })
      return stage.outcome('download', { fileId: id, path: join(stage.folder(), 'missing', 'app.zip') })
    },
  ),
  ...(
    [
      ['that ends with a zero byte and more', 'app.zip\0.txt', 'FILE_NOT_WRITTEN, 0 files'],
      ['of a folder', '.', 'FILE_NOT_WRITTEN, 0 files'],
      ['outside ASCII', 'aplicação 日本 🎉.zip', 'ok, 1 files'],
    ] as const
  ).map(([which, name, expected]) =>
    scenario(
      `download: to the path ${which}`,
      { guards: 'a file is written under exactly its name, or not at all', expected },
      async (stage) => {
        stage.server.model.files.set(id, { fileName: 'app.zip', bytes })
        const got = await stage.outcome('download', { fileId: id, path: `${stage.folder()}/${name}` })
        const files = stage.filesIn(stage.folder())
        return `${got}, ${got === 'ok' ? files.filter((each) => each === name).length : files.length} files`
      },
    ),
  ),
  scenario('download: an empty file', { guards: 'an empty file is a file', expected: 'ok, 0 bytes' }, async (stage) => {
    stage.server.model.files.set(id, { fileName: 'empty', bytes: Buffer.alloc(0) })
    const path = join(stage.folder(), 'empty')
    const got = await stage.outcome('download', { fileId: id, path })
    return `${got}, ${existsSync(path) ? readFileSync(path).length : 'no'} bytes`
  }),
  scenario(
    'download: silence each time',
    { guards: 'a transfer that is always silent ends', expected: unheard, create: { timeout: 2 } },
    async (stage) => {
      stage.server.always('GET file', haltAfter(50_000))
      return fetched(stage)
    },
  ),
]

export const hostileDownloadScenarios: Scenario[] = [
  ...spoiledScenarios,
  ...resumedScenarios,
  replaced,
  ...offerScenarios,
  ...traversal,
  ...away,
  ...places,
]
