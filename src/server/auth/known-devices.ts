import { knownDevice, rememberAccount } from './device-cookies.ts'
import { epochSeconds, type Services } from '../services.ts'
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

/** Marks the browser as known from now on, even if all devices have been forgotten in this second. */
export function rememberDevice(
  { services, cookies, now }: DeviceContext,
  { id, devices_since: since }: Pick<Person, 'id' | 'devices_since'>,
): void {
  const known = { accountId: id, now: Math.max(now, since) }
  cookies.rememberDevice(rememberAccount(services.masterKey, cookies.device, known))
}

/**
 * For a locked account whose devices are all forgotten: the value of `devices_since`. It is later than every sign-in so
 * far, even one that began after the call that forgets them.
 */
export const forgetDevicesUntilNow = (services: Services): number => epochSeconds(services) + 1
