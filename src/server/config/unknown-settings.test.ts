import { describe, expect, test } from 'vitest'
import { settingNames } from './config.ts'
import { unknownSettings } from './unknown-settings.ts'

const meant = (name: string, setting: string) => [`${name} is not a setting; did you mean ${setting}?`]
const meantInFile = (name: string, setting: string) => meant(`${name} in .env`, setting)

describe('a settings file', () => {
  test('every setting is known', () => {
    expect(unknownSettings(settingNames, {})).toEqual([])
  })

  test.each([
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['public_url', 'PUBLIC_URL'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['PUBLIC-URL', 'PUBLIC_URL'],
    ['SIGNET_PUBLIC_URL', 'PUBLIC_URL'],
    ['SIGNET_COMIT', 'SIGNET_COMMIT'],
    ['DATABSE_URLS', 'DATABASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['PROT', 'PORT'],
    ['S3_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ])('%s is unknown, and %s is suggested', (name, setting) => {
    expect(unknownSettings([name], { [name]: 'x' })).toEqual(meantInFile(name, setting))
  })

  test('a name that is like no setting is reported without a suggestion', () => {
    expect(unknownSettings(['COMPOSE_PROJECT_NAME', 'URL'], {})).toEqual([
      'COMPOSE_PROJECT_NAME in .env is not a setting',
      'URL in .env is not a setting',
    ])
  })

  test("settings of Node and of PostgreSQL's library are none of ours, and work", () => {
    expect(unknownSettings(['NODE_OPTIONS', 'PGSSLMODE', 'UV_THREADPOOL_SIZE', 'TZ'], {})).toEqual([])
  })
})

describe('the environment, which belongs to other programs as well', () => {
  test.each([
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['database_url', 'DATABASE_URL'],
    ['SIGNET_DATA_DIR', 'DATA_DIR'],
    ['TRUSTED_PROXYES', 'TRUSTED_PROXIES'],
  ])('%s is reported', (name, setting) => {
    expect(unknownSettings([], { [name]: 'x' })).toEqual(meant(name, setting))
  })

  test('what is less alike, short, or of a container platform is left alone', () => {
    const environment = {
      PATH: '/bin',
      HOSTNAME: 'db',
      PORTS: '80',
      POST: 'x',
      GITLAB_URL: 'https://gitlab.example',
      DATABASE: 'other',
      NODE_ENV: 'production',
      SIGNET_PORT: 'tcp://10.0.0.1:8080',
      SIGNET_PORT_8080_TCP_PORT: '8080',
      SIGNET_SERVICE_HOST: '10.0.0.1',
      SIGNET_URL: 'https://keys.example',
      SIGNET_KEY: 'of the command line',
    }
    expect(unknownSettings([], environment)).toEqual([])
  })

  test('a name is left alone if the setting that it is like has a value', () => {
    expect(unknownSettings([], { PUBLIC_ULR: 'x', PUBLIC_URL: 'https://keys.example' })).toEqual([])
  })
})
