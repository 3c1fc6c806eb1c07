import { expect } from 'vitest'
import { databaseDigest } from '../database-digest.ts'
import { expectRejected, seen } from '../faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from './people.ts'
import type { TestApp } from '../start-test-app.ts'
import { type Answer, firstEvent } from './visitor.ts'

/** A shop or a bot, which only has a seller key. */
export class Seller {
  readonly #url: string
  readonly key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.key = key
  }

  /** `path` is relative to the seller API; a text body is sent as is. */
  async send<T = Record<string, unknown>>(
    method: string,
    path: string,
    input: { query?: object; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer<T>> {
    const search = input.query ? `?${new URLSearchParams(input.query as Record<string, string>).toString()}` : ''
    const response = await fetch(`${this.#url}/api/1.0/seller${path}${search}`, {
      method,
      headers: {
        ...(this.key !== '' && { authorization: `Bearer ${this.key}` }),
        ...(input.body !== undefined && { 'content-type': 'application/json' }),
        ...input.headers,
      },
      body: input.body === undefined ? null : typeof input.body === 'string' ? input.body : JSON.stringify(input.body),
    })
    const streams = response.headers.get('content-type')?.startsWith('text/event-stream')
    const text = streams ? await firstEvent(response) : await response.text()
    const json = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : { text } }
  }
}

/** A new seller key of the owner's app, with full access unless `permissions` is given. */
export async function newSeller(
  app: TestApp,
  owner: OwnedApp,
  more: { keyName?: string; permissions?: string[]; whitelistedIPs?: string[] } = {},
): Promise<Seller> {
  const { status, body } = await owner.visitor.call('POST /create_seller_key', {
    body: { keyName: 'Shop', permissions: [], ...more },
  })
  if (status !== 200) throw new Error(`Could not create a seller key: ${body.message}`)
  return new Seller(app.url, body.sellerKey)
}

/** Sets the rate limits of seller keys, as an administrator can. */
export async function setSellerLimits(app: TestApp, perMinute: number, perHour: number): Promise<void> {
  const value = JSON.stringify({ rateLimitPerMinute: perMinute, rateLimitPerHour: perHour })
  await app.db.write(async (tx) => {
    await tx.db.deleteFrom('platform_settings').where('name', '=', 'api').execute()
    await tx.db.insertInto('platform_settings').values({ name: 'api', value }).execute()
    tx.publish('settings:api')
  })
}

/** Raises the limit of 60 calls a minute for tests with many calls. */
export const liftSellerLimits = (app: TestApp): Promise<void> => setSellerLimits(app, 100_000, 100_000)

export interface Shop {
  owner: OwnedApp
  seller: Seller
  /** A shop of another owner. */
  other: Seller
}

/** An owner with an app, its level 1 and a key with full access, and another such shop; without rate limits. */
export async function newShop(app: TestApp): Promise<Shop> {
  await liftSellerLimits(app)
  const owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  return { owner, seller: await newSeller(app, owner), other: await newSeller(app, stranger) }
}

/** Makes a call that must succeed. */
export async function sold<T = Record<string, unknown>>(
  seller: Seller,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await seller.send<T>(method, path, { body })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A listener to webhook events, which doesn't end while a test advances the clock. */
export async function newListener(app: TestApp, seller: Seller): Promise<string> {
  const { listenerId } = await sold<{ listenerId: string }>(seller, 'POST', '/webhooks/listeners')
  const followed = { followed_at: app.now() + 86_400 }
  await app.db.write(({ db }) =>
    db.updateTable('webhook_listeners').set(followed).where('id', '=', listenerId).execute(),
  )
  return listenerId
}

/** A new license key of level 1 for 30 days. */
export async function soldLicense(seller: Seller, more: object = {}): Promise<string> {
  const { licenses } = await sold<{ licenses: string[] }>(seller, 'POST', '/licenses', { amount: 1, level: 1, ...more })
  return licenses[0] as string
}

let made = 0

/** A new user, with level 1 for `days` if given. */
export async function soldUser(seller: Seller, { days }: { days?: number } = {}): Promise<string> {
  const username = `buyer${++made}`
  await sold(seller, 'POST', '/users', { username, password: 'Correct7Horse' })
  if (days !== undefined) await sold(seller, 'POST', `/users/${username}/subscriptions`, { level: 1, duration: days })
  return username
}

/** Sends each body and expects that it is rejected and that nothing in the database has changed. */
export async function expectSaleRejected(
  app: TestApp,
  seller: Seller,
  call: `${'POST' | 'PUT'} /${string}`,
  bodies: readonly unknown[],
): Promise<void> {
  const [method, path] = call.split(' ') as [string, string]
  const before = await databaseDigest(app.db)
  for (const body of bodies) expectRejected(await seller.send(method, path, { body }), body)
  expect(await databaseDigest(app.db)).toBe(before)
}

/** Calls without a key get 401, and objects of another shop are not found. */
export async function expectOnlyShop(
  app: TestApp,
  { other, call, body }: { other: Seller; call: (name: 'own' | 'missing') => `${string} /${string}`; body?: unknown },
): Promise<Answer> {
  const send = (seller: Seller, name: 'own' | 'missing') => {
    const [method, path] = call(name).split(' ') as [string, string]
    return seller.send(method, path, { body })
  }
  // The first call of a key stores when it was used.
  await other.send('GET', '/stats')
  const before = await databaseDigest(app.db)
  expectRejected(await send(new Seller(app.url, ''), 'own'), call('own'), 401)
  const foreign = await send(other, 'own')
  expect(seen(foreign)).toBe(seen(await send(other, 'missing')))
  expect(await databaseDigest(app.db)).toBe(before)
  return foreign
}
