import { afterAll, beforeAll, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { type JsonSchema, smallest } from '#testing/sample-input.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { type ClientCall, clientBodies } from './client-calls.ts'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
})
afterAll(() => app.close())

const logged = ['username', 'key', 'licenseKey', 'hwid']
const values: unknown[] = [1, true, null, {}, ['x'], 'x'.repeat(5000)]

/** What the log has about the program's last call. */
async function lastRecord() {
  await activityLog(app.services).flush()
  return app.db.read
    .selectFrom('logs')
    .select(['call', 'code', 'username', 'license', 'hwid_hash', 'machine_hash'])
    .where('app_id', '=', owner.appId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

test.each(Object.keys(clientBodies) as ClientCall[])(
  '%s ignores fields of other calls, whatever their values, and so does the log',
  async (call) => {
    const { properties } = clientBodies[call]
    const others = logged.filter((name) => !(name in properties))
    const valid = smallest(clientBodies[call] as JsonSchema) as object
    const send = async (fields: object) => {
      app.advance(61)
      program.session = undefined
      await program.init()
      const { status, body } = await program.send(call, { ...valid, ...fields })
      return { status, code: body.code, record: await lastRecord() }
    }
    const plain = await send({})
    for (const value of values)
      expect(await send(Object.fromEntries(others.map((name) => [name, value])))).toEqual(plain)
  },
)
