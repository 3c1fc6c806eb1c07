import { expect, test } from 'vitest'
import { CallError, filled, plainText, reject, rejectProblem } from './errors.ts'

const errors = {
  TOO_MANY: { status: 403, message: 'At most {limit} of {kind}, {limit} in all' },
  PLAIN: { status: 404, message: 'Not found' },
} as const

function caught(work: () => never): CallError {
  try {
    return work()
  } catch (error) {
    return error as CallError
  }
}

test('a rejection carries its status, its code and the text for people', () => {
  const rejected = caught(() => reject(errors, 'PLAIN'))
  expect(rejected).toBeInstanceOf(CallError)
  expect(rejected).toMatchObject({ status: 404, code: 'PLAIN', message: 'Not found', details: {} })
})

test('details of the text are filled in, each as often as it stands there', () => {
  const { message } = caught(() => reject(errors, 'TOO_MANY', { values: { limit: 3, kind: 'apps' } }))
  expect(message).toBe('At most 3 of apps, 3 in all')
})

test('what is filled in means nothing but itself', () => {
  const { message } = caught(() => reject(errors, 'TOO_MANY', { values: { limit: '{kind} $& $1', kind: 'x' } }))
  expect(message).toBe('At most {kind} $& $1 of x, {kind} $& $1 in all')
})

test('a detail that is missing stays visible, so that nobody overlooks it', () => {
  expect(caught(() => reject(errors, 'TOO_MANY', { values: { limit: 1 } })).message).toBe(
    'At most 1 of {kind}, 1 in all',
  )
})

test('one thing is named as one, on the wire too', () => {
  const message = 'Your plan allows {limit, plural, one {# app} other {# apps}} at {price}'
  expect([1, 0, 2].map((limit) => filled(message, { limit, price: '{limit}' }))).toEqual([
    'Your plan allows 1 app at {limit}',
    'Your plan allows 0 apps at {limit}',
    'Your plan allows 2 apps at {limit}',
  ])
  expect(filled(message)).toBe(message)
})

test('a text of several kinds is the one of its kind, and the last for a kind that it does not name', () => {
  const message = '{kind, select, app {The app is off.} other {It is off.}} Ask us.'
  expect(['app', 'x', '__proto__'].map((kind) => filled(message, { kind }))).toEqual([
    'The app is off. Ask us.',
    'It is off. Ask us.',
    'It is off. Ask us.',
  ])
})

test('a description names the values of a text', () => {
  expect(plainText('At most {limit, plural, one {# app} other {# apps}} of {kind}')).toBe(
    'At most {limit} apps of {kind}',
  )
  expect(plainText('{kind, select, app {An app} other {It}} is off')).toBe('It is off')
})

test('extra fields go to the reply', () => {
  expect(caught(() => reject(errors, 'PLAIN', { details: { retryAfterSeconds: 2 } })).details).toEqual({
    retryAfterSeconds: 2,
  })
})

test('what a rule found is rejected with its values and its field, and nothing is no rejection', () => {
  const problem = { code: 'TOO_MANY', values: { limit: 1, kind: 'apps' }, field: 'appName' } as const
  expect(
    caught(() => {
      rejectProblem(errors, problem, { apps: 2 })
      throw new Error('not rejected')
    }),
  ).toMatchObject({ code: 'TOO_MANY', values: problem.values, details: { field: 'appName', apps: 2 } })
  expect(() => rejectProblem(errors, undefined)).not.toThrow()
})
