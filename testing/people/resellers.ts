import { newSessionToken, sessionHash } from '#server/secrets/session-token.ts'
import { newOwnerWithApp, type OwnedApp } from './people.ts'
import type { TestApp } from '../start-test-app.ts'
import type { Visitor } from './visitor.ts'

let made = 0

export const resellerPassword = 'Correct7Horse'

export interface NewReseller {
  visitor: Visitor
  id: string
  username: string
  registrationToken: string
}

/** A reseller of this owner who has not used the set-up link yet. */
export async function newReseller(app: TestApp, owner: Pick<OwnedApp, 'visitor'>): Promise<NewReseller> {
  const username = `reseller${++made}_${app.now()}`
  const { status, body } = await owner.visitor.call('POST /resellers/create', { body: { username } })
  if (status !== 200) throw new Error(`Could not create a reseller: ${body.message}`)
  return { visitor: app.visitor(), id: body.reseller.id, username, registrationToken: body.registrationToken }
}

export interface SellingReseller extends NewReseller {
  owner: OwnedApp
  appName: string
  /** Creates licenses of the 30-day plan. */
  sell(more?: object, headers?: Record<string, string>): ReturnType<Visitor['send']>
  credits(): Promise<number>
}

export interface Offer {
  credits?: number
  planCosts?: Record<string, number>
}

/** A signed-in reseller who sells licenses of an owner's app: 30 days for 5 credits, 7 days for 2. */
export async function newSellingReseller(
  app: TestApp,
  { credits = 100, planCosts = { '30': 5, '7': 2 } }: Offer = {},
  owner?: OwnedApp,
): Promise<SellingReseller> {
  const of = owner ?? (await newOwnerWithApp(app))
  const reseller = await newReseller(app, of)
  const { visitor, id, username, registrationToken } = reseller
  const { appName } = of
  await assign(of, { id, appName, credits, planCosts })
  const setUp = await visitor.call('POST /reseller/setup/{registrationToken}', {
    params: { registrationToken },
    body: { email: `${username}@example.com`, password: resellerPassword },
  })
  if (setUp.status !== 200) throw new Error(`Could not set up a reseller: ${setUp.body.message}`)
  return {
    ...reseller,
    owner: of,
    appName,
    sell: (more = {}, headers = {}) =>
      visitor.send('POST', '/api/1.0/website/reseller/licenses/create', {
        body: { appName, plan: '30', ...more },
        headers,
      }),
    credits: async () => (await visitor.call('GET /reseller/credits', { query: { appName } })).body.credits,
  }
}

interface Assigned {
  id: string
  appName: string
  credits: number
  planCosts: Record<string, number>
}

export async function assign(owner: Pick<OwnedApp, 'visitor'>, { id, ...given }: Assigned): Promise<void> {
  const body = { ...given, allowedPlans: Object.keys(given.planCosts) }
  const answer = await owner.visitor.call('POST /resellers/{id}/apps', { params: { id }, body })
  if (answer.status !== 200) throw new Error(`Could not assign an app: ${answer.body.message}`)
}

/** A pending change of the reseller's email address; the email with the link is not sent here. */
export async function newEmailToken(app: TestApp, reseller: Pick<NewReseller, 'id'>): Promise<string> {
  const token = newSessionToken()
  const pending = {
    pending_email: `moved-${++made}@example.com`,
    pending_email_token_hash: sessionHash(token),
    pending_email_expires_at: app.now() + 3600,
  }
  await app.db.write(({ db }) => db.updateTable('resellers').set(pending).where('id', '=', reseller.id).execute())
  return token
}
