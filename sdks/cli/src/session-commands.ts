import { type Command, type Option, pageOptions, report, textOf } from './command.ts'
import { usage } from './failures.ts'
import { showPage } from './list-command.ts'
import { part } from './seller-api.ts'
import { type Column, timeText } from './table.ts'

interface Session {
  session_id: string
  verifiedUser: string | null
  ip: string
  created_at: number
  expires_at: number
}

const columns: readonly Column<Session>[] = [
  { title: 'SESSION', value: ({ session_id }) => session_id, isWhole: true },
  { title: 'USER', value: ({ verifiedUser }) => verifiedUser ?? '' },
  { title: 'IP ADDRESS', value: ({ ip }) => ip },
  { title: 'STARTED', value: ({ created_at }) => timeText(created_at) },
  { title: 'EXPIRES', value: ({ expires_at }) => timeText(expires_at) },
]

const userOption: Option = { name: 'user', value: 'NAME', summary: 'Of one user' }

export const sessionCommands: readonly Command[] = [
  {
    name: 'sessions list',
    summary: 'List the sessions of programs, newest first',
    options: [userOption, ...pageOptions],
    run: (run) => showPage(run, { noun: 'sessions', columns }, { username: textOf(run.values, 'user') }),
  },
  {
    name: 'sessions end',
    args: ['[ID]'],
    summary: 'End a session, or all sessions of a user; the program is rejected on its next call',
    options: [userOption],
    async run({ args: [id], values, output, api }) {
      const user = textOf(values, 'user')
      if ((id === undefined) === (user === undefined)) throw usage('Name one session, or --user NAME')
      report(
        output,
        await api().delete(user === undefined ? `/sessions/${part(id ?? '')}` : `/users/${part(user)}/sessions`),
      )
    },
  },
]
