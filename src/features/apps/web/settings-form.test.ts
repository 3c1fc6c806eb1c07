import { expect, test } from 'vitest'
import type { App } from '#web/session.ts'
import type { SettingsDraft } from './settings-drafts.ts'
import {
  changedSettings,
  conflictingSettings,
  savedSettings,
  settingsBody,
  type SettingsForm,
  settingsProblems,
} from './settings-form.ts'

const app: App = {
  appId: 'app_1',
  appName: 'Prism Studio',
  description: '',
  version: '1.0.0',
  activeSessions: 0,
  creationDate: 1_700_000_000,
  lastInitAt: null,
  settings: {
    appStatus: true,
    vpnBlock: false,
    hwidLock: true,
    hashCheck: false,
    minimumHwidLength: 8,
    hashToCheck: '',
    autoUpdateDownloadLink: '',
    webloaderDownloadLink: '',
    discordWebhookLink: '',
    sessionExpiryDuration: 3600,
    oneSessionPerCredential: true,
    clientObfuscationKey: 'client',
    serverObfuscationKey: 'server',
    version: '1.0.0',
  },
}
const saved = savedSettings(app)

/** Edits that began from what is saved. */
const draftOf = (edits: Partial<SettingsForm>): SettingsDraft => ({
  edits,
  before: Object.fromEntries(Object.keys(edits).map((field) => [field, saved[field as keyof SettingsForm]])),
})

test('Save sends the two obfuscation keys exchanged, of the rest the changed fields only, with what they were (C52)', () => {
  expect(settingsBody(app, draftOf({ sessionExpiryDuration: 7200, appName: 'Prism', version: '1.0.0' }))).toEqual({
    appId: 'app_1',
    appName: 'Prism',
    settings: { sessionExpiryDuration: 7200, clientObfuscationKey: 'server', serverObfuscationKey: 'client' },
    before: { appName: 'Prism Studio', sessionExpiryDuration: 3600 },
  })
})

test('what was typed into a field that is hidden again is neither sent, nor a change, nor an error', () => {
  const draft = draftOf({ hwidLock: false, minimumHwidLength: 900, hashToCheck: 'no hash' })
  const { settings, before } = settingsBody(app, draft)
  const keys = { clientObfuscationKey: 'server', serverObfuscationKey: 'client' }
  expect({ settings, before }).toEqual({ settings: { hwidLock: false, ...keys }, before: { hwidLock: true } })
  expect(changedSettings(saved, draft)).toEqual(['hwidLock'])
  expect(settingsProblems({ ...saved, ...draft.edits })).toEqual({})
})

test('names the changed fields in the order of the screen, and none that was put back', () => {
  const draft = draftOf({ oneSessionPerCredential: false, version: '2.0', appName: 'Prism Studio' })
  expect(changedSettings(saved, draft)).toEqual(['version', 'oneSessionPerCredential'])
})

test('a field is in conflict when another value was saved since its editing began, unless both want the same', () => {
  const draft = draftOf({ version: '2.0', appName: 'Mine', vpnBlock: true })
  expect(conflictingSettings(saved, draft)).toEqual([])
  const meanwhile = { ...saved, version: '3.0', vpnBlock: true, hashCheck: true }
  expect(conflictingSettings(meanwhile, draft)).toEqual(['version'])
})

test('refuses values outside their ranges and an empty number', () => {
  const expiry = { code: 'SESSION_EXPIRY_INVALID', values: { min: 300, max: 86_400 } }
  const length = { code: 'MIN_HWID_LENGTH_INVALID', values: { min: 1, max: 64 } }
  const problems = (edits: object) => Object.values(settingsProblems({ ...saved, ...edits }))
  expect(problems({ sessionExpiryDuration: 300, minimumHwidLength: 1 })).toEqual([])
  expect(problems({ sessionExpiryDuration: 86_400, minimumHwidLength: 64 })).toEqual([])
  expect(problems({ sessionExpiryDuration: 299 })).toEqual([expiry])
  expect(problems({ sessionExpiryDuration: undefined })).toEqual([expiry])
  expect(problems({ minimumHwidLength: 65 })).toEqual([length])
  expect(problems({ hashCheck: true })).toEqual([{ code: 'HASH_REQUIRED' }])
})
