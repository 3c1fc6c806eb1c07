import type { Insertable } from 'kysely'
import type { CallDefinition } from '#contract/define-call.ts'
import type { AlertsTable } from '#features/alerts/alerts.table.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { findUser } from '#features/users/users.reads.ts'
import { issueReset, type ResetSubject } from '#server/auth/reset-tokens.ts'
import { deleteUser, newSubscriber, newUser, signedIn, userPassword } from './people/end-users.ts'
import { goodPassword, newLicenses, type OwnedApp } from './people/people.ts'
import { setPlatform } from './platform.ts'
import { failedJobInputs } from './failed-jobs.ts'
import { Program } from './people/program.ts'
import {
  newEmailToken,
  newReseller,
  newSellingReseller,
  resellerPassword,
  type SellingReseller,
} from './people/resellers.ts'
import { type Objects, sampleInput } from './sample-input.ts'
import { newViews, viewInputs } from './people/saved-views.ts'
import { newListener, newSeller, type Seller } from './people/sellers.ts'
import type { TestApp } from './start-test-app.ts'
import { importInputs } from './people/import-inputs.ts'
import { undoInputs } from './people/undo-inputs.ts'
import { Authenticator, turnOnResellerTwoFactor, turnOnTwoFactor } from './people/two-factor.ts'

/** An app with data for each call to read or change. */
export interface BusyApp extends Objects {
  app: TestApp
  owner: OwnedApp
  seller: Seller
  reseller: SellingReseller
}

let made = 0

/** Fills the owner's app. The names are unique across apps, except those of levels and variables. */
export async function fillApp(app: TestApp, owner: OwnedApp): Promise<BusyApp> {
  const { visitor } = owner
  await visitor.call('POST /create_subscription', { body: { level: 2, name: 'Nobody has it', active: true } })
  const [licenseKey = '', used = ''] = await newLicenses(owner, 2)
  const username = await newSubscriber(owner, { username: `customer-${++made}` })
  await visitor.call('POST /user_variables', { body: { username, variableName: 'x', variableData: 'before' } })
  await visitor.call('POST /modify_app_var', { body: { variableName: 'x', variableData: 'before' } })
  await visitor.call('POST /replace_app_keys', { body: { appId: owner.appId } })
  const banned = await newUser(owner, `banned-${made}`)
  await visitor.call('POST /toggle_ban_user', { body: { username: banned, banned: true } })
  await newUser(owner, `expired-${made}`)
  await signedIn(app, owner, username)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(used)
  const alertId = await newAlert(app, owner)
  const threshold = {
    app_id: owner.appId,
    type: 'IP_MULTI_KEY' as const,
    threshold: 9,
    window_seconds: 7200,
    enabled: 1,
  }
  await app.db.write((tx) => tx.db.insertInto('alert_thresholds').values(threshold).execute())
  // Otherwise, it would be written later, during the test.
  await activityLog(app.services).flush()
  const { sessions } = (await visitor.call('GET /sessions')).body
  const { logs } = (await visitor.call('GET /logs')).body
  const seller = await newSeller(app, owner)
  const reseller = await newSellingReseller(app, {}, owner)
  const sellerKey = seller.key.slice(8, 16)
  const sessionId = sessions[0]?.session_id ?? ''
  const logId = logs[0]?.id ?? 0
  const upload = { body: { name: 'x' }, file: new Blob(['bytes']) }
  const { downloadId } = (await visitor.call('POST /downloads/upload', upload)).body.download
  const { appId, appName } = owner
  const webhook = await visitor.call('POST /create_webhook', { body: { url: 'https://hooks.example/' } })
  const { webhookId } = webhook.body
  await visitor.call('POST /test_webhooks', { body: {} })
  const { deliveries } = (await visitor.call('GET /webhook_deliveries', { query: { webhookId } })).body
  const deliveryId = deliveries[0]?.id ?? 0
  const listenerId = await newListener(app, seller)
  const { id: resellerId } = reseller
  const named = { appId, appName, listenerId, licenseKey, username, sellerKey, sessionId, logId }
  const views = await newViews({ owner, reseller })
  return { app, owner, seller, reseller, ...named, ...views, alertId, downloadId, webhookId, deliveryId, resellerId }
}

interface Input {
  body?: object
  query?: object
  params?: object
}

