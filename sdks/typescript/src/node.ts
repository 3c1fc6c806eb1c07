import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { SignetError } from './errors.ts'
import { hexOf, lengthPrefixed, sha256 } from './wire.ts'

/** What only a program outside a browser can find out about itself. Both are advisory (docs/protocol.md). */

const run = promisify(execFile)
const linuxFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * 64 hex characters that stay the same on this machine; the Python client finds the same ones. The owner's id keeps the
 * operating system's own identifier from leaving the machine.
 * @throws {SignetError} `HWID_UNAVAILABLE`
 */
export async function hardwareId(ownerId: string): Promise<string> {
  const machine = await machineId()
  if (!machine) throw new SignetError('HWID_UNAVAILABLE', 'This machine has no lasting identifier.')
  return hexOf(await sha256(lengthPrefixed('signet/v1/hwid', ownerId, machine)))
}

/**
 * Hex SHA-256 of a program file.
 * @throws {SignetError} `PROGRAM_NOT_FOUND`
 */
export async function programHash(file: string): Promise<string> {
  try {
    return hexOf(await sha256(await readFile(file)))
  } catch (cause) {
    throw new SignetError('PROGRAM_NOT_FOUND', `The program file cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
}

async function machineId(): Promise<string | undefined> {
  const found = (await (platforms[process.platform] ?? linuxMachineId)())?.trim().toLowerCase() ?? ''
  // Images are shipped with "uninitialized" or zeros, the same on every copy.
  const digits = found.replaceAll(/[^0-9a-f]/g, '')
  return digits.length >= 16 && new Set(digits).size > 1 ? found : undefined
}

const platforms: Partial<Record<NodeJS.Platform, () => Promise<string | undefined>>> = {
  darwin: () =>
    found('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], /"IOPlatformUUID"\s*=\s*"([\w-]{36})"/),
  win32: () =>
    found(
      'reg',
      ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid', '/reg:64'],
      /MachineGuid\s+REG_SZ\s+([\w-]+)/,
    ),
}

async function linuxMachineId(): Promise<string | undefined> {
  for (const file of linuxFiles) {
    const text = await readFile(file, 'ascii').catch(() => '')
    if (/^[0-9a-fA-F]{32}$/.test(text.trim())) return text
  }
  return undefined
}

async function found(command: string, args: string[], pattern: RegExp): Promise<string | undefined> {
  const { stdout } = await run(command, args, { timeout: 10_000 }).catch(() => ({ stdout: '' }))
  return pattern.exec(stdout)?.[1]
}
