import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { newAdmin, newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newReseller, newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** A field that is missing is named as if it were empty. */

let app: TestApp
let owner: OwnedApp
let reseller: SellingReseller
let registrationToken: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  reseller = await newSellingReseller(app, {}, owner)
  registrationToken = (await newReseller(app, owner)).registrationToken
})
afterAll(() => app.close())

interface Case {
  by?: () => Visitor | Promise<Visitor>
  params?: () => object
  body: () => object | Promise<object>
  /** The text of each field. */
  texts: Record<string, string>
}

const account = { username: 'somebody_new', email: 'new@example.com', password: 'Correct7Horse', displayName: 'New' }
const byOwner = () => owner.visitor
const ofReseller = () => ({ id: reseller.id })
const bothRequired = 'Username and password are required'
const signIn = {
  body: () => ({ username: 'a', password: 'b' }),
  texts: { username: bothRequired, password: bothRequired },
}

const cases: Partial<Record<keyof Calls & string, Case>> = {
  'POST /register': {
    body: () => account,
    texts: {
      username: 'Username is required',
      email: 'Email is required',
      password: 'Password is required',
      displayName: 'Display name is required',
    },
  },
  'POST /login': signIn,
  'POST /reseller/login': signIn,
  'POST /reseller/setup/{registrationToken}': {
    params: () => ({ registrationToken }),
    body: () => ({ email: account.email, password: account.password }),
    texts: { email: 'Email is required', password: 'Password is required' },
  },
  'POST /create_app': { by: byOwner, body: () => ({ appName: 'New' }), texts: { appName: 'App name is required' } },
  'POST /modify_app_var': {
    by: byOwner,
    body: () => ({ variableName: 'motd', variableData: 'Hello' }),
    texts: {
      variableName: 'Variable name and data are required',
      variableData: 'Variable name and data are required',
    },
  },
  'POST /create_webhook': {
    by: byOwner,
    body: () => ({ url: 'https://hooks.example', userAgent: 'Mozilla/5.0' }),
    texts: { url: 'URL is required' },
  },
  'POST /create_user': {
    by: byOwner,
    body: () => ({ username: 'new-user', password: account.password }),
    texts: { username: 'Username is required', password: 'Password is required' },
  },
  'POST /create_subscription': { by: byOwner, body: () => ({ name: 'New' }), texts: { name: 'Name is required' } },
  'POST /resellers/create': {
    by: byOwner,
    body: () => ({ username: 'new_reseller' }),
    texts: { username: 'Username is required' },
  },
  'POST /resellers/{id}/domain': {
    by: byOwner,
    params: ofReseller,
    body: () => ({ domain: 'shop.example' }),
    texts: { domain: 'Domain is required' },
  },
  'POST /reseller/licenses/create': {
    by: () => reseller.visitor,
    body: () => ({ appName: owner.appName, plan: '30' }),
    texts: { plan: 'Please select a plan duration' },
  },
  'POST /admin/plans': {
    by: async () => (await newAdmin(app)).visitor,
    body: () => ({ name: 'new', displayName: 'New' }),
    texts: { name: 'Name is required', displayName: 'Display name is required' },
  },
}

const fields = Object.entries(cases).flatMap(([call, { texts }]) =>
  Object.entries(texts).map(([field, text]) => [call, field, text] as const),
)

test.each(fields)('%s without %s: %s', async (call, field, text) => {
  const { by = () => app.visitor(), params, body } = cases[call as keyof Calls & string] as Case
  const visitor = await by()
  const [method = '', path = ''] = call.split(' ')
  const send = async (value: string | undefined) =>
    visitor.send(method, `/api/1.0/website${path}`, {
      ...(params && { params: params() }),
      body: { ...(await body()), [field]: value },
    })
  const missing = await send(undefined)
  const empty = await send('')
  expect([missing.status, missing.body.message]).toEqual([400, text])
  expect([empty.status, empty.body.message, empty.body.code]).toEqual([400, text, missing.body.code])
})

test('an empty list of licenses and a missing one are the same', async () => {
  const time = { expiryUnit: 'days', duration: 1 } as const
  await newLicenses(owner, 1)
  for (const licenses of [[], undefined]) {
    const answer = await owner.visitor.send('POST', '/api/1.0/website/add_time_licenses', {
      body: { licenses, ...time },
    })
    expect([answer.status, answer.body.message]).toEqual([400, 'No licenses selected'])
  }
})
