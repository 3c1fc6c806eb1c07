import { newAlert } from '../busy-app.ts'
import { newSubscriber, passTime, signedIn } from './end-users.ts'
import { newLicenses, newOwner, newOwnerWithApp, type OwnedApp } from './people.ts'
import { Program } from './program.ts'
import { newSellingReseller } from './resellers.ts'
import { newSeller } from './sellers.ts'
import type { TestApp } from '../start-test-app.ts'

/** Every action that the server can undo, and an app in which each of them changes something. */

export interface Scene {
  owner: OwnedApp
  key: string
  licensed: string
  bound: string
  paused: string
  sellerKeys: string[]
  alertId: string
  resellerId: string
  downloadId: string
  webhookId: string
  /** Another owner, whom administrators can ban. */
  otherId: string
}

/** A license that somebody redeemed, a user with a machine, one who is paused, and two seller keys. */
export async function newScene(app: TestApp): Promise<Scene> {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  const bound = await newSubscriber(owner, { days: 10 })
  await signedIn(app, owner, bound)
  const paused = await newSubscriber(owner, { days: 20 })
  await owner.visitor.call('POST /toggle_pause_user', { body: { username: paused } })
  const sellerKeys = [await newSeller(app, owner), await newSeller(app, owner)].map((seller) => seller.key)
  await owner.visitor.call('POST /toggle_seller_key_status', {
    body: { sellerKey: sellerKeys[1] as string, status: 'paused' },
  })
  await passTime(app, owner, 3600)
  const alertId = await newAlert(app, owner)
  await owner.visitor.call('POST /modify_app_var', { body: { variableName: 'color', variableData: 'green' } })
  await owner.visitor.call('POST /user_variables', {
    body: { username: bound, variableName: 'size', variableData: 'S' },
  })
  const { id: resellerId } = await newSellingReseller(app, {}, owner)
  const { id: otherId } = await newOwner(app)
  const upload = { body: { name: 'x' }, file: new Blob(['bytes']) }
  const { downloadId } = (await owner.visitor.call('POST /downloads/upload', upload)).body.download
  const hook = { body: { url: 'https://hooks.example/' } }
  const { webhookId } = (await owner.visitor.call('POST /create_webhook', hook)).body
  const made = { sellerKeys, alertId, resellerId, downloadId, webhookId, otherId }
  return { owner, key, licensed: key, bound, paused, ...made }
}

type UndoableCall = string
interface UndoableAction {
  call: UndoableCall
  undo: string
  input: (scene: Scene) => { body?: object; params?: object }
}

export const users = '/users/undo'
const bin = '/bin/restore'
const bulkUsers = (action: string, more: object = {}): UndoableAction => ({
  call: 'POST /users/bulk',
  undo: users,
  input: ({ bound, licensed, paused }) => ({ body: { action, usernames: [bound, licensed, paused], ...more } }),
})
const bulkLicenses = (action: string, more: object = {}): UndoableAction => ({
  call: 'POST /licenses/bulk',
  undo: '/licenses/undo',
  input: ({ key }) => ({ body: { action, licenses: [key], ...more } }),
})
const bulkKeys = (action: string): UndoableAction => ({
  call: 'POST /seller_keys/bulk',
  undo: '/seller_keys/undo',
  input: ({ sellerKeys }) => ({ body: { action, sellerKeys } }),
})
const time = { duration: 3, unit: 'weeks', subscription: 1 }

