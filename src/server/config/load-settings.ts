import { existsSync } from 'node:fs'
import { type Config, ConfigInvalid, readConfig } from './config.ts'
import { loadSettingsFile } from './settings-file.ts'
import { unknownSettings } from './unknown-settings.ts'

export interface LoadedSettings {
  config: Config
  /** Probable mistakes, one line each. */
  warnings: string[]
}

/**
 * Reads the settings from `.env` and the environment.
 *
 * @throws {ConfigInvalid} in one line, with the probable mistakes, because a misspelled setting is also a missing one
 */
export function loadSettings(): LoadedSettings {
  const { names, problems } = loadSettingsFile()
  const warnings = [...problems, ...unknownSettings(names, process.env)]
  try {
    const config = readConfig(process.env)
    return { config, warnings: [...warnings, ...missingFiles(config, process.env)] }
  } catch (error) {
    if (!(error instanceof ConfigInvalid) || warnings.length === 0) throw error
    throw new ConfigInvalid([error.message, ...warnings].join('. '))
  }
}

/** Optional files that a setting names although they don't exist: without them, something works less than expected. */
function missingFiles({ ipData }: Config, environment: Record<string, string | undefined>): string[] {
  const files = [
    { name: 'GEOIP_COUNTRY_FILE', file: ipData.countryFile, without: 'the countries of IP addresses are unknown' },
    { name: 'VPN_NETWORKS_FILE', file: ipData.vpnFile, without: 'no program blocks VPNs' },
  ]
  return files
    .filter(({ name, file }) => environment[name] && !existsSync(file))
    .map(({ name, file, without }) => `${name} ${file} doesn't exist; until it does, ${without}`)
}
