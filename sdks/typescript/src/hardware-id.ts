import { SignetError } from './errors.ts'
import { hexOf, lengthPrefixed, sha256 } from './wire.ts'

const minDigits = 16

/**
 * The hardware ID of a machine whose identifier is known: 64 hex characters, the same in every client. The owner's ID
 * keeps the operating system's own identifier from leaving the machine.
 * @throws {SignetError} `HWID_UNAVAILABLE` if that identifies nothing
 */
export async function hardwareIdOf(ownerId: string, machineId: string): Promise<string> {
  const cleaned = machineId.trim().toLowerCase()
  if (!isUnique(cleaned)) {
    throw new SignetError('HWID_UNAVAILABLE', 'This machine has no permanent identifier to bind a license to.')
  }
  return hexOf(await sha256(lengthPrefixed('signet/v1/hwid', ownerId, cleaned)))
}

/** Images are shipped with "uninitialized" or zeros, the same on every copy. */
export function isUnique(machineId: string): boolean {
  const digits = machineId.toLowerCase().replaceAll(/[^0-9a-f]/g, '')
  return !(digits.length < minDigits || new Set(digits).size === 1)
}
