import { type Command, onceOption, report } from './command.ts'
import { usage } from './failures.ts'
import { fieldLines } from './table.ts'

export type Settings = Record<string, string | number | boolean>

const flags = new Set(['appStatus', 'vpnBlock', 'hwidLock', 'hashCheck', 'oneSessionPerCredential'])
const numbers = new Set(['minimumHwidLength', 'sessionExpiryDuration'])
const texts = new Set(['version', 'hashToCheck', 'autoUpdateDownloadLink', 'webloaderDownloadLink'])
const names = [...texts, ...flags, ...numbers].join(', ')

function settingOf(pair: string): [name: string, value: string | number | boolean] {
  const at = pair.indexOf('=')
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)]
  if (at < 1) throw usage('Write each setting as name=value')
  if (texts.has(name)) return [name, text]
  if (flags.has(name)) {
    if (text !== 'true' && text !== 'false') throw usage(`${name} is true or false`)
    return [name, text === 'true']
  }
  if (!numbers.has(name)) throw usage(`There is no setting ${name}. The settings: ${names}`)
  if (!/^\d{1,9}$/.test(text)) throw usage(`${name} is a whole number`)
  return [name, Number(text)]
}

export const settingCommands: readonly Command[] = [
  {
    name: 'settings get',
    args: ['[NAME]'],
    summary: 'Show the settings of the app, or the value of one',
    async run({ args: [name], output, api }) {
      const reply = await api().get<{ settings: Settings }>('/settings')
      if (name !== undefined && !Object.hasOwn(reply.settings, name)) throw usage(`There is no setting ${name}`)
      if (output.isJson) return output.json(reply)
      if (name !== undefined) return output.text(String(reply.settings[name]))
      const lines = fieldLines(Object.entries(reply.settings).map(([each, value]) => [each, String(value)] as const))
      for (const line of lines) output.line(line)
    },
  },
  {
    name: 'settings set',
    args: ['NAME=VALUE…'],
    summary: 'Change settings of the app, all of them or none',
    options: [onceOption],
    more: `Programs get the new settings at their next start. The settings:\n  ${[...texts].join(', ')}\n  ${[...flags].join(', ')}\n  ${[...numbers].join(', ')}`,
    async run({ args, output, api }) {
      report(output, await api().put('/settings', Object.fromEntries(args.map(settingOf))))
    },
  },
]
