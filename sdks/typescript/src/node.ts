import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { SignetError } from './errors.ts'
import { hardwareIdOf } from './hardware-id.ts'
import { linuxMachineId, registryProgram } from './machine-id.ts'
import { hexOf, sha256 } from './wire.ts'

/** What only a program outside a browser can find out about itself. Both are advisory (docs/protocol.md). */

const run = promisify(execFile)

/**
 * 64 hex characters that stay the same on this machine; the other clients find the same ones. The owner's ID keeps the
 * operating system's own identifier from leaving the machine.
 * @throws {SignetError} `HWID_UNAVAILABLE`
 */
export const hardwareId = async (ownerId: string): Promise<string> => hardwareIdOf(ownerId, (await machineId()) ?? '')

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

const machineId = (): Promise<string | undefined> => (platforms[process.platform] ?? (() => linuxMachineId(textIn)))()

const textIn = (file: string): Promise<string> => readFile(file, 'ascii').catch(() => '')

const platforms: Partial<Record<NodeJS.Platform, () => Promise<string | undefined>>> = {
  darwin: () =>
    found('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], /"IOPlatformUUID"\s*=\s*"([\w-]{36})"/),
  win32: () =>
    found(
      registryProgram(process.env['SystemRoot']),
      ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid', '/reg:64'],
      /MachineGuid\s+REG_SZ\s+([\w-]+)/,
    ),
}

async function found(command: string, args: string[], pattern: RegExp): Promise<string | undefined> {
  const { stdout } = await run(command, args, { timeout: 10_000 }).catch(() => ({ stdout: '' }))
  return pattern.exec(stdout)?.[1]
}
