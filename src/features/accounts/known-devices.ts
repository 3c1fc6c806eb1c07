import type { CallContext } from '#server/http/endpoint.ts'
import { knownDevice, rememberAccount } from '#server/auth/device-cookies.ts'
import type { Account } from './accounts.reads.ts'

export type DeviceContext = Pick<CallContext, 'services' | 'actor' | 'cookies' | 'now'>

/** What tells the account's own computer from a stranger: that it has signed in before, or is signed in (R-AUTH-03). */
export function deviceOf({ services, actor, cookies, now }: DeviceContext, account: Account): string | undefined {
  const known = { accountId: account.id, since: account.devices_since, now }
  const device = knownDevice(services.masterKey, cookies.device, known)
  if (device !== undefined || !('sessionHash' in actor)) return device
  return actor.id === account.id ? `session ${actor.sessionHash}` : undefined
}

export function rememberDevice({ services, cookies, now }: DeviceContext, accountId: string): void {
  cookies.rememberDevice(rememberAccount(services.masterKey, cookies.device, { accountId, now }))
}