export const undoableActions: Record<string, UndoableAction> = {
  'users are banned': bulkUsers('ban'),
  'users are paused': bulkUsers('pause'),
  'users are unpaused': bulkUsers('unpause'),
  'machines are reset': bulkUsers('reset-hwid'),
  'users get time': bulkUsers('extend', time),
  'users lose time': bulkUsers('subtract', time),
  'one user is paused': {
    call: 'POST /toggle_pause_user',
    undo: users,
    input: ({ bound: username }) => ({ body: { username } }),
  },
  'one user is unpaused': {
    call: 'POST /toggle_pause_user',
    undo: users,
    input: ({ paused: username }) => ({ body: { username } }),
  },
  'a subscription is removed from its user': {
    call: 'DELETE /user/{username}/subscriptions/{id}',
    undo: users,
    input: ({ licensed: username }) => ({ params: { username, id: 1 } }),
  },
  'one user gets a subscription': {
    call: 'POST /user/{username}/subscriptions',
    undo: users,
    input: ({ bound: username }) => ({ params: { username }, body: { level: 2, duration: 5 } }),
  },
  'a subscription of one user ends later': {
    call: 'PUT /user/{username}/subscriptions/{id}',
    undo: users,
    input: ({ licensed: username }) => ({ params: { username, id: 1 }, body: { duration: 300 } }),
  },
  'a subscription of one paused user never ends': {
    call: 'PUT /user/{username}/subscriptions/{id}',
    undo: users,
    input: ({ paused: username }) => ({ params: { username, id: 1 }, body: { expiry: null } }),
  },
  'one user is edited': {
    call: 'POST /edit_user',
    undo: users,
    input: ({ bound: username }) => ({ body: { username, email: 'new@example.com', hwid: 'another-machine-4711' } }),
  },
  'the machine of one user is reset': {
    call: 'POST /reset_user_hwid',
    undo: users,
    input: ({ bound: username }) => ({ body: { username } }),
  },
  'one license is edited': {
    call: 'POST /update_license',
    undo: '/licenses/undo',
    input: ({ key: licenseKey }) => ({ body: { licenseKey, subscription: 2, notes: 'vip', expiry: 86_400 * 90 } }),
  },
  'one license gets time': {
    call: 'POST /update_license',
    undo: '/licenses/undo',
    input: ({ key: licenseKey }) => ({ body: { licenseKey, expiry: 86_400 * 365 } }),
  },
  'a license, in a list of them, gets time': {
    call: 'POST /add_time_licenses',
    undo: '/licenses/undo',
    input: ({ key }) => ({ body: { licenses: [key], duration: 3, expiryUnit: 'weeks' } }),
  },
  'licenses are banned': bulkLicenses('ban'),
  'licenses get time': bulkLicenses('add-time', { duration: 3, expiryUnit: 'weeks' }),
  'licenses are deleted with their users': { ...bulkLicenses('delete', { deleteUsers: true }), undo: bin },
  'users are deleted': { ...bulkUsers('delete'), undo: bin },
  'one license is deleted': {
    call: 'POST /delete_license',
    undo: bin,
    input: ({ key: licenseKey }) => ({ body: { licenseKey, deleteUsers: false } }),
  },
  'one user is deleted': {
    call: 'POST /delete_user',
    undo: bin,
    input: ({ paused: username }) => ({ body: { username } }),
  },
  'one variable is changed': {
    call: 'POST /modify_app_var',
    undo: '/variables/undo',
    input: () => ({ body: { variableName: 'color', variableData: 'red', authenticated: false } }),
  },
  'one variable of a user is changed': {
    call: 'PUT /user_variables',
    undo: users,
    input: ({ bound: username }) => ({ body: { username, variableName: 'size', variableData: 'XL' } }),
  },
  'one variable is deleted': {
    call: 'POST /modify_app_var',
    undo: bin,
    input: () => ({ body: { variableName: 'color', deleteVariable: true } }),
  },
  'all variables are deleted': {
    call: 'POST /variables/bulk-delete',
    undo: bin,
    input: () => ({ body: { filter: {} } }),
  },
  'one file is deleted': {
    call: 'DELETE /downloads/file/{name}',
    undo: bin,
    input: ({ downloadId: name }) => ({ params: { name } }),
  },
  'one webhook is deleted': {
    call: 'POST /delete_webhook',
    undo: bin,
    input: ({ webhookId }) => ({ body: { webhookId } }),
  },
  'all webhooks are deleted': { call: 'POST /delete_all_webhooks', undo: bin, input: () => ({ body: {} }) },
  'a level is deleted by force': {
    call: 'POST /delete_subscription',
    undo: bin,
    input: () => ({ body: { level: 1, forceDelete: true } }),
  },
  'seller keys are paused': bulkKeys('pause'),
  'seller keys are activated': bulkKeys('activate'),
}
