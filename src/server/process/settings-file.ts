import { readFileSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { OperatorError } from '#database/operator-error.ts'

/**
 * Adds the settings in `.env` of the current folder, if there is one, to the environment.
 *
 * @throws {OperatorError} if it can't be read
 */
export function loadSettingsFile(): void {
  try {
    // Node reports any file that it can't read as missing.
    readFileSync('.env')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new OperatorError(`.env can't be read by the user that Signet runs as (${code ?? message})`)
  }
  loadEnvFile('.env')
}
