import { batchFrom, rowsOf } from '#features/imports/batch-rows.rules.ts'
import { columnsOf, readImportFile } from '#features/imports/import-files.rules.ts'
import type { Answer } from '#testing/people/visitor.ts'
import { Load } from './load.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { ProgramFleet } from './program-fleet.ts'
import { ServerProcess } from './server-process.ts'

const levels = [{ label: 'default', level: 1 }]
const expiry = 1_900_000_000

/** KeyAuth's file of users, each with a subscription and a bcrypt hash. */
function fileOf(amount: number): string {
  const names = Array.from({ length: amount }, (_, at) => `imported ${at}`)
  const password = `$2y$10$${'a'.repeat(53)}`
  return JSON.stringify({
    users: names.map((username) => ({ username, email: null, password, hwid: `S-1-5-21-${username}`, banned: null })),
    subscription: names.map((user) => ({ user, subscription: 'default', expiry })),
  })
}

/** Reads, checks, imports, and undoes a KeyAuth file of 100,000 users over HTTP, as the dashboard does. */
export const importUsers: Measurement = {
  name: 'import-users',
  engines: 'each',
  async run({ quick, scratch, newPlace, say }) {
    const amount = quick ? 10_000 : 100_000
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const { owner } = await ProgramFleet.of(server, place, load)
    const { visitor } = owner

    const text = fileOf(amount)
    const readSeconds = await secondsOf(async () => {
      readFile(text)
    })
    const rows = readFile(text)
    let valid = 0
    const checkSeconds = await secondsOf(async () => {
      for (let from = 0; from < amount;) {
        const { users = [] } = batchFrom(rows, from)
        const checked = await ok(visitor.call('POST /imports/check', { body: { users, levels: ['default'] } }))
        valid += checked.valid
        from += users.length
      }
    })
    atLeast(amount, valid, 'valid rows')
    say(`read and checked ${amount} rows in ${Math.round(readSeconds + checkSeconds)} s`)

    let importId = ''
    const importSeconds = await secondsOf(async () => {
      const body = {
        kind: 'users',
        source: 'keyauth',
        fileName: 'users.json',
        fingerprint: '',
        rows: amount,
        levels,
      } as const
      importId = (await ok(visitor.call('POST /imports/start', { body }))).import.importId
      for (let from = 0, batch = 1; from < amount; batch++) {
        const { users = [] } = batchFrom(rows, from)
        await ok(visitor.call('POST /imports/rows', { body: { importId, batch, users } }))
        from += users.length
      }
    })
    const { total } = await ok(visitor.call('GET /users', { query: { count: 'all' } }))
    atLeast(amount, total, 'users in the list')
    say(`imported them in ${importSeconds.toFixed(1)} s`)

    let restored = 0
    const undoSeconds = await secondsOf(async () => {
      restored = (await ok(visitor.call('POST /imports/undo', { body: { undoId: importId } }))).restored
    })
    atLeast(amount, restored, 'undone users')
    load.end()
    await server.end()
    scratch.drop(place.dataDir)
    return [
      { name: 'check of 100,000 users to import', value: checkSeconds, unit: 's' },
      { name: 'import of 100,000 users', value: importSeconds, unit: 's', target: { max: 30 } },
      { name: 'undo of an import of 100,000 users', value: undoSeconds, unit: 's' },
    ]
  },
}

function readFile(text: string) {
  const { file, problem } = readImportFile(text, 'users')
  if (!file) throw new Error(`The file was not read: ${problem}`)
  return rowsOf(file, columnsOf(file))
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function ok<T>(answer: Promise<Answer<T>>): Promise<Answer<T>['body']> {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`Answered ${status}: ${body.message}`)
  return body
}