const credentials = ({ username, password }: OwnedApp) => ({ username, password })

async function twoFactorInput({ app, owner }: BusyApp): Promise<Input> {
  const { authenticator } = await turnOnTwoFactor(app, owner)
  return { body: { password: owner.password, code: authenticator.code() } }
}

async function resellerTwoFactorInput({ app, reseller }: BusyApp): Promise<Input> {
  const { authenticator } = await turnOnResellerTwoFactor(app, reseller)
  return { body: { password: resellerPassword, code: authenticator.code() } }
}

/** Creates a log entry of the app; returns its ID. */
async function newLog({ app, owner }: BusyApp): Promise<number> {
  await (await Program.of(app, owner)).init()
  return (await owner.visitor.call('GET /logs')).body.logs[0]?.id ?? 0
}

/** Makes another seller call that must come first. */
async function first({ seller }: BusyApp, path: string): Promise<Input> {
  await seller.send('POST', path)
  return {}
}

/** A license created by the reseller. */
async function soldByReseller({ reseller }: BusyApp): Promise<string> {
  const { licenses } = (await reseller.sell()).body as unknown as { licenses: string[] }
  return licenses[0] ?? ''
}

/** A customer of the reseller. */
async function redeemedOfReseller(busy: BusyApp): Promise<string> {
  const key = await soldByReseller(busy)
  const program = await Program.of(busy.app, busy.owner)
  await program.init()
  await program.license(key)
  return key
}

const level = { subscription: 1 }
const variable = { name: 'x', data: 'after' }
const newUserBody = () => ({ username: `customer-${++made}`, password: userPassword })

const ofOwner = ({ owner }: BusyApp): Input => ({ params: { id: owner.id } })

const resetToken = ({ app }: BusyApp, subject: ResetSubject): Promise<string | undefined> =>
  app.db.write((tx) => issueReset(tx, subject, app.now()))

