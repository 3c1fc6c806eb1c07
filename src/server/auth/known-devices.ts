import { knownDevice, rememberAccount } from './device-cookies.ts'
import type { Services } from '../services.ts'
import type { Person } from './sign-in-tables.ts'

/** What a call knows about the browser that made it. */
export interface DeviceContext {
  services: Services
  actor: { type: string } | { id: string; sessionHash: string }
  cookies: {
    /** The device cookie; undefined without one. */
    device: string | undefined
    rememberDevice(value: string): void
  }
  /** Epoch seconds. */
  now: number
}

/** Evidence that a request comes from a known device: an earlier sign-in, or a current session. */
export function deviceOf({ services, actor, cookies, now }: DeviceContext, person: Person): string | undefined {
  const known = { accountId: person.id, since: person.devices_since, now }
  const device = knownDevice(services.masterKey, cookies.device, known)
  if (device !== undefined || !('sessionHash' in actor)) return device
  return actor.id === person.id ? `session ${actor.sessionHash}` : undefined
}

export function rememberDevice({ services, cookies, now }: DeviceContext, personId: string): void {
  cookies.rememberDevice(rememberAccount(services.masterKey, cookies.device, { accountId: personId, now }))
}
