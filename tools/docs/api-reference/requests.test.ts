import { expect, test } from 'vitest'
import type { TryItCall } from '../../../site/try-it/call.ts'
import { buildRequest, confirmationOf, problemOf, type Values } from '../../../site/try-it/request.ts'

/** The requests that the forms of the API reference send. */

const call: TryItCall = {
  id: 'deleteLicense',
  title: 'Delete a license',
  method: 'DELETE',
  path: '/api/1.0/seller/licenses/{license}',
  summary: 'Delete a license.',
  fields: [
    { name: 'license', place: 'path', isRequired: true, value: '', type: 'text' },
    { name: 'deleteUsers', place: 'query', isRequired: false, value: '', type: 'text' },
    { name: 'Idempotency-Key', place: 'header', isRequired: false, value: '', type: 'text' },
  ],
  needsConfirmation: true,
}

const values = (texts: string[], body?: string): Values => ({
  fields: new Map(call.fields.map((field, at) => [field, texts[at]])),
  body,
})

test.each([
  ['a/../../users', 'a%2F..%2F..%2Fusers'],
  ['$& $1', '%24%26%20%241'],
  ['?x=1#y', '%3Fx%3D1%23y'],
  ['{license}', '%7Blicense%7D'],
])('a value of %s stays one part of the path', (value, part) => {
  expect(buildRequest(call, values([value])).address).toBe(`/api/1.0/seller/licenses/${part}`)
})

test('a value of dots, which browsers resolve, is rejected', () => {
  for (const value of ['.', '..']) expect(problemOf(call, values([value])), value).toBe("“license” can't be only dots.")
})

test('empty fields are not sent, and a required one is asked for', () => {
  expect(problemOf(call, values(['']))).toBe('Enter “license”.')
  expect(buildRequest(call, values(['A', '', '']))).toEqual({
    method: 'DELETE',
    address: '/api/1.0/seller/licenses/A',
    headers: {},
    body: undefined,
  })
  expect(buildRequest(call, values(['A', 'true', 'k&1'], '{}'))).toEqual({
    method: 'DELETE',
    address: '/api/1.0/seller/licenses/A?deleteUsers=true',
    headers: { 'Idempotency-Key': 'k&1', 'Content-Type': 'application/json' },
    body: '{}',
  })
})

test('a header that no browser sends is told', () => {
  for (const value of ['ünïcode', 'a\nb']) expect(problemOf(call, values(['A', '', value])), value).toContain('ASCII')
})

test('a confirmation says what is sent, also for a path with a percent sign', () => {
  const confirmation = (value: string) => confirmationOf(call, buildRequest(call, values([value])))
  expect(confirmation('A B')).toContain('DELETE /api/1.0/seller/licenses/A B to the app of your key')
  expect(confirmation('100%')).toContain('100%')
})

test('several are confirmed, one is not', () => {
  const create: TryItCall = { ...call, needsConfirmation: false, countField: 'amount', fields: [] }
  const confirmation = (body: string) => confirmationOf(create, buildRequest(create, { fields: new Map(), body }))
  expect(confirmation('{"amount": 1}')).toBeUndefined()
  expect(confirmation('null')).toBeUndefined()
  expect(confirmation('{"amount": 1000}')).toContain('It creates 1000 at once.')
})