/** Input a call needs in addition to the minimal input of its schemas, so that it succeeds. */
const more: Record<string, (busy: BusyApp) => Input | Promise<Input>> = {
  ...viewInputs,
  ...undoInputs,
  ...importInputs,
  ...failedJobInputs,
  'GET /diagnosis': ({ licenseKey }) => ({ query: { search: licenseKey } }),
  'GET /admin/owners/{id}': ofOwner,
  'POST /admin/owners/{id}/ban': ofOwner,
  'POST /admin/owners/{id}/plan': (busy) => ({ ...ofOwner(busy), body: { planType: 'Developer' } }),
  'DELETE /admin/owners/{id}': ofOwner,
  'POST /admin/plans': () => ({ body: { name: `plan-${++made}`, displayName: 'Gold' } }),
  'PUT /admin/plans/{id}': async (busy) => ({ params: { id: await newPlan(busy) }, body: { price: 5 } }),
  'DELETE /admin/plans/{id}': async (busy) => ({ params: { id: await newPlan(busy) } }),
  'POST /admin/init-plans': async ({ app }) => {
    await app.db.write(({ db }) => db.deleteFrom('plans').execute())
    return {}
  },
  'POST /admin/settings/platform': () => ({ body: { settings: { platformName: `Signet ${++made}` } } }),
  'POST /admin/settings/email': () => ({ body: { settings: { senderName: `Signet ${++made}` } } }),
  'POST /admin/settings/api': () => ({ body: { settings: { rateLimitPerHour: 5000 + ++made } } }),
  'POST /admin/settings/security': () => ({ body: { settings: { sessionTimeout: 1000 + ++made, enable2FA: true } } }),
  'POST /login/two-factor': async ({ app, owner }) => {
    const { authenticator } = await turnOnTwoFactor(app, owner)
    const { body } = await app.visitor().call('POST /login', { body: credentials(owner) })
    return { body: { pendingToken: body.pendingToken, code: authenticator.code() } }
  },
  'POST /profile/two-factor/confirm': async ({ app, owner }) => {
    const { body } = await owner.visitor.call('POST /profile/two-factor/start')
    return { body: { code: new Authenticator(app, body.secret).code() } }
  },
  'POST /profile/two-factor/recovery-codes': twoFactorInput,
  'POST /profile/two-factor/disable': twoFactorInput,
  'DELETE /profile/sessions/{id}': async ({ owner }) => {
    const { body } = await owner.visitor.call('GET /profile/sessions')
    return { params: { id: body.sessions[0]?.session_id } }
  },
  'GET /bin': async ({ owner }) => ({ query: { search: (await deleteUser(owner)).name } }),
  'POST /bin/restore': async ({ owner }) => ({ body: { ids: [(await deleteUser(owner)).id] } }),
  'POST /bin/delete': async ({ owner }) => ({ body: { ids: [(await deleteUser(owner)).id] } }),
  'POST /licenses/{license}/unban': (busy) => first(busy, `/licenses/${busy.licenseKey}/ban`),
  'POST /users/{username}/unban': (busy) => first(busy, `/users/${busy.username}/ban`),
  'POST /users/{username}/unpause': (busy) => first(busy, `/users/${busy.username}/pause`),
  'POST /register': () => ({ body: registration(`owner_by_call_${++made}`) }),
  'POST /reset-password': async (busy) => ({
    body: { token: await resetToken(busy, { kind: 'account', id: busy.owner.id }), newPassword: 'Battery7Staple' },
  }),
  'POST /reset-user-password': async (busy) => {
    const { app, owner, username } = busy
    const user = await findUser(app.db.read, owner.appId, username)
    const token = await resetToken(busy, { kind: 'user', id: `${owner.appId}/${user?.id}` })
    return { body: { token, newPassword: 'Battery7Staple' } }
  },
  'POST /login': ({ owner }) => ({ body: credentials(owner) }),
  'POST /profile/change-password': () => ({
    body: { currentPassword: goodPassword, newPassword: 'Another9Horse' },
  }),
  'POST /profile/reauthenticate': () => ({ body: { password: goodPassword } }),
  'POST /create_app': () => ({ body: { appName: `App by call ${++made}` } }),
  'POST /select_app': async ({ owner }) => {
    const { body } = await owner.visitor.call('POST /create_app', { body: { appName: `Other app ${++made}` } })
    await owner.visitor.call('POST /select_app', { body: { appId: owner.appId } })
    return { body: { appId: body.appId } }
  },
  'POST /modify_app_var': () => ({ body: { variableData: 'after' } }),
  'POST /variables/bulk-delete': () => ({ body: { variableNames: ['x'] } }),
  'GET /log_histogram': () => ({ query: { edges: '0,9999999999' } }),
  'POST /delete_log': async (busy) => ({ body: { logId: await newLog(busy) } }),
  'POST /logs/bulk-delete': async (busy) => ({ body: { logIds: [await newLog(busy)] } }),
  'POST /delete_all_logs': async (busy) => {
    await newLog(busy)
    return {}
  },
  'POST /log_retention': () => ({ body: { days: 30 } }),
  'POST /update_app': () => ({ body: { description: 'after' } }),
  'POST /alerts/run-detection': async ({ app, appId }) => {
    await rejectChangedProgram(app, appId)
    return {}
  },
  'POST /alerts/{id}/review': async ({ app, owner }) => ({ params: { id: await newAlert(app, owner) } }),
  'POST /alerts/{id}/dismiss': async ({ app, owner }) => ({ params: { id: await newAlert(app, owner) } }),
  'POST /alerts/{id}/reopen': async ({ app, owner }) => ({
    params: { id: await newAlert(app, owner, { status: 'reviewed' }) },
  }),
  'POST /alerts/bulk': async ({ app, owner }) => ({ body: { alertIds: [await newAlert(app, owner)] } }),
  'POST /alerts/thresholds': () => ({ body: { threshold: 7 } }),
  'POST /create_user': () => ({ body: newUserBody() }),
  'POST /edit_user': () => ({ body: { email: 'after@example.com' } }),
  'POST /bulk_extend_users': () => ({ body: level }),
  'POST /user/{username}/subscriptions': () => ({ body: { level: 2, duration: 5 } }),
  'PUT /user/{username}/subscriptions/{id}': () => ({ body: { duration: 5 } }),
  'POST /user_variables': () => ({ body: { ...variable, name: 'y' } }),
  'PUT /user_variables': () => ({ body: variable }),
  'DELETE /user_variables': () => ({ body: { name: 'x' } }),
  'POST /create_licenses': () => ({ body: level }),
  'POST /update_license': () => ({ body: { notes: 'after' } }),
  'POST /create_subscription': () => ({ body: { level: 3, name: 'New' } }),
  'POST /update_subscription': () => ({ body: { name: 'After' } }),
  'POST /delete_subscription': () => ({ body: { level: 2 } }),
  'POST /subscriptions/bulk-delete': () => ({ body: { levels: [2] } }),
  'POST /downloads/upload': () => ({ body: { name: 'y' } }),
  'PUT /downloads/file/{name}': () => ({ body: { description: 'after' } }),
  'POST /profile/update': () => ({ body: { displayName: 'After' } }),
  'POST /resellers/create': () => ({ body: { username: `by_call_${++made}` } }),
  'GET /resellers/{id}/licenses': async (busy) => {
    await soldByReseller(busy)
    return {}
  },
  'POST /resellers/{id}/setup-link': async ({ app, owner }) => ({ params: { id: (await newReseller(app, owner)).id } }),
  'POST /resellers/{id}/two-factor/disable': async ({ app, reseller }) => {
    await turnOnResellerTwoFactor(app, reseller)
    return {}
  },
  'PUT /resellers/{id}': () => ({ body: { email: `by-call-${++made}@example.com` } }),
  'POST /resellers/{id}/apps': async ({ app, owner }) => ({ params: { id: (await newReseller(app, owner)).id } }),
  'PUT /resellers/{id}/apps/{app}': () => ({ body: { credits: 7 } }),
  'POST /resellers/{id}/domain': () => ({ body: { domain: `shop${++made}.example.com` } }),
  'POST /resellers/{id}/domain/check': async ({ app, owner, resellerId }) => {
    const body = { domain: `shop${++made}.example.com` }
    const call = 'POST /resellers/{id}/domain'
    const saved = await owner.visitor.call(call, { params: { id: resellerId ?? '' }, body })
    const { name, value } = saved.body.domain.record
    app.names.records.set(name, [value])
    return {}
  },
  'DELETE /resellers/{id}/domain': async ({ owner, resellerId }) => {
    const body = { domain: `shop${++made}.example.com` }
    await owner.visitor.call('POST /resellers/{id}/domain', { params: { id: resellerId ?? '' }, body })
    return {}
  },
  'POST /reseller/confirm-email': async (busy) => ({ body: { token: await newEmailToken(busy.app, busy.reseller) } }),
  'POST /reseller/setup/{registrationToken}': async ({ app, owner }) => ({
    params: { registrationToken: (await newReseller(app, owner)).registrationToken },
    body: { email: `set-up-${++made}@example.com`, password: goodPassword },
  }),
  'POST /reseller/login': ({ reseller }) => ({ body: { username: reseller.username, password: resellerPassword } }),
  'POST /reseller/profile/change-password': () => ({
    body: { currentPassword: resellerPassword, newPassword: 'Another9Horse' },
  }),
  'POST /reseller/profile/reauthenticate': () => ({ body: { password: resellerPassword } }),
  'POST /reseller/profile/two-factor/start': async ({ app }) => {
    await setPlatform(app, 'security', { enable2FA: true })
    return {}
  },
  'POST /reseller/profile/two-factor/confirm': async ({ app, reseller }) => {
    await setPlatform(app, 'security', { enable2FA: true })
    const { body } = await reseller.visitor.call('POST /reseller/profile/two-factor/start')
    return { body: { code: new Authenticator(app, body.secret).code() } }
  },
  'POST /reseller/profile/two-factor/recovery-codes': resellerTwoFactorInput,
  'POST /reseller/profile/two-factor/disable': resellerTwoFactorInput,
  'DELETE /reseller/profile/sessions/{id}': async ({ reseller }) => {
    const { body } = await reseller.visitor.call('GET /reseller/profile/sessions')
    return { params: { id: body.sessions[0]?.session_id } }
  },
  'POST /reseller/licenses/create': () => ({ body: { plan: '30', subscriptionLevel: 1 } }),
  'DELETE /reseller/licenses/{id}': async (busy) => ({ params: { id: await soldByReseller(busy) } }),
  'POST /reseller/users/{u}/reset-hwid': async (busy) => ({ params: { u: await redeemedOfReseller(busy) } }),
  'POST /create_seller_key': () => ({ body: { permissions: [] } }),
  'POST /update_seller_key': () => ({ body: { keyName: 'After' } }),
  'POST /toggle_seller_key_status': () => ({ body: { status: 'paused' } }),
  'POST /create_webhook': () => ({ body: { url: 'https://hooks.example/after' } }),
  'POST /update_webhook': () => ({ body: { userAgent: 'After' } }),
  'POST /update_chat_events': () => ({ body: { events: ['user.banned'] } }),
  'POST /licenses': () => ({ body: level }),
  'PUT /licenses/{license}': () => ({ body: { notes: 'after' } }),
  'POST /users': () => ({ body: newUserBody() }),
  'PUT /users/{username}': () => ({ body: { email: 'after@example.com' } }),
  'POST /users/{username}/subscriptions': () => ({ body: { level: 2, duration: 5 } }),
  'POST /users/{username}/extend': () => ({ body: level }),
  'POST /users/{username}/subtract': () => ({ body: level }),
  'POST /subscriptions': () => ({ body: { level: 3, name: 'New' } }),
  'PUT /subscriptions/{level}': () => ({ body: { name: 'After' } }),
  'DELETE /subscriptions/{level}': () => ({ params: { level: 2 } }),
  'PUT /settings': () => ({ body: { version: '2.0' } }),
  'PUT /variables/{name}': () => ({ body: { data: 'after' } }),
  'POST /downloads/file/{name}/enable': (busy) => first(busy, `/downloads/file/${busy.downloadId}/disable`),
}

