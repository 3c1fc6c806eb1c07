import { checkedKey } from './account.ts'
import { type Command, textOf } from './command.ts'
import { Failure, usage } from './failures.ts'
import { configFile, defaultProfile, readProfiles, writeProfiles } from './profiles.ts'
import { ask, askSecret, canAsk, readPiped } from './prompt.ts'
import { newApi } from './new-api.ts'
import { printable } from './printable.ts'
import { serverUrl } from './server-url.ts'
import { fieldLines, timeText } from './table.ts'

interface Limit {
  limit: number
  remaining: number
}

interface Me {
  key: {
    id: string
    name: string
    fullAccess: boolean
    permissions: string[]
    allowedIps: number
    expiresAt: number | null
  }
  app: { id: string; name: string }
  limits: { perMinute: Limit; perHour: Limit }
  ip: string
  serverVersion: string
}

interface Stats {
  licenses: { total: number; unused: number }
  users: { total: number }
  sessions: { live: number }
}

type Fields = readonly (readonly [name: string, value: string])[]

const profileName = /^[\w.-]{1,50}$/

const callsLeft = ({ limit, remaining }: Limit, unit: string) => `${remaining} of ${limit} this ${unit}`

const keyFields = ({ key, app, limits, ip }: Me): Fields => [
  ['App', app.name],
  ['Key', `${key.id} ${key.name}`],
  ...(key.expiresAt === null ? [] : ([['Rotated', `this key works until ${timeText(key.expiresAt)}`]] as const)),
  ['Permissions', key.fullAccess ? 'all' : key.permissions.join(', ')],
  ['Allowed from', key.allowedIps === 0 ? 'any IP address' : `${key.allowedIps} IP addresses or networks`],
  ['Called from', ip],
  ['Calls left', `${callsLeft(limits.perMinute, 'minute')}, ${callsLeft(limits.perHour, 'hour')}`],
]

const totalFields = ({ licenses, users, sessions }: Stats): Fields => [
  ['Licenses', `${licenses.total}, ${licenses.unused} unused`],
  ['Users', `${users.total}`],
  ['Sessions', `${sessions.live} live`],
]

export const loginCommands: readonly Command[] = [
  {
    name: 'login',
    summary: 'Store a server and a seller key',
    more: `The key is asked for and not shown, or read from the standard input:
  signet login --url https://signet.example.com < key.txt
It is stored in a file that only you can read, once the server has accepted it.`,
    async run({ environment, output, values }) {
      const { variables } = environment
      const name = textOf(values, 'profile') ?? defaultProfile
      if (!profileName.test(name)) throw usage('A profile has up to 50 letters, digits, dots, dashes, and underscores')
      const isAsked = canAsk(environment)
      const given = textOf(values, 'url') ?? variables['SIGNET_URL']
      if (!given && !isAsked) throw usage('--url is missing')
      const url = serverUrl(given || (await ask(environment, 'Server: ')), { allowHttp: values['allow-http'] === true })
      const key = checkedKey(
        isAsked ? await askSecret(environment, 'Seller key: ') : await readPiped(environment, 4096),
      )
      output.conceal(key)
      const { app, key: found } = await newApi({ url, key }, values, output).get<Me>('/me')
      writeProfiles(variables, new Map([...readProfiles(variables), [name, { url, key }]]))
      if (output.isJson) return output.json({ success: true, profile: name, url, key: found.id, app })
      output.line(printable(`Signed in to ${url} for the app ${app.name} with the key ${found.id} ${found.name}`))
      output.line(`Stored in ${configFile(variables)}`)
    },
  },
  {
    name: 'logout',
    summary: 'Delete a stored key from this machine',
    run({ environment: { variables }, output, values }) {
      const name = textOf(values, 'profile') ?? defaultProfile
      const profiles = readProfiles(variables)
      if (!profiles.delete(name)) throw new Failure('notSignedIn', `Not signed in as ${name}`)
      writeProfiles(variables, profiles)
      if (output.isJson) output.json({ success: true, profile: name })
      else output.line('Signed out. The key still works: delete it in the dashboard if nobody needs it.')
    },
  },
  {
    name: 'whoami',
    summary: 'Show the server, the key with its app and permissions, and totals',
    async run({ output, account, api }) {
      const { url, profile } = account()
      const server = api()
      const me = await server.get<Me>('/me')
      const { key, serverVersion } = me
      const hasTotals = key.fullAccess || key.permissions.includes('stats:read')
      const totals = hasTotals ? await server.get<Stats>('/stats') : undefined
      if (output.isJson) return output.json({ ...me, server: url, profile: profile ?? null, totals: totals ?? null })
      const lines = fieldLines([
        ['Server', `${url}, version ${serverVersion}`],
        ['Signed in by', profile === undefined ? 'SIGNET_KEY' : `profile ${profile}`],
        ...keyFields(me),
        ...(totals ? totalFields(totals) : []),
      ])
      for (const line of lines) output.line(line)
    },
  },
]
