import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { type Field, fieldsOf, isInner } from '#testing/faults/fields-of-call.ts'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { hostileBodyTexts, hostileContentTypes, hostileValues as values } from '#testing/faults/hostile-values.ts'
import { newCaller } from '#testing/people/new-caller.ts'
import { type JsonSchema, sampleInput, smallest } from '#testing/sample-input.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import type { Answer } from '#testing/people/visitor.ts'
import { CallError } from '#contract/errors.ts'
import { inputReaders } from '../server/http/call-routes.ts'
import { features } from '../features.ts'
import { type TSchema, Type } from 'typebox'

/**
 * Every field of every call, at any depth, × values that break programs, made from the contracts: whatever is sent, the
 * answer is either right or a clear rejection, and never the server's fault.
 */

const kinds = new Set<string>()
const isFirstOfKind = (...kind: unknown[]): boolean => kinds.size < kinds.add(JSON.stringify(kind)).size

/** Part of a list, a different one for each `n`: for what an equal field or call has been sent in full. */
const someOf = <T>(list: readonly T[], n: number): T[] => list.filter((_, at) => at % 7 === n % 7)

/** Values for a path or a query: an address cannot contain half a character. */
const textValues = values.filter((value) => typeof value !== 'object' && !/\p{Surrogate}|x{9999}/u.test(String(value)))

/** Calls whose valid input is a password or a token: with another one, the answer is 401 or 403. */
const judgesCredentials = new Set([
  '/profile/reauthenticate',
  '/reseller/profile/reauthenticate',
  '/reseller/setup/{registrationToken}',
])

interface Case {
  call: CallDefinition
  bodies: readonly string[]
  contentTypes: readonly string[]
  fields: { field: Field; values: readonly unknown[] }[]
}

/** The parser of bodies knows a call's access and whether it takes a file; fields are checked by their schema. */
function caseOnSqlite(feature: string, call: CallDefinition, n: number): Case {
  const isFirst = isFirstOfKind(call.method, call.access, Boolean(call.upload), call.maxBodyKiB)
  const pick = <T>(list: readonly T[]) => (isFirst ? list : someOf(list, n))
  return {
    call,
    bodies: call.method === 'GET' ? [] : pick(hostileBodyTexts),
    contentTypes: call.method === 'GET' ? [] : pick(hostileContentTypes),
    fields: fieldsOf(call).flatMap((field, at) => {
      const all = isInner(field) ? acceptedValues(call, field) : valuesOf(field)
      const chosen = isFirstOfKind(feature, field) ? all : someOf(all, n + at)
      return chosen.length > 0 ? [{ field, values: chosen }] : []
    }),
  }
}

/** On the second engine, only values that the schema accepts: all others are rejected before a database is involved. */
function caseOnPostgres(feature: string, call: CallDefinition): Case {
  const fields = fieldsOf(call)
    .filter((field) => isFirstOfKind(feature, field.path, field.schema))
    .map((field) => ({ field, values: acceptedValues(call, field) }))
  return { call, bodies: [], contentTypes: [], fields: fields.filter((each) => each.values.length > 0) }
}

const valuesOf = ({ part }: Field): readonly unknown[] => (part === 'body' ? values : textValues)

/** Those that reach the call: all others are rejected in the same way at any depth, which a test below checks. */
const acceptedValues = (call: CallDefinition, field: Field): unknown[] =>
  valuesOf(field).filter(isAccepted(call, field.schema))

/** Whether the value of a field comes through the check of its schema, as a text or as it is. */
function isAccepted(call: CallDefinition, schema: JsonSchema): (value: unknown) => boolean {
  const alone = Type.Object({ field: schema as TSchema })
  const { body, query } = inputReaders({ ...call, body: alone, query: alone })
  const comesThrough = (read: () => unknown) => rejectionOf(read) === undefined
  return (value) =>
    comesThrough(() => body?.({ field: structuredClone(value) })) ||
    (typeof value !== 'object' && comesThrough(() => query?.({ field: String(value) })))
}

