import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { parseFormBody } from './form-body.ts'

/** Forms, which are all that many shops can send. */

let app: TestApp
let owner: OwnedApp
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  seller = await newSeller(app, owner)
})
afterAll(() => app.close())

const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${seller.key}`, ...headers },
    body,
  })
  const reply = (await response.json()) as { code?: string; field?: string; licenses?: string[] }
  return { status: response.status, ...reply }
}
const licenses = '/api/1.0/seller/licenses'

describe('a form in the seller API', () => {
  test.each([
    ['an unknown field', 'amount=1&level=1&colour=red', 'FIELD_UNKNOWN'],
    ['a number that is none', 'amount=many&level=1', 'AMOUNT_INVALID'],
    ['a field twice', 'amount=1&amount=2&level=1', 'FIELD_REPEATED'],
    ['a list where a text belongs', 'amount=1&level=1&notes[]=a&notes[]=b', 'INVALID_REQUEST'],
    ['a list and a text of one name', 'notes=a&notes[]=b&amount=1&level=1', 'FIELD_REPEATED'],
    ['a prototype', '__proto__=1&amount=1&level=1', 'FIELD_REPEATED'],
    ['a NUL', 'amount=1&level=1&notes=%00', 'CHARACTER_NOT_ALLOWED'],
    ['too many fields', Array.from({ length: 1001 }, (_, at) => `f${at}=1`).join('&'), 'JSON_TOO_COMPLEX'],
  ])('with %s is rejected', async (_, body, code) => {
    expect(await post(licenses, body)).toMatchObject({ status: 400, code })
  })

  test('creates licenses like JSON, once per order', async () => {
    const headers = { 'idempotency-key': 'order 1001' }
    const body = 'amount=2&level=1&duration=30&expiryUnit=days&notes=Ana+Sou%C3%A7a&lowercase=false'
    const made = await post(licenses, body, headers)
    expect(made).toMatchObject({ status: 200, code: 'LICENSES_CREATE_OK' })
    expect(made.licenses).toHaveLength(2)
    expect((await post(licenses, body, headers)).licenses).toEqual(made.licenses)
    const found = await seller.send<{ license: { notes: string } }>('GET', `/licenses/${made.licenses?.[0]}`)
    expect(JSON.stringify(found.body)).toContain('Ana Souça')
  })
})

test('a call with a cookie takes no form, whatever the form says', async () => {
  const answer = await post('/api/1.0/website/create_licenses', 'amount=1&subscription=1', {
    cookie: owner.visitor.cookieHeader(),
    'x-csrf-token': owner.visitor.csrf,
  })
  expect(answer).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
})

test.each<[string, object]>([
  ['', {}],
  ['a=1&b=x+y%26z', { a: '1', b: 'x y&z' }],
  ['a[]=1', { a: ['1'] }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a', { a: '' }],
])('%j is %j', (text, fields) => expect(parseFormBody(text)).toEqual(fields))
