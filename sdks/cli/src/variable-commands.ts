import { type Command, onceOption, pageOptions, report, textOf, yesOption } from './command.ts'
import { usage } from './failures.ts'
import { showPage } from './list-command.ts'
import { confirm, readPiped } from './prompt.ts'
import { part } from './seller-api.ts'
import { type Column, timeText } from './table.ts'

interface Variable {
  name: string
  data: string
  authenticated: boolean
  updatedAt: number
}

const columns: readonly Column<Variable>[] = [
  { title: 'NAME', value: ({ name }) => name, isWhole: true },
  { title: 'FOR', value: ({ authenticated }) => (authenticated ? 'signed in' : 'everybody'), isWhole: true },
  { title: 'CHANGED', value: ({ updatedAt }) => timeText(updatedAt) },
  { title: 'DATA', value: ({ data }) => data },
]

const maxBytes = 200_000

export const variableCommands: readonly Command[] = [
  {
    name: 'variables list',
    summary: 'List the variables of the app',
    options: [{ name: 'search', value: 'TEXT', summary: 'In names and data' }, ...pageOptions],
    run: (run) => showPage(run, { noun: 'variables', columns }, { search: textOf(run.values, 'search') }),
  },
  {
    name: 'variables get',
    args: ['NAME'],
    summary: 'Print the data of a variable',
    async run({ args: [name = ''], output, api }) {
      const reply = await api().get<{ variable: Variable }>(`/variables/${part(name)}`)
      if (output.isJson) output.json(reply)
      else output.text(reply.variable.data)
    },
  },
  {
    name: 'variables set',
    args: ['NAME', 'DATA'],
    summary: 'Create or change a variable; with - as DATA, the standard input',
    options: [
      { name: 'public', summary: 'Programs can read it before anybody has signed in' },
      { name: 'private', summary: 'Only signed-in programs can read it' },
      onceOption,
    ],
    async run({ args: [name = '', given = ''], values, environment, output, api }) {
      if (values['public'] && values['private']) throw usage('Choose --public or --private')
      const path = `/variables/${part(name)}`
      const server = api()
      const data = given === '-' ? (await readPiped(environment, maxBytes)).replace(/\r?\n$/, '') : given
      const access = values['public'] ? { authenticated: false } : values['private'] ? { authenticated: true } : {}
      report(output, await server.put(path, { data, ...access }))
    },
  },
  {
    name: 'variables delete',
    args: ['NAME'],
    summary: 'Delete a variable',
    options: [yesOption],
    async run({ args: [name = ''], values, environment, output, api }) {
      const path = `/variables/${part(name)}`
      const server = api()
      await confirm(environment, `Delete the variable ${name}?`, values['yes'])
      report(output, await server.delete(path))
    },
  },
]