/** An alert of the app, as created by detection. */
export async function newAlert(
  { db, now }: TestApp,
  { appId }: Pick<OwnedApp, 'appId'>,
  more: Partial<Insertable<AlertsTable>> = {},
): Promise<string> {
  const id = `alert_${++made}`
  const evidence = { key: id, threshold: 5, windowSeconds: 86_400, users: [], licenses: [], ips: [], hwids: [] }
  const alert = {
    app_id: appId,
    id,
    type: 'IP_MULTI_KEY' as const,
    severity: 'MEDIUM' as const,
    fingerprint: id,
    measured: 5,
    user_count: 5,
    evidence: JSON.stringify({ ...evidence, countries: [], apps: [], events: [] }),
    first_at: now(),
    last_at: now(),
    created_at: now(),
    resolved_at: (more.status ?? 'new') === 'new' ? null : now(),
  }
  await db.write((tx) =>
    tx.db
      .insertInto('alerts')
      .values({ ...alert, ...more })
      .execute(),
  )
  return id
}

/** A modified program file, rejected often enough for an alert. */
export async function rejectChangedProgram(app: TestApp, appId: string): Promise<void> {
  const row = { app_id: appId, at: app.now(), call: 'init', code: 'HASH_MISMATCH', ip: '203.0.113.7' }
  const rest = { message: '', username: '', license: '', hwid_hash: '', country: '', session: '' }
  await app.db.write((tx) =>
    tx.db
      .insertInto('logs')
      .values(Array.from({ length: 3 }, () => ({ ...row, ...rest })))
      .execute(),
  )
}

