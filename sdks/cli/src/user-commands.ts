import { type Command, onceOption, pageOptions, report, requiredNumber, yesOption } from './command.ts'
import { usage } from './failures.ts'
import { filterOptions, listCommand, showPage } from './list-command.ts'
import type { Output } from './output.ts'
import { confirm } from './prompt.ts'
import { part } from './seller-api.ts'
import { type Column, fieldLines, timeText } from './table.ts'

interface User {
  username: string
  email: string
  hwid: string
  ip: string
  creationDate: number
  lastLoginDate: number | null
  banned: boolean
  paused: boolean
  hasActiveSubscription: boolean
  subscriptions: Record<string, { level: number; name: string; active: boolean; expiry: number | null }>
  variables: Record<string, string>
}

const statusOf = ({ banned, paused, hasActiveSubscription }: User): string =>
  banned ? 'banned' : paused ? 'paused' : hasActiveSubscription ? 'active' : 'expired'

const subscriptionsOf = ({ subscriptions }: User): string =>
  Object.values(subscriptions)
    .map(({ level, name, expiry }) => `${level} ${name} ${expiry === null ? 'forever' : `until ${timeText(expiry)}`}`)
    .join(', ')

const columns: readonly Column<User>[] = [
  { title: 'USER', value: ({ username }) => username, isWhole: true },
  { title: 'STATUS', value: statusOf, isWhole: true },
  { title: 'SUBSCRIPTIONS', value: subscriptionsOf },
  { title: 'EMAIL', value: ({ email }) => email },
  { title: 'LAST SIGN-IN', value: ({ lastLoginDate }) => timeText(lastLoginDate) },
]

function show(output: Output, reply: { user: User }): void {
  if (output.isJson) return output.json(reply)
  const { user } = reply
  const lines = fieldLines([
    ['User', user.username],
    ['Status', statusOf(user)],
    ['Subscriptions', subscriptionsOf(user)],
    ['Email', user.email],
    ['Device', user.hwid],
    ['IP address', user.ip],
    ['Created', timeText(user.creationDate)],
    ['Last sign-in', timeText(user.lastLoginDate)],
    ...Object.entries(user.variables).map(([name, data]) => [`Variable ${name}`, data] as const),
  ])
  for (const line of lines) output.line(line)
}

function stateCommand(verb: string, summary: string): Command {
  return {
    name: `users ${verb}`,
    args: ['NAME'],
    summary,
    async run({ args: [name = ''], output, api }) {
      report(output, await api().post(`/users/${part(name)}/${verb}`))
    },
  }
}

const list = { noun: 'users', columns }
const filters = filterOptions('In names, email addresses, and IP addresses', 'active, expired, paused, or banned')

export const userCommands: readonly Command[] = [
  listCommand({ ...list, filters, idOf: ({ username }) => username }),
  {
    name: 'users find',
    args: ['VARIABLE=VALUE'],
    summary: 'Find the users whose variable has exactly this value',
    options: pageOptions,
    async run(run) {
      const [pair = ''] = run.args
      const at = pair.indexOf('=')
      if (at < 1 || at === pair.length - 1) throw usage('Name the variable and its value, such as discord=1234')
      await showPage(run, list, { variable: pair.slice(0, at), value: pair.slice(at + 1) })
    },
  },
  {
    name: 'users show',
    args: ['NAME'],
    summary: 'Show a user',
    async run({ args: [name = ''], output, api }) {
      show(output, await api().get<{ user: User }>(`/users/${part(name)}`))
    },
  },
  stateCommand('ban', 'Ban a user; programs end on their next call'),
  stateCommand('unban', 'Unban a user'),
  stateCommand('pause', 'Pause a user; the time left is kept'),
  stateCommand('unpause', 'Let a paused user continue'),
  stateCommand('reset-hwid', 'Let a user sign in on another machine'),
  {
    name: 'users extend',
    args: ['NAME'],
    summary: 'Add time to a subscription of a user',
    options: [
      { name: 'days', value: 'N', summary: 'Required' },
      { name: 'level', value: 'N', summary: 'The level of the subscription' },
      { name: 'expired', summary: 'Start a subscription again that has ended' },
      onceOption,
    ],
    async run({ args: [name = ''], values, output, api }) {
      const body = {
        duration: requiredNumber(values, 'days'),
        unit: 'days',
        level: requiredNumber(values, 'level'),
        ...(values['expired'] && { extendExpired: true }),
      }
      report(output, await api().post(`/users/${part(name)}/extend`, body))
    },
  },
  {
    name: 'users delete',
    args: ['NAME'],
    summary: 'Delete a user with all subscriptions and variables',
    options: [yesOption],
    async run({ args: [name = ''], values, environment, output, api }) {
      const path = `/users/${part(name)}`
      const server = api()
      await confirm(environment, `Delete the user ${name}?`, values['yes'])
      report(output, await server.delete(path))
    },
  },
]
