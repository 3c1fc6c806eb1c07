import { knownDevice, rememberAccount } from './device-cookies.ts'
import type { CallContext } from '../http/endpoint.ts'
import type { Person } from './sign-in-tables.ts'

export type DeviceContext = Pick<CallContext, 'services' | 'actor' | 'cookies' | 'now'>

/** Evidence that a request comes from a known device: an earlier sign-in, or a current session (R-AUTH-03). */
export function deviceOf({ services, actor, cookies, now }: DeviceContext, person: Person): string | undefined {
  const known = { accountId: person.id, since: person.devices_since, now }
  const device = knownDevice(services.masterKey, cookies.device, known)
  if (device !== undefined || !('sessionHash' in actor)) return device
  return actor.id === person.id ? `session ${actor.sessionHash}` : undefined
}

export function rememberDevice({ services, cookies, now }: DeviceContext, personId: string): void {
  cookies.rememberDevice(rememberAccount(services.masterKey, cookies.device, { accountId: personId, now }))
}
