import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codes } from '../codes-file.ts'
import type { CreateOptions } from '../contract.ts'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { sealingKeyText, verificationKeyText } from '../server/identity.ts'

const scenario = scenariosOf('customers')

const rejectedOptions: [name: string, options: CreateOptions][] = [
  ['http to another machine', { serverUrl: 'http://signet.example.com' }],
  ['http to an address that only starts like this machine', { serverUrl: 'http://127.0.0.1.example.com' }],
  ['http to another machine, with a username like this machine', { serverUrl: 'http://localhost@example.com' }],
  ['a server URL with a path', { serverUrl: 'https://example.com/signet' }],
  ['a server URL with a query', { serverUrl: 'https://example.com?x=1' }],
  ['a server URL with a username', { serverUrl: 'https://me:pw@example.com' }],
  ['another scheme', { serverUrl: 'ftp://example.com' }],
  ['no URL', { serverUrl: 'example' }],
  ['an empty URL', { serverUrl: '' }],
  ['a port that is none', { serverUrl: 'https://example.com:99999' }],
  ['an owner ID of 9 characters', { ownerId: 'Ab3dE6gH1' }],
  ['an owner ID with a slash', { ownerId: 'Ab3dE6gH/j' }],
  ['an owner ID with a line end', { ownerId: 'Ab3dE6gH1j\n' }],
  ['an owner ID outside ASCII', { ownerId: 'Ab3dE6gH1é' }],
  ['an empty app name', { appName: '' }],
  ['an empty version', { version: '' }],
  ['a verification key of small order', { verificationKey: `AQ${'A'.repeat(41)}` }],
  ['a verification key that is padded', { verificationKey: `${verificationKeyText}=` }],
  ['a verification key that is cut', { verificationKey: verificationKeyText.slice(0, 40) }],
  ['a sealing key of zeros', { sealingKey: 'A'.repeat(43) }],
  [
    'a sealing key with its top bit set',
    {
      sealingKey: Buffer.concat([
        Buffer.from(sealingKeyText, 'base64url').subarray(0, 31),
        Buffer.from([0xff]),
      ]).toString('base64url'),
    },
  ],
  ['a timeout of zero', { timeout: 0 }],
  ['a grace period of zero', { grace: 0 }],
  ['a negative grace period', { grace: -1 }],
  ['a fingerprint that is none', { serverUrl: 'https://example.com', fingerprints: ['xyz'] }],
  ['a program hash that is none', { programHash: '' }],
]
const configuration: Scenario[] = [
  ...rejectedOptions.map(([name, options]) =>
    scenario(
      name,
      {
        guards: 'a wrong configuration is found when the client is made, without a request',
        expected: options.fingerprints ? ['INVALID_CONFIGURATION', 'UNSUPPORTED'] : 'INVALID_CONFIGURATION',
        create: null,
      },
      async (stage) => {
        const answer = await stage.create(options)
        return answer.ok ? 'ok' : answer.code
      },
    ),
  ),
  ...(
    [
      ['http to localhost', 'http://localhost:1', {}],
      ['http to 127.0.0.1', 'http://127.0.0.1:1', {}],
      ['http to [::1]', 'http://[::1]:1', {}],
      ['https', 'https://signet.example.com', {}],
      ['https with a slash at the end', 'https://signet.example.com/', {}],
      ['http to another machine, allowed', 'http://192.0.2.1', { allowHttp: true }],
    ] as const
  ).map(([name, serverUrl, options]) =>
    scenario(name, { guards: 'making a client does no network', expected: 'ok', create: null }, async (stage) => {
      const answer = await stage.create({ ...options, serverUrl })
      return answer.ok ? 'ok' : answer.code
    }),
  ),
]

const sentences: Scenario[] = [
  ...(['en', 'pt', 'es'] as const).map((language) =>
    scenario(
      `the sentences for customers, ${language}`,
      {
        guards: 'every code has its sentence of codes.json',
        expected: `${Object.keys(codes).length} right`,
        create: { language },
      },
      async (stage) => {
        const wrong: string[] = []
        for (const [code, { message }] of Object.entries(codes)) {
          const answer = await stage.ask('message', { code, language })
          const got = answer.ok ? answer.result['message'] : answer.code
          if (got !== message[language]) wrong.push(`${code}: ${String(got)}`)
        }
        return wrong.length === 0 ? `${Object.keys(codes).length} right` : wrong.slice(0, 3).join('; ')
      },
    ),
  ),
  scenario(
    'the sentence of an unknown code',
    { guards: 'a code of a later server, or a hostile one, brings no program down', expected: 'ok, ok, ok, ok' },
    async (stage) => {
      const outcomes: string[] = []
      for (const code of ['BRAND_NEW_CODE', '__proto__', 'toString', '']) {
        outcomes.push(await stage.outcome('message', { code, language: 'es' }))
      }
      return outcomes.join(', ')
    },
  ),
  scenario(
    'the hardware ID',
    { guards: 'the same machine has the same hardware ID in every language', expected: 'the same, HWID_UNAVAILABLE' },
    async (stage) => {
      const file = JSON.parse(readFileSync(new URL('../../vectors/hardware-ids.json', import.meta.url), 'utf8')) as {
        cases: { ownerId: string; machineId: string; hwid: string | null }[]
      }
      const good = file.cases[0]
      const answer = await stage.ask('hwid', { ownerId: good?.ownerId, machineId: good?.machineId })
      const isSame = answer.ok && answer.result['hwid'] === good?.hwid
      const bad = await stage.outcome('hwid', { ownerId: good?.ownerId, machineId: 'uninitialized' })
      return `${isSame ? 'the same' : 'another one'}, ${bad}`
    },
  ),
  scenario(
    'the vectors',
    { guards: 'the client passes every case of sdks/vectors', expected: 'none failed' },
    async (stage) => {
      const answer = await stage.ask('vectors', { dir: fileURLToPath(new URL('../../vectors', import.meta.url)) })
      if (!answer.ok) return answer.code
      const { passed, failed } = answer.result as { passed?: number; failed?: string[] }
      if (!failed || failed.length > 0)
        return `${failed?.length ?? 'unknown'} failed: ${(failed ?? []).slice(0, 8).join('; ')}`
      return (passed ?? 0) >= vectorCount() ? 'none failed' : `only ${passed} of ${vectorCount()} cases were run`
    },
  ),
  scenario(
    'an unknown request',
    { guards: 'the program says what it can not do', expected: 'UNSUPPORTED' },
    async (stage) => stage.outcome('makeCoffee'),
  ),
]

/** The number of cases in all files. */
const vectorCount = (): number =>
  [
    'request-hash',
    'certificates',
    'public-keys',
    'replies',
    'sealed-bodies',
    'answers',
    'app-names',
    'hardware-ids',
    'keys',
  ]
    .map(
      (name) =>
        JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8')) as {
          cases: unknown[]
        },
    )
    .reduce((sum, { cases }) => sum + cases.length, 0)

export const configurationScenarios: Scenario[] = [...configuration, ...sentences]
