import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser, userOf } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notTexts, strangeTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const create = (body: Record<string, unknown>) =>
  owner.visitor.send<Record<string, unknown>>('POST', '/api/1.0/website/user_variables', { body })

describe('creating a variable', () => {
  test('accepts and returns both names of each field, and lists the variable', async () => {
    const username = await newUser(owner)
    const first = await create({ username, variableName: ' api_key ', variableData: 'one' })
    expect(first.body).toMatchObject({
      code: 'VARIABLE_CREATE_OK',
      message: 'Variable created successfully',
      variable: { name: 'api_key', data: 'one', variableName: 'api_key', variableData: 'one' },
    })
    expect((await create({ username: username.toUpperCase(), name: 'other', data: ' two\n' })).status).toBe(200)
    expect((await userOf(owner, username))?.variables).toEqual({ api_key: 'one', other: ' two\n' })
  })

  test('a name is unique per user, in its exact case', async () => {
    const [username, other] = [await newUser(owner), await newUser(owner)]
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => create({ username, name: 'k', data: String(n) })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'VARIABLE_EXISTS' })
    expect((await create({ username, name: 'K', data: 'x' })).status).toBe(200)
    expect((await create({ username: other, name: 'k', data: 'x' })).status).toBe(200)
  })

  test.each(strangeTexts)('data %j is stored unchanged', async (data) => {
    const username = await newUser(owner)
    await create({ username, name: 'strange', data })
    expect((await userOf(owner, username))?.variables['strange']).toBe(data)
  })

  test('a user has at most 100, also when the last ones are created at once', async () => {
    const username = await newUser(owner)
    for (let n = 0; n < 98; n++) await create({ username, name: `v${n}`, data: 'x' })
    const last = await Promise.all(
      Array.from({ length: 6 }, (_, n) => create({ username, name: `last${n}`, data: 'x' })),
    )
    expect(last.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(last.find(({ status }) => status !== 200)?.body).toMatchObject({ code: 'VARIABLE_LIMIT_REACHED' })
  })
})

describe('rejections', () => {
  test('a missing name or missing data', async () => {
    const username = await newUser(owner)
    for (const body of [{ data: 'x' }, { name: 'k' }, { name: ' ', data: 'x' }, { name: 'k', data: '' }]) {
      expect(await create({ username, ...body })).toMatchObject({
        status: 400,
        body: { code: 'VARIABLE_REQUIRED', message: 'Variable name and data are required' },
      })
    }
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const username = await newUser(owner)
    await expectAllRejected(app, owner.visitor, '/user_variables', [
      ...hostileBodies(
        { username, variableName: 'k', variableData: 'x' },
        {
          username: [...notTexts, ''],
          variableName: [...notTexts, '__proto__', 'n'.repeat(101), 'a\nb', 'a\u0007'],
          variableData: [...notTexts, 'd'.repeat(10_001), 'd'.repeat(60_000)],
        },
      ),
      {},
    ])
  })
})
