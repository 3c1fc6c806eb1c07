import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectAllRejected, hostileBodies, notFlags, notTexts, strangeTexts } from '#testing/faults/hostile-input.ts'
import { somebodyWaits } from '#testing/faults/waiting-for-lock.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { setAppVariable } from '../variables.actions.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())

type Body = Calls['POST /modify_app_var']['body']
const modify = (body: Body, who = owner) => who.visitor.call('POST /modify_app_var', { body })
const all = async (who = owner) => (await who.visitor.call('POST /getAllAppVar', { body: {} })).body.vars
const variable = async (name: string) => (await all()).find(({ variableName }) => variableName === name)

describe('a variable of an app', () => {
  test('is created, changed, and deleted by one call, each with its own message', async () => {
    expect((await modify({ variableName: ' api_key ', variableData: 'one' })).body).toMatchObject({
      code: 'VARIABLE_CREATE_OK',
      message: 'Variable created successfully',
    })
    expect(await variable('api_key')).toEqual({
      variableName: 'api_key',
      variableData: 'one',
      authenticated: true,
      createdAt: app.now(),
      updatedAt: app.now(),
    })
    app.advance(5)
    expect((await modify({ variableName: 'api_key', variableData: 'two', authenticated: false })).body).toMatchObject({
      code: 'VARIABLE_UPDATE_OK',
      message: 'Variable updated successfully',
    })
    // Omitted fields keep their value.
    await modify({ variableName: 'api_key', variableData: 'three' })
    expect(await variable('api_key')).toMatchObject({
      variableData: 'three',
      authenticated: false,
      updatedAt: app.now(),
    })
    expect((await modify({ variableName: 'api_key', deleteVariable: true })).body).toMatchObject({
      code: 'VARIABLE_DELETE_OK',
      message: 'Variable deleted successfully',
    })
    expect(await variable('api_key')).toBeUndefined()
    expect(await modify({ variableName: 'api_key', deleteVariable: true })).toMatchObject({
      status: 404,
      body: { code: 'VARIABLE_NOT_FOUND' },
    })
  })

  test('with mustBeNew never replaces an existing one, also in many simultaneous calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => modify({ variableName: 'new', variableData: String(n), mustBeNew: true })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'VARIABLE_EXISTS',
      field: 'variableName',
    })
  })

  // On SQLite, a transaction is alone with the database.
  test.runIf(testEngine === 'postgres')('that two calls create at once is changed by the later one', async () => {
    const context = {
      actor: { type: 'system' as const },
      app: { id: owner.appId, ownerId: owner.id, name: owner.appName },
      now: app.now(),
      caller: { ip: '', requestId: 'x' },
    }
    let later: ReturnType<typeof modify> | undefined
    await app.db.write(async (tx) => {
      await setAppVariable(tx, context, { name: 'raced', data: 'earlier', authenticated: false })
      later = modify({ variableName: 'raced', variableData: 'later' })
      await somebodyWaits(app.db.read)
    })
    expect((await later)?.body).toMatchObject({ code: 'VARIABLE_UPDATE_OK' })
    expect(await variable('raced')).toMatchObject({ variableData: 'later', authenticated: false })
  })

  test('that is repeated with its Idempotency-Key is created once and returns the first reply, also with mustBeNew', async () => {
    const create = (variableData: string) =>
      owner.visitor.call('POST /modify_app_var', {
        body: { variableName: 'once', variableData, mustBeNew: true },
        headers: { 'idempotency-key': 'the-same-variable' },
      })
    const first = await create('typed')
    expect(first.body.code).toBe('VARIABLE_CREATE_OK')
    await modify({ variableName: 'once', variableData: 'changed since' })
    expect((await create('typed')).body).toEqual(first.body)
    expect(await variable('once')).toMatchObject({ variableData: 'changed since' })
    expect((await create('other')).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('that somebody else changed meanwhile is shown instead of overwritten', async () => {
    await modify({ variableName: 'shared', variableData: 'theirs' })
    const change: Body = { variableName: 'shared', variableData: 'mine', before: { variableData: 'seen' } }
    expect(await modify(change)).toMatchObject({
      status: 409,
      body: { code: 'FIELD_CHANGED', current: { variableData: 'theirs' } },
    })
    expect((await modify({ ...change, before: { variableData: 'theirs' } })).status).toBe(200)
  })

  test('keeps by an edit what it does not edit, whoever changed it meanwhile', async () => {
    const stored = { variableName: 'halves', variableData: 'seen', authenticated: false }
    await modify(stored)
    await modify({ ...stored, authenticated: true })
    expect((await modify({ ...stored, variableData: 'mine', before: { variableData: 'seen' } })).status).toBe(200)
    expect(await variable('halves')).toMatchObject({ variableData: 'mine', authenticated: true })
    await modify({ ...stored, variableData: 'theirs', authenticated: true })
    const access: Body = { ...stored, variableData: 'mine', before: { authenticated: true } }
    expect((await modify(access)).status).toBe(200)
    expect(await variable('halves')).toMatchObject({ variableData: 'theirs', authenticated: false })
  })

  test('that was deleted since is not created again by an edit', async () => {
    await modify({ variableName: 'edited', variableData: 'seen', authenticated: false })
    await modify({ variableName: 'edited', deleteVariable: true })
    const change: Body = { variableName: 'edited', variableData: 'mine', before: { variableData: 'seen' } }
    expect(await modify(change)).toMatchObject({ status: 404, body: { code: 'VARIABLE_NOT_FOUND' } })
    expect(await variable('edited')).toBeUndefined()
    expect((await modify({ variableName: 'edited', variableData: 'mine' })).body.code).toBe('VARIABLE_CREATE_OK')
  })

  test.each(strangeTexts)('returns the data %j unchanged', async (data) => {
    await modify({ variableName: 'strange', variableData: data })
    expect((await variable('strange'))?.variableData).toBe(data)
  })

  test("belongs to one app: another owner's variable can have the same name", async () => {
    await modify({ variableName: 'same', variableData: 'mine' })
    await modify({ variableName: 'same', variableData: 'other' }, stranger)
    expect((await variable('same'))?.variableData).toBe('mine')
    await modify({ variableName: 'same', deleteVariable: true }, stranger)
    expect((await variable('same'))?.variableData).toBe('mine')
  })
})

describe('rejecting', () => {
  test('a variable without a name or data, with a message', async () => {
    for (const body of [{ variableName: ' ', variableData: 'x' }, { variableName: 'x' }]) {
      expect((await modify(body)).body).toMatchObject({
        code: 'VARIABLE_REQUIRED',
        message: 'Variable name and data are required',
      })
    }
  })

  test('invalid bodies, and changes nothing', async () => {
    const valid = { variableName: 'hostile', variableData: 'x' }
    const hostile = {
      variableName: [...notTexts, undefined, '', '__proto__', 'a\u200bb', 'x'.repeat(101), 'x'.repeat(1001)],
      variableData: [...notTexts, '', 'x'.repeat(10_001), 'x'.repeat(20_001)],
      deleteVariable: notFlags,
      authenticated: notFlags,
      mustBeNew: notFlags,
      before: [null, 5, 'x', [], { noSuchField: 1 }, { variableData: 5 }],
    }
    await expectAllRejected(app, owner.visitor, '/modify_app_var', hostileBodies(valid, hostile))
  })

  test("variables over the plan's limit, also in simultaneous calls (R-LIC-05)", async () => {
    const free = await newOwnerWithApp(app, undefined, { plan: 'Free' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => modify({ variableName: `v${n}`, variableData: 'x' }, free)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 403,
      body: { code: 'APP_VARIABLE_LIMIT_REACHED', values: { limit: 3 } },
    })
    const [first] = await all(free)
    const change = await modify({ variableName: first?.variableName ?? '', variableData: 'changed' }, free)
    expect(change.body.code).toBe('VARIABLE_UPDATE_OK')
    const usage = (await free.visitor.call('GET /profile/plan-usage')).body
    expect(usage.usage.max_variables_in_any_app).toBe(3)
  })
})
