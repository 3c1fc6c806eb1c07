import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { features } from '#features.ts'
import { type ReplacingCall, replacingCalls } from '../../../tools/seller-calls.ts'
import type { ApiCall } from './api-call.ts'
import { sellerCallsFor } from './seller-call.ts'

/** Which calls of the seller API "Show as API call" shows, derived from the contracts. */

let table: readonly ReplacingCall[]
beforeAll(async () => {
  table = await replacingCalls()
})

const origin = 'https://signet.example'

function dashboardCall(key: string, input: { params?: Record<string, unknown>; body?: object }): ApiCall {
  const [method = '', path = ''] = key.split(' ')
  const dashboard = { key, input }
  return { method, url: `${origin}/api/1.0/website${path}`, idempotent: false, body: input.body, dashboard }
}
const shown = (key: string, input: Parameters<typeof dashboardCall>[1]) =>
  sellerCallsFor(dashboardCall(key, input), table as Parameters<typeof sellerCallsFor>[1])?.map(
    ({ method, url, body }) => [method, url.replace(`${origin}/api/1.0/seller`, ''), body],
  )

test('the value of a field chooses between two calls', () => {
  const licenseKey = 'A/B Ç?'
  const path = '/licenses/A%2FB%20%C3%87%3F'
  expect(shown('POST /toggle_ban_license', { body: { licenseKey, banned: true } })).toEqual([
    ['POST', `${path}/ban`, {}],
  ])
  expect(shown('POST /toggle_ban_license', { body: { licenseKey, banned: false } })).toEqual([
    ['POST', `${path}/unban`, {}],
  ])
})

test('many rows are one call each; rows of a filter have no such call', () => {
  const time = { action: 'add-time', duration: 2, expiryUnit: 'weeks' }
  expect(shown('POST /licenses/bulk', { body: { ...time, licenses: ['A', 'B'] } })).toEqual([
    ['POST', '/licenses/A/add-time', { duration: 2, expiryUnit: 'weeks' }],
    ['POST', '/licenses/B/add-time', { duration: 2, expiryUnit: 'weeks' }],
  ])
  expect(shown('POST /licenses/bulk', { body: { ...time, filter: {}, expectedCount: 2 } })).toBeUndefined()
})

test('a choice that a seller key lacks is never dropped', () => {
  const choice = { licenseKey: 'A', deleteUsers: true }
  expect(shown('POST /delete_license', { body: { ...choice, refundCredits: true } })).toEqual([
    ['DELETE', '/licenses/A?deleteUsers=true', undefined],
  ])
  expect(shown('POST /delete_license', { body: { ...choice, refundCredits: false } })).toBeUndefined()
  expect(shown('POST /update_app', { body: { appName: 'New', settings: {} } })).toBeUndefined()
  expect(shown('POST /update_app', { body: { description: 'New', settings: {} } })).toBeUndefined()
})

test('fields have the names of the seller API, and the app is that of the key', () => {
  const variable = { appName: 'Prism', appId: 'app_1', variableName: 'a/b', variableData: '1', authenticated: false }
  expect(shown('POST /modify_app_var', { body: variable })).toEqual([
    ['PUT', '/variables/a%2Fb', { data: '1', authenticated: false }],
  ])
  const renamed = { params: { name: 'file_1' }, body: { name: 'setup.exe' } }
  expect(shown('PUT /downloads/file/{name}', renamed)).toEqual([
    ['PUT', '/downloads/file/file_1', { name: 'setup.exe' }],
  ])
  const settings = { version: '2.0', settings: { vpnBlock: true }, before: { version: '1.0' } }
  expect(shown('POST /update_app', { body: settings })).toEqual([
    ['PUT', '/settings', { version: '2.0', vpnBlock: true }],
  ])
})

test('calls without a call of the seller API keep their own', () => {
  expect(shown('POST /create_webhook', { body: { name: 'x' } })).toBeUndefined()
})

describe('the contracts', () => {
  const calls = features.flatMap(({ contract }) => Object.values(contract ?? {}))
  const key = (call: { method: string; path: string }) => `${call.method} ${call.path}`

  test('every call of a seller key that changes something replaces a call of the dashboard', () => {
    const alone = calls.filter(
      ({ area, method, replaces }) => area === 'seller' && method !== 'GET' && !replaces?.length,
    )
    // A command line's listeners, and ending all sessions of a user, which the dashboard does by selecting them.
    expect(alone.map(key).toSorted()).toEqual([
      'DELETE /users/{username}/sessions',
      'DELETE /webhooks/listeners/{listenerId}',
      'POST /webhooks/listeners',
    ])
  })

  test('every replaced call exists, with the fields that it is said to have', () => {
    for (const { call, when, params, path } of table) {
      const found = calls.find((each) => (each.area ?? 'website') === 'website' && key(each) === call)
      const fields = [found?.params, found?.body].flatMap((schema) =>
        Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}),
      )
      for (const name of Object.keys(when)) expect(fields, `${path} for ${call}`).toContain(name)
      for (const names of Object.values(params)) {
        expect(
          names.some((name) => fields.includes(name)),
          `${path} for ${call}`,
        ).toBe(true)
      }
    }
  })

  test('every dialog that makes a replaced call shows it', () => {
    const root = join(import.meta.dirname, '../..')
    const files = globSync('features/*/web/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.ts', '**/*.e2e.ts'] })
    const sources = files.map((file) => readFileSync(join(root, file), 'utf8'))
    const has = (text: string) => sources.some((source) => source.includes(text))
    const hidden = [...new Set(table.map(({ call }) => call))].filter(
      (call) => has(` call('${call}'`) && !has(`apiCall('${call}'`),
    )
    // Buttons without a dialog: the pause of a subscription, and the two beside each variable of a user.
    expect(hidden.toSorted()).toEqual([
      'DELETE /user_variables',
      'POST /toggle_subscription_status',
      'PUT /user_variables',
    ])
  })
})
