import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonSchema } from '#testing/sample-input.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { newUser, timeLeft, userOf } from '#testing/people/end-users.ts'
import { makeAdmin, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newScene, type Scene, undoableActions, users } from '#testing/people/undoable-actions.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { features } from '../features.ts'

/** Every Undo that there is, in the API and in the dashboard: the state before is the state after. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/**
 * What remembers that something was done and undone. Programs that an action stopped sign in again; sums of the rows here,
 * whose rows of 0 come and stay.
 */
const sums = ['user_counts', 'license_counts', 'reseller_counts']
const memory = [
  'audit',
  'audit_targets',
  'audit_operations',
  'bin_items',
  'undo_operations',
  'undo_batches',
  'client_sessions',
  ...sums,
]

const send = (scene: Scene, call: string, input: { body?: object; params?: object }) => {
  const [method = '', path = ''] = call.split(' ')
  return scene.owner.visitor.send(method, `/api/1.0/website${path}`, input)
}

describe('undo records of the server restore the state before', () => {
  test('every call that offers an undo is tested here', () => {
    const offering = features.flatMap(({ endpoints }) =>
      endpoints
        .filter(({ call }) => (call.reply as JsonSchema).properties?.['undoId'])
        .map(({ call }) => `${call.method} ${call.path}`),
    )
    expect(offering.toSorted()).toEqual([...new Set(Object.values(undoableActions).map(({ call }) => call))].toSorted())
  })

  test.each(Object.entries(undoableActions))('%s', async (_name, { call, undo, input }) => {
    const scene = await newScene(app)
    const before = await databaseDigest(app.db, memory)
    const { status, body } = await send(scene, call, input(scene))
    expect([status, typeof body['undoId']]).toEqual([200, 'string'])
    expect(await databaseDigest(app.db, memory)).not.toBe(before)
    app.advance(900)
    const undone = await send(scene, `POST ${undo}`, { body: { undoId: body['undoId'] } })
    expect(undone.body).toMatchObject({ success: true, failed: 0 })
    expect(await databaseDigest(app.db, memory)).toBe(before)
  })
})

