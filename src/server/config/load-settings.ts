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
    return { config: readConfig(process.env), warnings }
  } catch (error) {
    if (!(error instanceof ConfigInvalid) || warnings.length === 0) throw error
    throw new ConfigInvalid([error.message, ...warnings].join('. '))
  }
}