/** A plan used only by this call. */
async function newPlan({ app }: BusyApp): Promise<string> {
  const name = `plan-${++made}`
  const row = { name, display_name: name, price_cents: 0, position: 9, active: 1, features: '[]', max_storage_mb: 1 }
  const limits = { max_apps: 1, max_users_per_app: 1, max_licenses_per_app: 1, max_variables_per_app: 1 }
  await app.db.write(({ db }) =>
    db
      .insertInto('plans')
      .values({ ...row, ...limits })
      .execute(),
  )
  return name
}

const registration = (username: string) => ({
  username,
  email: `${username}@example.com`,
  password: goodPassword,
  displayName: username,
})

export const callName = ({ method, path }: Pick<CallDefinition, 'method' | 'path'>): string => `${method} ${path}`

/** An input with which the call succeeds on this app. */
export async function acceptedInput(call: CallDefinition, busy: BusyApp) {
  const smallest = sampleInput(call, busy)
  const { body, query, params }: Input = (await more[callName(call)]?.(busy)) ?? {}
  return {
    ...(smallest.file && { file: smallest.file }),
    body: smallest.body && { ...smallest.body, ...body },
    query: smallest.query && ({ ...smallest.query, ...query } as Record<string, string>),
    params: smallest.params && { ...smallest.params, ...params },
  }
}
