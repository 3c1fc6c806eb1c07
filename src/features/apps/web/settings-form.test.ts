import { expect, test } from 'vitest'
import type { App } from '#web/session.ts'
import { changedFields, savedSettings, settingsBody, settingsProblems } from './settings-form.ts'

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

test('Save sends the two obfuscation keys exchanged and the numbers as integers (C52)', () => {
  const body = settingsBody(app, { sessionExpiryDuration: 7200, appName: 'Prism' })
  expect(body).toMatchObject({ appId: 'app_1', appName: 'Prism', version: '1.0.0' })
  expect(body.settings).toMatchObject({
    clientObfuscationKey: 'server',
    serverObfuscationKey: 'client',
    sessionExpiryDuration: 7200,
    minimumHwidLength: 8,
  })
})

test('what was typed into a field that is hidden again is neither sent, nor a change, nor an error', () => {
  const edits = { hwidLock: false, minimumHwidLength: 900, hashToCheck: 'no hash' }
  expect(settingsBody(app, edits).settings).toMatchObject({ hwidLock: false, minimumHwidLength: 8, hashToCheck: '' })
  expect(changedFields(saved, edits)).toEqual(['hwidLock'])
  expect(settingsProblems({ ...saved, ...edits })).toEqual({})
})

test('names the changed fields in the order of the screen, and none that was put back', () => {
  const edits = { oneSessionPerCredential: false, version: '2.0', appName: 'Prism Studio' }
  expect(changedFields(saved, edits)).toEqual(['version', 'oneSessionPerCredential'])
})

test('refuses values outside their ranges and an empty number', () => {
  const problems = (edits: object) => Object.values(settingsProblems({ ...saved, ...edits }))
  expect(problems({ sessionExpiryDuration: 300, minimumHwidLength: 1 })).toEqual([])
  expect(problems({ sessionExpiryDuration: 86_400, minimumHwidLength: 64 })).toEqual([])
  expect(problems({ sessionExpiryDuration: 299 })).toEqual(['Session expiry must be between 300 and 86400'])
  expect(problems({ sessionExpiryDuration: undefined })).toEqual(['Session expiry must be between 300 and 86400'])
  expect(problems({ minimumHwidLength: 65 })).toEqual(['Minimum HWID length must be between 1 and 64'])
  expect(problems({ hashCheck: true })).toEqual(['Hash to check is required while hash check is on'])
})
