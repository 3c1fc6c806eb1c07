import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { unitSeconds } from '#contract/duration.ts'
import { otherNamesIn } from '#contract/field-names.ts'
import { type Caller, newCaller } from '#testing/people/new-caller.ts'
import { type JsonSchema, sampleInput, smallest } from '#testing/sample-input.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { features } from '../features.ts'

/**
 * Made from the contracts: on every call a field has all of its names, a length of time all
 * units, and a number may come as text.
 */

const calls = features.flatMap(({ endpoints }) => endpoints.map(({ call }) => call))
const nameOf = (call: CallDefinition) => `${call.method} ${call.path}`
const parts = ['body', 'query'] as const

type Part = (typeof parts)[number]

const fieldsOf = (call: CallDefinition, part: Part): Record<string, JsonSchema> =>
  ((call[part] ?? {}) as JsonSchema).properties ?? {}

/** The fields of a part that a choice finds something for. */
const choose = <T>(call: CallDefinition, part: Part, pick: (name: string, schema: JsonSchema) => T | undefined) =>
  Object.entries(fieldsOf(call, part)).flatMap(([name, schema]) => {
    const found = pick(name, schema)
    return found === undefined ? [] : [{ name, schema, found }]
  })

const casesOf = <T>(pick: (name: string, schema: JsonSchema, fields: object) => T | undefined) =>
  calls.flatMap((call) =>
    parts.flatMap((part) => {
      const fields = choose(call, part, (name, schema) => pick(name, schema, fieldsOf(call, part)))
      return fields.length > 0 ? [[`${nameOf(call)}, ${part}`, { call, part, fields }] as const] : []
    }),
  )

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** The answer to a valid input, made for this caller, with a change to one of its parts. */
async function outcomeOf(caller: Caller, call: CallDefinition, part: Part, change: (valid: object) => object) {
  const input = sampleInput(call, caller.objects)
  const { status, body } = await caller.send({ ...input, [part]: change(input[part] ?? {}) })
  return { status, code: body.code, field: (body as { field?: string }).field }
}

describe('a field has all of its names on every call', () => {
  const cases = casesOf((name, _schema, fields) => {
    const others = otherNamesIn(fields, name)
    return others.length > 0 ? others : undefined
  })

  test('the list includes calls of every kind', () => {
    expect(new Set(cases.map(([name]) => name)).size).toBeGreaterThan(30)
    const names = new Set(cases.flatMap(([, { fields }]) => fields.map(({ name }) => name)))
    for (const name of ['subscription', 'level', 'licenseKey', 'licenses', 'sellerKey', 'sellerKeys', 'sessionId'])
      expect([...names]).toContain(name)
    for (const name of ['deleteUsers', 'expiryUnit', 'unit', 'variableName', 'variableData', 'originalName'])
      expect([...names]).toContain(name)
  })

  test.each(cases)('%s', async (_name, { call, part, fields }) => {
    const rounds = Math.max(...fields.map(({ found }) => found.length))
    const rejecting = await newCaller(app, call)
    const sample = async (rename: (field: (typeof fields)[number]) => string, wrong?: string) => {
      const caller = wrong === undefined ? await newCaller(app, call) : rejecting
      return outcomeOf(caller, call, part, (valid) => {
        const sent: Record<string, unknown> = { ...valid }
        for (const field of fields) {
          const value = wrong === field.name ? { not: 'right' } : (sent[field.name] ?? smallest(field.schema))
          delete sent[field.name]
          sent[rename(field)] = part === 'query' && typeof value === 'object' ? 'neither this nor that' : value
        }
        return sent
      })
    }
    const wanted = await sample(({ name }) => name)
    for (let round = 0; round < rounds; round++) {
      const other = ({ found }: (typeof fields)[number]) => found[round % found.length] as string
      expect(await sample(other)).toEqual(wanted)
      // It is read, and not merely let through.
      for (const { name } of fields) {
        const rejected = await sample(({ name: own }) => own, name)
        expect(rejected.status).toBeGreaterThanOrEqual(400)
        expect(await sample(other, name)).toEqual(rejected)
      }
    }
  })

  test.each(cases)('%s: rejects two names with different values', async (_name, { call, part, fields }) => {
    const caller = await newCaller(app, call)
    for (const { name, found } of fields) {
      const twice = await outcomeOf(caller, call, part, (valid) => ({
        ...valid,
        [name]: '1',
        [found[0] as string]: '2',
      }))
      expect(twice).toEqual({ status: 400, code: 'FIELD_TWICE', field: name })
    }
  })
})