function rejectionOf(read: () => unknown): CallError | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof CallError) return error
    throw error
  }
}

const allCalls = features.flatMap(({ name: feature, endpoints }) => endpoints.map(({ call }) => ({ feature, call })))
const cases = allCalls
  .map(({ feature, call }, n) =>
    testEngine === 'sqlite' ? caseOnSqlite(feature, call, n) : caseOnPostgres(feature, call),
  )
  .filter(({ bodies, fields }) => bodies.length + fields.length > 0)

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
// Maintenance mode among the accepted values would keep the next caller out.
afterEach(() => setPlatform(app, 'platform', {}))

async function expectAnswered(send: () => Promise<Answer>, sent: unknown): Promise<number> {
  let answer = await send()
  if (answer.status === 429) {
    // The limits have tests of their own; here every value is to get behind them.
    app.advance(3601)
    answer = await send()
  }
  expect(answer.status, `${JSON.stringify(sent)?.slice(0, 200)} → ${JSON.stringify(answer.body)}`).toBeLessThan(500)
  if (answer.status >= 400) expectRejected(answer, sent, answer.status)
  return answer.status
}

describe.each(cases.map((each) => [`${each.call.method} ${each.call.path}`, each] as const))(
  '%s',
  (_name, { call, bodies, contentTypes, fields }) => {
    test('answers any input below 500 and says what is wrong', async () => {
      // A new one for each call, because a call may end something, such as its caller's account.
      const { objects, send } = await newCaller(app, call)
      const valid = sampleInput(call, objects)
      const statuses = new Set<number>()
      const answered = async (send: () => Promise<Answer>, sent: unknown) =>
        void statuses.add(await expectAnswered(send, sent))
      for (const body of bodies) await answered(() => send({ ...valid, body }), body)
      for (const type of contentTypes) {
        await answered(() => send({ ...valid, body: '{"a":1}' }, { 'content-type': type }), type)
      }
      for (const { field, values } of fields) {
        const { part, name, path, around } = field
        for (const value of values) {
          const input = { ...valid, [part]: { ...valid[part], [name]: around(value) } }
          await answered(() => send(input), { [part]: { [path]: value } })
        }
      }
      // At least one came past authentication and the limits.
      if (testEngine === 'sqlite' || !judgesCredentials.has(call.path))
        expect([...statuses].some((status) => ![401, 403, 429].includes(status))).toBe(true)
    })
  },
)

test.runIf(testEngine === 'sqlite')('a field inside another one is accepted, or rejected like any other', () => {
  const rejections = new Map<string, CallError>()
  let rejected = 0
  for (const { call, field } of allCalls.flatMap(({ call }) => fieldsOf(call).map((field) => ({ call, field })))) {
    const read = inputReaders(call)[field.part]
    if (!read || !isInner(field)) continue
    const { properties = {}, required = [] } = call[field.part] as JsonSchema
    const valid = Object.fromEntries(required.map((name) => [name, smallest(properties[name] ?? {})]))
    for (const value of values) {
      const error = rejectionOf(() => read(structuredClone({ ...valid, [field.name]: field.around(value) })))
      if (!error) continue
      rejections.set(error.message, error)
      rejected += 1
    }
  }
  expect(rejected).toBeGreaterThan(5000)
  for (const { status, message, code } of rejections.values()) {
    const body = { success: false, message, code, requestId: '-' }
    expectRejected({ status, body, headers: new Headers() }, message)
  }
})

test('has fields to send', () => {
  const sent = cases.flatMap(({ fields }) => fields)
  expect(sent.length).toBeGreaterThan(testEngine === 'sqlite' ? 700 : 100)
  expect(sent.filter(({ field }) => isInner(field)).length).toBeGreaterThan(testEngine === 'sqlite' ? 250 : 100)
  for (const { values } of sent) expect(values.length).toBeGreaterThan(0)
})
