import type { CallDefinition } from '#contract/define-call.ts'
import { pathOf } from '#server/http/call-routes.ts'
import { newAlert } from '../busy-app.ts'
import { newAdmin, newLicenses, newOwnerWithApp } from './people.ts'
import type { Objects } from '../sample-input.ts'
import { newSellingReseller } from './resellers.ts'
import { liftSellerLimits, newSeller } from './sellers.ts'
import type { TestApp } from '../start-test-app.ts'
import type { Answer } from './visitor.ts'

interface Input {
  query?: object | undefined
  body?: unknown
  params?: object | undefined
}

export interface Caller {
  /** Objects the call may refer to. */
  objects: Objects
  send: (input: Input, headers?: Record<string, string>) => Promise<Answer>
  /** Makes another call as the same caller, with or without an app like the first one. */
  sendTo: (other: CallDefinition, input: Input, headers?: Record<string, string>) => Promise<Answer>
}

/**
 * A new caller who may make this call, with a separate object of each kind it can refer to, because the call may delete
 * it.
 */
export async function newCaller(app: TestApp, call: CallDefinition): Promise<Caller> {
  app.advance(61)
  await liftSellerLimits(app)
  const owner = await newOwnerWithApp(app)
  const [licenseKey = ''] = await newLicenses(owner, 1)
  const username = `user-of-${owner.username}`
  await owner.visitor.call('POST /create_user', { body: { username, password: 'Password-of-user' } })
  const { key } = await newSeller(app, owner)
  const reseller = call.path.startsWith('/reseller') ? await newSellingReseller(app, {}, owner) : undefined
  const admin = call.access === 'admin' ? await newAdmin(app) : undefined
  const visitor = (call.access === 'reseller' && reseller?.visitor) || (admin ?? owner).visitor
  const accessHeaders: Record<string, string> =
    call.access === 'seller-key' ? { authorization: `Bearer ${key}` } : call.app ? { 'x-app-id': owner.appId } : {}
  const sendTo: Caller['sendTo'] = (other, input, headers = {}) =>
    visitor.send(other.method, pathOf(other), {
      ...(input as { query?: object; params?: object }),
      headers: { ...accessHeaders, ...headers },
    })
  return {
    objects: {
      appId: owner.appId,
      appName: owner.appName,
      licenseKey,
      username,
      sellerKey: key.slice(8, 16),
      alertId: await newAlert(app, owner),
      ...(reseller && { resellerId: reseller.id }),
    },
    send: (input, headers) => sendTo(call, input, headers),
    sendTo,
  }
}
