import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Field, fieldsOf } from '#testing/faults/fields-of-call.ts'
import { hostileValues } from '#testing/faults/hostile-values.ts'
import { newUser, userOf } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { importsContract } from './imports.contract.ts'

/** Values that break programs in each field of a row: the file goes on with the next batch. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** The rest of the row is valid, so that the value is what decides. */
const valid = {
  licenses: (row: number) => ({ row, key: `KEY-${row}`, level: '1', duration: '30' }),
  users: (row: number) => ({ row, username: `user ${row}`, subscriptions: [{ level: '1', expiry: '2096-10-02' }] }),
}
type Kind = keyof typeof valid

const fieldsOfRows = (kind: Kind): Field[] =>
  fieldsOf(importsContract.importRows).filter(({ path }) => path.startsWith(`${kind}[].`))

/** One row with this value; of a field in a list of the row, the list has only this element. */
function rowsWith(kind: Kind, field: Field, row: number, value: unknown): unknown[] {
  const [changed] = field.around(value) as Record<string, unknown>[]
  const name = field.path.split('.')[1]?.replace('[]', '') ?? ''
  return [{ ...valid[kind](row), [name]: changed?.[name] }]
}

test.each(['licenses', 'users'] as const)('of %s, each value is imported, skipped, or rejected', async (kind) => {
  const owner = await newOwnerWithApp(app)
  const levels = [{ label: '1', level: 1 }]
  const file = { kind, source: 'keyauth', fileName: 'file.json', fingerprint: 'ab', rows: 10_000, levels }
  const start = await owner.visitor.send('POST', '/api/1.0/website/imports/start', { body: file })
  const { importId } = start.body['import'] as { importId: string }
  let batch = 1
  for (const field of fieldsOfRows(kind)) {
    for (const value of hostileValues) {
      const body = { importId, batch, [kind]: rowsWith(kind, field, batch, value) }
      const { status, body: reply } = await owner.visitor.send('POST', '/api/1.0/website/imports/rows', { body })
      const shown = `${field.path} ${JSON.stringify(value)?.slice(0, 100)} → ${JSON.stringify(reply).slice(0, 300)}`
      expect([200, 400, 413], shown).toContain(status)
      if (status === 200) batch += 1
      app.advance(1)
    }
  }
  expect(batch).toBeGreaterThan(50)
})

test('users with the same row number each have their own new name, subscriptions, and result', async () => {
  const owner = await newOwnerWithApp(app)
  for (const name of ['anna', 'bob']) await newUser(owner, name)
  const file = { kind: 'users' as const, source: 'csv' as const, fileName: 'file.csv', fingerprint: 'ab', rows: 3 }
  const start = { ...file, onConflict: 'rename' as const, withKeys: true, levels: [{ label: '1', level: 1 }] }
  const { importId } = (await owner.visitor.call('POST /imports/start', { body: start })).body.import
  const [key = ''] = await newLicenses(owner, 1)
  const subscriptions = [{ level: '1', expiry: '2096-10-02' }]
  const users = ['anna', 'bob', key].map((username) => ({ row: 1, username, subscriptions }))
  const { status, body } = await owner.visitor.call('POST /imports/rows', { body: { importId, batch: 1, users } })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ created: 2, skipped: 1 })
  expect(body.results).toMatchObject([
    { row: 1, name: 'anna', outcome: 'renamed', newName: 'anna-2' },
    { row: 1, name: 'bob', outcome: 'renamed', newName: 'bob-2' },
    { row: 1, name: key, outcome: 'skipped', code: 'LICENSE_TAKEN' },
  ])
  for (const name of ['anna-2', 'bob-2']) expect(await userOf(owner, name)).toMatchObject({ username: name })
})
