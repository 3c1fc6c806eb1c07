import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from './environment.ts'
import { Failure, usage } from './failures.ts'

/** Servers and keys that `signet login` has stored, by profile, in a file that only this user can read. */

export interface Profile {
  url: string
  key: string
}

export const defaultProfile = 'default'

type Variables = Environment['variables']

export function configFile(variables: Variables): string {
  const roaming = process.platform === 'win32' ? variables['APPDATA'] : undefined
  const home = variables['HOME'] || homedir()
  return join(variables['XDG_CONFIG_HOME'] || roaming || join(home, '.config'), 'signet', 'config.json')
}

export function readProfiles(variables: Variables): Map<string, Profile> {
  const file = configFile(variables)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw new Failure('notSignedIn', `${file} can't be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    const { profiles } = JSON.parse(text) as { profiles: Record<string, Profile> }
    const entries = Object.entries(profiles)
    if (entries.every(([, { url, key }]) => typeof url === 'string' && typeof key === 'string')) return new Map(entries)
  } catch {
    // The text of a parser's error can contain a key.
  }
  throw new Failure('notSignedIn', `${file} is damaged. Delete it and run: signet login`)
}

/** Whether other users of this machine can read the file. */
export function isExposed(variables: Variables): boolean {
  if (process.platform === 'win32') return false
  try {
    return (statSync(configFile(variables)).mode & 0o077) !== 0
  } catch {
    return false
  }
}

export function writeProfiles(variables: Variables, profiles: ReadonlyMap<string, Profile>): void {
  const file = configFile(variables)
  const fresh = `${file}.${process.pid}`
  try {
    if (profiles.size === 0) return rmSync(file, { force: true })
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(fresh, `${JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)}\n`, { mode: 0o600 })
    chmodSync(fresh, 0o600)
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw usage(`${file} can't be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
