import { openSync, closeSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { type Command, numberOf, onceOption, report, requiredNumber, textOf, yesOption } from './command.ts'
import { type Failure, usage } from './failures.ts'
import { filterOf, filterOptions, listCommand } from './list-command.ts'
import { confirm } from './prompt.ts'
import { part } from './seller-api.ts'
import { type Column, durationText, fieldLines, timeText } from './table.ts'

interface License {
  license: string
  subscription: { level: number; name: string }
  expiry: number
  expiresAt: number | null
  notes: string
  generatedBy: string
  used: boolean
  usedBy: string
  usedAt: number | null
  banned: boolean
  creationDate: number
}

const statusOf = ({ banned, used }: License): string => (banned ? 'banned' : used ? 'used' : 'unused')
const timeOf = ({ expiry }: License): string => (expiry === 0 ? 'lifetime' : durationText(expiry))

const columns: readonly Column<License>[] = [
  { title: 'KEY', value: ({ license }) => license, isWhole: true },
  { title: 'STATUS', value: statusOf, isWhole: true },
  { title: 'LEVEL', value: ({ subscription: { level, name } }) => `${level} ${name}` },
  { title: 'TIME', value: timeOf },
  { title: 'USER', value: ({ usedBy }) => usedBy },
  { title: 'ENDS', value: ({ expiresAt }) => timeText(expiresAt) },
  { title: 'NOTES', value: ({ notes }) => notes },
]

const filters = filterOptions('In keys, notes, users, and makers', 'unused, used, banned, or expiring')

const idOf = ({ license }: License): string => license

/** A cell of a CSV file. What a spreadsheet would take for a formula, wherever it splits the text, gets an apostrophe. */
const csvCell = (text: string): string =>
  `"${text.replace(/(?<=(?:^|[,;|\t\r\n])[\s"]*)(?=[=+\-@＝＋－＠])/gu, "'").replaceAll('"', '""')}"`

const csvColumns: readonly [title: string, value: (license: License) => string | number][] = [
  ['license', ({ license }) => license],
  ['status', statusOf],
  ['level', ({ subscription }) => subscription.level],
  ['subscription', ({ subscription }) => subscription.name],
  ['expiry_seconds', ({ expiry }) => expiry],
  ['expires_at', ({ expiresAt }) => expiresAt ?? ''],
  ['used_by', ({ usedBy }) => usedBy],
  ['used_at', ({ usedAt }) => usedAt ?? ''],
  ['generated_by', ({ generatedBy }) => generatedBy],
  ['created_at', ({ creationDate }) => creationDate],
  ['notes', ({ notes }) => notes],
]

function banCommand(verb: 'ban' | 'unban', summary: string): Command {
  return {
    name: `licenses ${verb}`,
    args: ['KEY'],
    summary,
    async run({ args: [key = ''], output, api }) {
      report(output, await api().post(`/licenses/${part(key)}/${verb}`))
    },
  }
}

export const licenseCommands: readonly Command[] = [
  {
    name: 'licenses create',
    summary: 'Create licenses and print their keys, one per line',
    options: [
      { name: 'amount', value: 'N', summary: '1 to 1000; default: 1' },
      { name: 'level', value: 'N', summary: 'The level that the licenses give' },
      { name: 'days', value: 'N', summary: 'The time that they give; default: 30' },
      { name: 'lifetime', summary: 'They never end' },
      { name: 'mask', value: 'MASK', summary: 'The form of a key; each # is random' },
      { name: 'notes', value: 'TEXT', summary: 'Such as the order number' },
      onceOption,
    ],
    async run({ values, output, api }) {
      const days = numberOf(values, 'days')
      if (days !== undefined && values['lifetime']) throw usage('Choose --days or --lifetime')
      const reply = await api().post<{ licenses: string[] }>('/licenses', {
        amount: numberOf(values, 'amount') ?? 1,
        level: numberOf(values, 'level'),
        mask: textOf(values, 'mask'),
        notes: textOf(values, 'notes'),
        ...(values['lifetime'] ? { expiryUnit: 'lifetime' } : { duration: days ?? 30, expiryUnit: 'days' }),
      })
      if (output.isJson) return output.json(reply)
      for (const key of reply.licenses) output.text(key)
    },
  },
  listCommand({ noun: 'licenses', columns, filters, idOf }),
  {
    name: 'licenses show',
    args: ['KEY'],
    summary: 'Show a license',
    async run({ args: [key = ''], output, api }) {
      const reply = await api().get<{ license: License }>(`/licenses/${part(key)}`)
      if (output.isJson) return output.json(reply)
      const { license } = reply
      const lines = fieldLines([
        ['Key', license.license],
        ['Status', statusOf(license)],
        ['Level', `${license.subscription.level} ${license.subscription.name}`],
        ['Time', timeOf(license)],
        ['User', license.usedBy],
        ['Redeemed', timeText(license.usedAt)],
        ['Ends', timeText(license.expiresAt)],
        ['Created', `${timeText(license.creationDate)} by ${license.generatedBy}`],
        ['Notes', license.notes],
      ])
      for (const line of lines) output.line(line)
    },
  },
  banCommand('ban', 'Ban a license; its programs end on their next call'),
  banCommand('unban', 'Unban a license'),
  {
    name: 'licenses extend',
    args: ['KEY'],
    summary: 'Add time to a license, or to the user who redeemed it',
    options: [{ name: 'days', value: 'N', summary: 'Required' }, onceOption],
    async run({ args: [key = ''], values, output, api }) {
      const body = { duration: requiredNumber(values, 'days'), expiryUnit: 'days' }
      report(output, await api().post(`/licenses/${part(key)}/add-time`, body))
    },
  },
  {
    name: 'licenses delete',
    args: ['KEY'],
    summary: 'Delete a license',
    options: [yesOption],
    async run({ args: [key = ''], values, environment, output, api }) {
      const path = `/licenses/${part(key)}`
      const server = api()
      await confirm(environment, `Delete the license ${key}?`, values['yes'])
      report(output, await server.delete(path))
    },
  },
  {
    name: 'licenses export',
    summary: 'Write licenses to a file or the standard output',
    options: [
      { name: 'format', value: 'FORMAT', summary: 'csv, or txt with only the keys; default: csv' },
      { name: 'output', value: 'FILE', summary: 'A new file that only you can read' },
      ...filters,
    ],
    async run({ values, output, api }) {
      const format = textOf(values, 'format') ?? 'csv'
      if (format !== 'csv' && format !== 'txt') throw usage('--format is csv or txt')
      const file = textOf(values, 'output')
      const lineOf = (license: License) =>
        format === 'txt' ? license.license : csvColumns.map(([, value]) => csvCell(String(value(license)))).join(',')
      const server = api()
      const target = file === undefined ? undefined : newFile(file)
      const write = (text: string) => {
        if (file === undefined || target === undefined) return output.text(text)
        try {
          writeFileSync(target, `${text}\n`)
        } catch (error) {
          throw notWritten(file, error)
        }
      }
      if (file !== undefined) deleteIfInterrupted(file)
      let count = 0
      try {
        if (format === 'csv' && !(output.isJson && target === undefined))
          write(csvColumns.map(([title]) => title).join(','))
        for await (const rows of server.pages('/licenses', filterOf(values), 'licenses', idOf)) {
          for (const row of rows) {
            if (output.isJson && target === undefined) output.json(row, { isLine: true })
            else write(lineOf(row))
          }
          count += rows.length
        }
      } catch (error) {
        // A part of the licenses would pass for all of them, and stand in the way of the next attempt.
        if (file !== undefined) rmSync(file, { force: true })
        throw error
      } finally {
        if (target !== undefined) closeSync(target)
      }
      output.note(`${count} ${count === 1 ? 'license' : 'licenses'}${file === undefined ? '' : ` in ${file}`}`)
    },
  },
]

function newFile(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    throw notWritten(file, error)
  }
}

/** What a failed export leaves behind, an interrupted one doesn't either. */
function deleteIfInterrupted(file: string): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      rmSync(file, { force: true })
      process.exit(128 + constants.signals[signal])
    })
}

const notWritten = (file: string, error: unknown): Failure =>
  usage(`${file} can't be written (${(error as NodeJS.ErrnoException).code})`)