describe('a duration has all units on every call', () => {
  const units = Object.keys(unitSeconds)
  const cases = casesOf((name) => (name === 'unit' || name === 'expiryUnit' ? units : undefined))

  test('the list includes every call that takes a duration with a unit', () => {
    expect(cases.map(([name]) => name)).toHaveLength(10)
  })

  test.each(cases)('%s', async (_name, { call, part, fields }) => {
    const [{ name } = { name: '' }] = fields
    const caller = await newCaller(app, call)
    const send = (unit: string) => outcomeOf(caller, call, part, (valid) => ({ ...valid, duration: 1, [name]: unit }))
    const wanted = await send('days')
    for (const unit of units) expect(await send(unit)).toEqual(wanted)
    expect(await send('fortnights')).toMatchObject({ code: 'TIME_UNIT_REQUIRED' })
  })
})

describe('a number can be sent as text on every call, except for amounts of credits (R-LED-03)', () => {
  const isNumber = ({ type, exact, anyOf = [] }: JsonSchema): boolean =>
    (type === 'integer' && !exact) || anyOf.some(isNumber)
  const cases = casesOf((_name, schema) => (isNumber(schema) ? true : undefined))

  test.each(cases)('%s', async (_name, { call, part, fields }) => {
    const first = await newCaller(app, call)
    const second = call.method === 'GET' ? first : await newCaller(app, call)
    const send = (caller: Caller, asSent: (value: unknown) => unknown) => {
      const sent = Object.fromEntries(fields.map(({ name, schema }) => [name, asSent(smallest(schema))]))
      return outcomeOf(caller, call, part, (valid) => ({ ...valid, ...sent }))
    }
    const wanted = await send(first, (value) => value)
    expect(wanted.code).not.toBe('INTEGER_REQUIRED')
    expect(await send(second, (value) => ` ${String(value)} `)).toEqual(wanted)
  })
})

describe('an empty value in a query counts as absent on every call', () => {
  const isListening = (call: CallDefinition) => call.path.endsWith('/live')
  const cases = calls.filter((call) => call.method === 'GET' && call.query && !isListening(call))
  const callers = new Map<string, Promise<Caller>>()
  /** They only read, so that one caller does for all that may be called by the same. */
  const callerOf = (call: CallDefinition) => {
    const kind = `${call.access} ${call.app ?? ''} ${call.path.startsWith('/reseller')}`
    return callers.get(kind) ?? (callers.set(kind, newCaller(app, call)).get(kind) as Promise<Caller>)
  }

  test.each(cases.map((call) => [nameOf(call), call] as const))('%s', async (_name, call) => {
    const caller = await callerOf(call)
    const { required = [] } = call.query as JsonSchema
    const { query = {}, ...input } = sampleInput(call, caller.objects)
    const needed = Object.fromEntries(required.map((name) => [name, query[name]]))
    const empty = Object.fromEntries(Object.keys(fieldsOf(call, 'query')).map((name) => [name, '']))
    const wanted = await caller.sendTo(call, { ...input, query: needed })
    const answer = await caller.sendTo(call, { ...input, query: { ...empty, ...needed } })
    expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([wanted.status, wanted.body.code])
    for (const name of required)
      expect((await caller.sendTo(call, { ...input, query: { ...needed, [name]: '' } })).status).toBe(400)
  })

  test('a filter that is empty under its other name matches everything, and an unknown field is still rejected', async () => {
    const [call] = cases.filter(({ path, area }) => path === '/licenses' && !area)
    const caller = await callerOf(call as CallDefinition)
    const send = async (query: object) => (await caller.sendTo(call as CallDefinition, { query })).body
    expect(await send({ plan: '', status: '', page: '' })).toMatchObject({ success: true, total: 1 })
    expect(await send({ surprise: '' })).toMatchObject({ code: 'FIELD_UNKNOWN' })
  })
})

describe('a reply has both names of each field with two names', () => {
  const pairs = [
    ['license', 'licenseKey'],
    ['sellerKey', 'key'],
    ['sellerKeys', 'keys'],
    ['ownerid', 'id'],
  ] as const

  /** Perhaps null. */
  const isObject = ({ type, anyOf = [] }: JsonSchema): boolean => type === 'object' || anyOf.some(isObject)

  test.each(calls.map((call) => [nameOf(call), call] as const))('%s', (_name, { reply }) => {
    const visit = (schema: JsonSchema): void => {
      const { properties = {}, items, anyOf = [] } = schema
      for (const [one, other] of pairs) {
        // A license that is a reply of its own is an object; a key is a text.
        if (properties[one] && !isObject(properties[one])) expect(Object.keys(properties)).toContain(other)
      }
      for (const inner of [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]) visit(inner)
    }
    visit(reply as JsonSchema)
  })
})
