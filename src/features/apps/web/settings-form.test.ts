import { expect, test } from 'vitest'
import type { App } from '#web/session/session.ts'
import { changedFields, pickFields } from '#web/form/field-changes.ts'
import { hiddenSettings, savedSettings, settingsBody, type SettingsForm, settingsProblems } from './settings-form.ts'

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

/** The request of the form with these edits. */
function requestOf(edits: Partial<SettingsForm>) {
  const form = { ...saved, ...edits }
  const changed = changedFields(saved, form).filter((field) => !hiddenSettings(form).includes(field))
  return { changes: pickFields(form, changed), before: pickFields(saved, changed) }
}

test('Save sends the two obfuscation keys swapped, and otherwise only the changed fields with their previous values', () => {
  expect(settingsBody(app, requestOf({ sessionExpiryDuration: 7200, appName: 'Prism', version: '1.0.0' }))).toEqual({
    appId: 'app_1',
    appName: 'Prism',
    settings: { sessionExpiryDuration: 7200, clientObfuscationKey: 'server', serverObfuscationKey: 'client' },
    before: { appName: 'Prism Studio', sessionExpiryDuration: 3600 },
  })
})

test('text in a field that is hidden again is not sent, and is neither a change nor an error', () => {
  const edits = { hwidLock: false, minimumHwidLength: 900, hashToCheck: 'no hash' }
  const { settings, before } = settingsBody(app, requestOf(edits))
  const keys = { clientObfuscationKey: 'server', serverObfuscationKey: 'client' }
  expect({ settings, before }).toEqual({ settings: { hwidLock: false, ...keys }, before: { hwidLock: true } })
  expect(settingsProblems({ ...saved, ...edits })).toEqual({})
})

test('lists the changed fields in the order of the screen, without those restored', () => {
  const { changes } = requestOf({ oneSessionPerCredential: false, version: '2.0', appName: 'Prism Studio' })
  expect(Object.keys(changes)).toEqual(['version', 'oneSessionPerCredential'])
})

test('rejects values outside their ranges and an empty number', () => {
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
