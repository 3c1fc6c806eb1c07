import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallError } from '#contract/errors.ts'
import { schemaCheck } from '#server/http/schema-check.ts'
import { hostileValues } from '#testing/faults/hostile-values.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { type JsonSchema, smallest } from '#testing/sample-input.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { type ClientCall, clientBodies } from './client-calls.ts'

/** Values that break programs in each field of each call of a program: signed answers below 500. */

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

/** A program whose user is signed in; some calls end its session. */
async function signedIn(): Promise<Program> {
  app.advance(61)
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  return program
}

/** Bodies with one value that reaches the call: all others are rejected by one check, which has tests of its own. */
function bodiesOf(call: ClientCall): object[] {
  const schema = clientBodies[call]
  const check = schemaCheck(schema, 'body')
  const valid = smallest(schema as JsonSchema) as object
  const isAccepted = (body: object) => {
    try {
      check(structuredClone(body))
      return true
    } catch (error) {
      if (error instanceof CallError) return false
      throw error
    }
  }
  const inParameters = call === 'call-webhook' ? hostileValues.map((value) => ({ ...valid, params: { x: value } })) : []
  return Object.keys(schema.properties)
    .flatMap((name) => hostileValues.map((value) => ({ ...valid, [name]: value })))
    .concat(inParameters)
    .filter(isAccepted)
}

test.each((Object.keys(clientBodies) as ClientCall[]).filter((call) => bodiesOf(call).length > 0))(
  '%s answers any value below 500',
  async (call) => {
    let program = await signedIn()
    for (const body of bodiesOf(call)) {
      let answer = await program.send(call, body, { unsigned: true })
      if (answer.status === 401 || answer.status === 429) {
        program = await signedIn()
        answer = await program.send(call, body, { unsigned: true })
      }
      expect(answer.status, `${JSON.stringify(body).slice(0, 200)} → ${JSON.stringify(answer.body)}`).toBeLessThan(500)
    }
  },
)
