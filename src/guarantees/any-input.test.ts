import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { hostileBodyTexts, hostileContentTypes, hostileValues as values } from '#testing/faults/hostile-values.ts'
import { newCaller } from '#testing/people/new-caller.ts'
import { sampleInput } from '#testing/sample-input.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import type { Answer } from '#testing/people/visitor.ts'
import { features } from '../features.ts'

/**
 * Every field of every call × values that break programs, made from the contracts: whatever is sent, the
 * answer is either right or a clear refusal, and never the server's fault.
 */

interface Field {
  part: 'body' | 'query' | 'params'
  name: string
  schema: object
}

const fieldsOf = (call: CallDefinition): Field[] =>
  (['body', 'query', 'params'] as const).flatMap((part) => {
    const { properties = {} } = (call[part] ?? {}) as { properties?: Record<string, object> }
    return Object.entries(properties).map(([name, schema]) => ({ part, name, schema }))
  })

const kinds = new Set<string>()
const isFirstOfKind = (feature: string, { name, schema }: Field): boolean =>
  kinds.size < kinds.add(JSON.stringify([feature, name, schema])).size

const first = testEngine === 'sqlite'
/**
 * What refuses a body and checks a field knows no engine, so the second one is sent each kind of field of a
 * feature once: the values that pass reach its columns.
 */
const cases = features
  .flatMap(({ name: feature, endpoints }) =>
    endpoints.map(({ call }) => ({
      call,
      fields: fieldsOf(call).filter((field) => first || isFirstOfKind(feature, field)),
    })),
  )
  .filter(({ fields }) => first || fields.length > 0)

/** What an address can hold: not half of a character. */
const textValues = values.filter((value) => typeof value !== 'object' && !/\p{Surrogate}|x{9999}/u.test(String(value)))

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

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
  (_name, { call, fields }) => {
    test('answers whatever is sent, and clearly', async () => {
      // What a call may end, such as its caller's account, is new for each.
      const { objects, send } = await newCaller(app, call)
      const valid = sampleInput(call, objects)
      const statuses = new Set<number>()
      const answered = async (send: () => Promise<Answer>, sent: unknown) =>
        void statuses.add(await expectAnswered(send, sent))
      if (first && call.method !== 'GET') {
        for (const body of hostileBodyTexts) await answered(() => send({ ...valid, body }), body)
        for (const type of hostileContentTypes) {
          await answered(() => send({ ...valid, body: '{"a":1}' }, { 'content-type': type }), type)
        }
      }
      for (const { part, name } of fields) {
        for (const value of part === 'body' ? values : textValues) {
          const input = { ...valid, [part]: { ...valid[part], [name]: value } }
          await answered(() => send(input), { [part]: { [name]: value } })
        }
      }
      // Not all of them were stopped at the door.
      if (statuses.size > 0) expect([...statuses].some((status) => ![401, 403, 429].includes(status))).toBe(true)
    })
  },
)