describe('undos that the dashboard makes with a second call restore the state before', () => {
  const pairs: Record<string, [file: string, there: (scene: Scene) => Call, back: (scene: Scene) => Call]> = {
    'a user is banned': [
      'users/web/users-form.tsx',
      ({ bound: username }) => ['POST /toggle_ban_user', { username, banned: true }],
      ({ bound: username }) => ['POST /toggle_ban_user', { username, banned: false }],
    ],
    'a license is banned': [
      'licenses/web/license-row-actions.tsx',
      ({ key: licenseKey }) => ['POST /toggle_ban_license', { licenseKey, banned: true }],
      ({ key: licenseKey }) => ['POST /toggle_ban_license', { licenseKey, banned: false }],
    ],
    'a customer is let in': [
      'diagnosis/web/let-in.ts',
      () => ['POST /update_app', { settings: { appStatus: false } }],
      () => ['POST /update_app', { settings: { appStatus: true } }],
    ],
    'a subscription is paused': [
      'subscriptions/web/subscriptions-data.ts',
      () => ['POST /toggle_subscription_status', { level: 1, active: false }],
      () => ['POST /toggle_subscription_status', { level: 1, active: true }],
    ],
    'a form pauses a subscription': [
      'subscriptions/web/subscriptions-form.tsx',
      () => ['POST /update_subscription', { level: 1, active: false, before: { active: true } }],
      () => ['POST /toggle_subscription_status', { level: 1, active: true }],
    ],
    'a seller key is paused': [
      'seller-keys/web/seller-keys-data.ts',
      ({ sellerKeys: [sellerKey] }) => ['POST /toggle_seller_key_status', { sellerKey, status: 'paused' }],
      ({ sellerKeys: [sellerKey] }) => ['POST /toggle_seller_key_status', { sellerKey, status: 'active' }],
    ],
    'an alert is reviewed': [
      'alerts/web/alerts-data.ts',
      ({ alertId: id }) => ['POST /alerts/{id}/review', {}, { id }],
      ({ alertId: id }) => ['POST /alerts/{id}/reopen', {}, { id }],
    ],
    'a reseller is banned': [
      'resellers/web/resellers-data.ts',
      ({ resellerId: id }) => ['POST /resellers/{id}/ban', { banned: true }, { id }],
      ({ resellerId: id }) => ['POST /resellers/{id}/ban', { banned: false }, { id }],
    ],
    'a download is disabled': [
      'downloads/web/downloads-data.ts',
      ({ downloadId: name }) => ['POST /downloads/file/{name}/toggle', { active: false }, { name }],
      ({ downloadId: name }) => ['POST /downloads/file/{name}/toggle', { active: true }, { name }],
    ],
    'an app is disabled': [
      'apps/web/apps-data.ts',
      ({ owner: { appId } }) => ['POST /update_app', { appId, settings: { appStatus: false } }],
      ({ owner: { appId } }) => ['POST /update_app', { appId, settings: { appStatus: true } }],
    ],
    'the settings disable an app': [
      'apps/web/settings-undo.ts',
      ({ owner: { appId } }) => [
        'POST /update_app',
        { appId, version: '9.1', settings: { appStatus: false }, before: { version: '1.0.0', appStatus: true } },
      ],
      ({ owner: { appId } }) => [
        'POST /update_app',
        { appId, version: '1.0.0', settings: { appStatus: true }, before: { version: '9.1', appStatus: false } },
      ],
    ],
    'an owner is banned': [
      'admin/web/admin-data.ts',
      ({ otherId: id }) => ['POST /admin/owners/{id}/ban', { banned: true }, { id }],
      ({ otherId: id }) => ['POST /admin/owners/{id}/ban', { banned: false }, { id }],
    ],
    'an owner gets another plan': [
      'admin/web/admin-data.ts',
      ({ otherId: id }) => ['POST /admin/owners/{id}/plan', { planType: 'Developer', planExpiresAt: null }, { id }],
      ({ otherId: id }) => [
        'POST /admin/owners/{id}/plan',
        { planType: 'Pro', planExpiresAt: null, before: { planType: 'Developer', planExpiresAt: null } },
        { id },
      ],
    ],
    'a plan is edited': [
      'admin/web/plan-undo.ts',
      () => ['PUT /admin/plans/{id}', { price: 7, before: { price: 9.99 } }, { id: 'Developer' }],
      () => ['PUT /admin/plans/{id}', { price: 9.99, before: { price: 7 } }, { id: 'Developer' }],
    ],
    'a system setting is saved': [
      'admin/web/settings-undo.ts',
      () => ['POST /admin/settings/api', { settings: { rateLimitPerHour: 5000 }, before: { rateLimitPerHour: 4000 } }],
      () => ['POST /admin/settings/api', { settings: { rateLimitPerHour: 4000 }, before: { rateLimitPerHour: 5000 } }],
    ],
    'a variable is deleted': [
      'users/web/user-variables.tsx',
      ({ bound: username }) => ['DELETE /user_variables', { username, variableName: 'color' }],
      ({ bound: username }) => ['POST /user_variables', { username, variableName: 'color', variableData: 'green' }],
    ],
  }
  type Call = [call: string, body: object, params?: object]

  test('every Undo of the dashboard is tested here', async () => {
    const files = await Array.fromAsync(glob('features/*/web/*.{ts,tsx}', { cwd: join(import.meta.dirname, '..') }))
    const offering = files.filter((file) =>
      /notifyUndoable\(|label: t`Undo`/.test(readFileSync(join(import.meta.dirname, '..', file), 'utf8')),
    )
    const tried = Object.values(pairs).map(([file]) => `features/${file}`)
    expect(offering.toSorted()).toEqual([...new Set(tried)].toSorted())
  })

  test.each(Object.entries(pairs))('%s', async (_name, [, there, back]) => {
    const scene = await newScene(app)
    await scene.owner.visitor.call('POST /user_variables', {
      body: { username: scene.bound, variableName: 'color', variableData: 'green' },
    })
    await makeAdmin(app, scene.owner)
    // The first save of a group stores all of its settings.
    await scene.owner.visitor.call('POST /admin/settings/api', { body: { settings: { rateLimitPerHour: 4000 } } })
    const before = await databaseDigest(app.db, memory)
    for (const [step, callOf] of [there, back].entries()) {
      const [call, body, params] = callOf(scene)
      expect((await send(scene, call, { body, ...(params && { params }) })).status).toBe(200)
      expect((await databaseDigest(app.db, memory)) === before).toBe(step === 1)
    }
  })
})

describe('a removed subscription comes back as it was', () => {
  const removed = async (scene: Scene) =>
    (await send(scene, 'DELETE /user/{username}/subscriptions/{id}', { params: { username: scene.licensed, id: 1 } }))
      .body['undoId'] as string
  const undo = async (scene: Scene, undoId: string) => (await send(scene, `POST ${users}`, { body: { undoId } })).body

  test('a ban of its license stops the user, before the undo or after it', async () => {
    for (const order of [
      ['ban', 'undo'],
      ['undo', 'ban'],
    ]) {
      const scene = await newScene(app)
      const undoId = await removed(scene)
      for (const step of order) {
        if (step === 'undo') expect(await undo(scene, undoId)).toMatchObject({ restored: 1, failed: 0 })
        else await send(scene, 'POST /toggle_ban_license', { body: { licenseKey: scene.key, banned: true } })
      }
      const program = await Program.of(app, scene.owner)
      await program.init()
      expect((await program.license(scene.key)).body).toMatchObject({ success: false, code: 'LICENSE_BANNED' })
    }
  })

  test('but not when its license has been deleted since, because no ban could stop the user any more', async () => {
    const scene = await newScene(app)
    const undoId = await removed(scene)
    await send(scene, 'POST /delete_license', { body: { licenseKey: scene.key, deleteUsers: false } })
    expect(await undo(scene, undoId)).toMatchObject({ success: false, code: 'UNDO_NOT_FOUND' })
    expect(await timeLeft(scene.owner, scene.licensed)).toBeUndefined()
  })

  test('but not over one that was added since, and not on a deleted level', async () => {
    const scene = await newScene(app)
    const first = await removed(scene)
    const params = { username: scene.licensed }
    await send(scene, 'POST /user/{username}/subscriptions', { params, body: { level: 1, duration: 3 } })
    const left = await timeLeft(scene.owner, scene.licensed)
    expect(await undo(scene, first)).toMatchObject({ restored: 0, failed: 1 })
    expect(await timeLeft(scene.owner, scene.licensed)).toBe(left)
    const second = await removed(scene)
    await send(scene, 'POST /delete_subscription', { body: { level: 1, forceDelete: true } })
    expect(await undo(scene, second)).toMatchObject({ restored: 0, failed: 1 })
    expect((await userOf(scene.owner, scene.licensed))?.subscriptions).toEqual({})
  })

  test('and not for a deleted user, or by another account', async () => {
    const scene = await newScene(app)
    const undoId = await removed(scene)
    const stranger = await newOwnerWithApp(app)
    expect(
      (await stranger.visitor.send('POST', '/api/1.0/website/users/undo', { body: { undoId } })).body,
    ).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    await send(scene, 'POST /delete_user', { body: { username: scene.licensed } })
    await newUser(scene.owner, scene.licensed)
    expect(await undo(scene, undoId)).toMatchObject({ restored: 0, failed: 1 })
    expect(await timeLeft(scene.owner, scene.licensed)).toBeUndefined()
  })
})

test('a pause that changed nothing offers no undo', async () => {
  const { owner, paused: username } = await newScene(app)
  const { body } = await owner.visitor.call('POST /toggle_pause_user', { body: { username, paused: true } })
  expect(body.undoId).toBeNull()
})
