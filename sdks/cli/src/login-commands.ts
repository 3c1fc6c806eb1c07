import { checkedKey } from './account.ts'
import { type Command, textOf } from './command.ts'
import { Failure, usage } from './failures.ts'
import { configFile, defaultProfile, readProfiles, writeProfiles } from './profiles.ts'
import { ask, askSecret, canAsk, readPiped } from './prompt.ts'
import { newApi } from './new-api.ts'
import { serverInfo } from './server-info.ts'
import { serverUrl } from './server-url.ts'
import { fieldLines } from './table.ts'

interface Stats {
  licenses: { total: number; unused: number }
  users: { total: number }
  sessions: { live: number }
}

const profileName = /^[\w.-]{1,50}$/

/** The part of a key that lists in the dashboard show, too. */
const keyId = (key: string): string => /^(lk_live_[A-Za-z0-9]{8})_/.exec(key)?.[1] ?? 'unknown'

/** A key without the permission for totals has been recognized all the same. */
async function totals(api: ReturnType<typeof newApi>): Promise<Stats | undefined> {
  try {
    return await api.get<Stats>('/stats')
  } catch (error) {
    if (error instanceof Failure && error.code === 'SCOPE_MISSING') return undefined
    throw error
  }
}

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
      await totals(newApi({ url, key }, values, output))
      writeProfiles(variables, new Map([...readProfiles(variables), [name, { url, key }]]))
      if (output.isJson) output.json({ success: true, profile: name, url, key: keyId(key) })
      else output.line(`Signed in to ${url} with the key ${keyId(key)}, stored in ${configFile(variables)}`)
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
    summary: 'Show the server, the key, and totals of its app',
    async run({ output, account, api }) {
      const { url, key, profile } = account()
      const found = await totals(api())
      const { version } = await serverInfo(url)
      const result = {
        server: url,
        version: version ?? null,
        key: keyId(key),
        profile: profile ?? null,
        totals: found ?? null,
      }
      if (output.isJson) return output.json(result)
      const lines = fieldLines([
        ['Server', url],
        ['Version', version ?? 'unknown'],
        ['Key', keyId(key)],
        ['From', profile === undefined ? 'SIGNET_KEY' : `profile ${profile}`],
        ...(found
          ? ([
              ['Licenses', `${found.licenses.total}, ${found.licenses.unused} unused`],
              ['Users', `${found.users.total}`],
              ['Sessions', `${found.sessions.live} live`],
            ] as const)
          : []),
      ])
      for (const line of lines) output.line(line)
    },
  },
]
