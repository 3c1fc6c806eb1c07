import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, numberOf, type Run, textOf } from './command.ts'
import { exitCodes, Failure, usage } from './failures.ts'
import { printable } from './printable.ts'
import type { Query } from './seller-api.ts'
import { type Column, timeText } from './table.ts'

interface Entry {
  message: string
  credential: string
  timestamp: number
  call: string
  code: string
  ip: string
}

const columns: readonly Column<Entry>[] = [
  { title: 'TIME', value: ({ timestamp }) => timeText(timestamp), isWhole: true },
  { title: 'CALL', value: ({ call }) => call },
  { title: 'CODE', value: ({ code }) => code },
  { title: 'USER', value: ({ credential }) => credential, isWhole: true },
  { title: 'IP ADDRESS', value: ({ ip }) => ip },
  { title: 'MESSAGE', value: ({ message }) => message },
]

/** Rows come one by one, so their columns have no common widths. */
function followLine({ timestamp, call, code, credential, ip, message }: Entry): string {
  const time = new Date(timestamp * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return printable([time, call, code, credential, ip, message].filter(Boolean).join('  '))
}

/** Until the reader is gone or the person presses Ctrl-C. A server that is away for a while is waited for. */
async function follow(
  { output, api }: Run,
  query: Query,
  { limit, intervalMs }: { limit: number | undefined; intervalMs: number },
): Promise<void> {
  const server = api()
  process.once('SIGINT', () => process.exit(0))
  let after: string | undefined
  let isAway = false
  for (;;) {
    try {
      // Of those before it began, only the last.
      const asked = after === undefined ? { ...query, limit } : { ...query, after }
      const { logs, next } = await server.get<{ logs: Entry[]; next: string }>('/logs/tail', asked)
      if (isAway) output.problem('connected again')
      isAway = false
      for (const entry of logs) {
        if (output.isJson) output.json(entry, { isLine: true })
        else output.line(followLine(entry))
      }
      // A full reply has more behind it.
      const isFull = after !== undefined && logs.length >= 100
      after = next
      if (isFull) continue
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const isPassing = error.exitCode === exitCodes.unavailable || error.code === 'RATE_LIMITED'
      if (!isPassing || after === undefined) throw error
      if (!isAway) output.problem(`${error.message}; trying again`)
      isAway = true
    }
    await sleep(intervalMs)
  }
}

export const logCommands: readonly Command[] = [
  {
    name: 'logs',
    summary: 'Show what the programs of the app did, newest last',
    options: [
      { name: 'follow', summary: 'Print new entries as they come, until Ctrl-C' },
      { name: 'code', value: 'CODE', summary: 'Calls rejected with this code' },
      { name: 'user', value: 'NAME', summary: 'Of this username or license key' },
      { name: 'call', value: 'CALL', summary: 'Of this call, such as init or license' },
      { name: 'rejected', summary: 'Only rejected calls' },
      { name: 'limit', value: 'N', summary: 'Entries, up to 100; default: 20' },
      { name: 'interval', value: 'SECONDS', summary: 'Between two calls of --follow; default: 10' },
    ],
    more: `Entries appear about 5 seconds after their event. A key has 1000 calls an hour by default; --follow takes 360.`,
    async run(run) {
      const { values, output, api } = run
      const query = {
        code: textOf(values, 'code'),
        credential: textOf(values, 'user'),
        call: textOf(values, 'call'),
        rejected: values['rejected'] === true ? true : undefined,
      }
      const limit = numberOf(values, 'limit')
      if (values['follow']) {
        const seconds = numberOf(values, 'interval') ?? 10
        if (seconds < 1 || seconds > 86_400) throw usage('--interval takes 1 to 86400 seconds')
        return follow(run, query, { limit, intervalMs: seconds * 1000 })
      }
      const reply = await api().get<{ logs: Entry[] }>('/logs', { ...query, limit: limit ?? 20 })
      if (output.isJson) output.json(reply)
      else output.table(columns, reply.logs.toReversed())
    },
  },
]
