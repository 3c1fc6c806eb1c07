import type { Answer } from './visitor.ts'
import type { OwnedApp } from './people.ts'
import type { TestApp } from './start-test-app.ts'

/** A shop or a bot: it has a seller key and nothing else. */
export class Seller {
  readonly #url: string
  readonly key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.key = key
  }

  /** `path` is relative to the seller API; a body that is a text is sent as it stands. */
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
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : { text } }
  }
}

/** A fresh seller key of the owner's app; full access unless `permissions` says less. */
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

/** Tests of many calls need more than a key's 60 a minute. */
export async function liftSellerLimits(app: TestApp): Promise<void> {
  const value = JSON.stringify({ rateLimitPerMinute: 100_000, rateLimitPerHour: 100_000 })
  await app.db.write(async (unit) => {
    await unit.trx.insertInto('platform_settings').values({ name: 'api', value }).execute()
    unit.announce('settings:api')
  })
}
