import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { parseSync } from 'vite'
import { goodPassword, newOwner } from '#testing/people/people.ts'
import { migratedPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, testEngine } from '#testing/start-test-app.ts'

/**
 * A transaction holds a connection. If it waited for another one, as many such transactions as there are connections
 * would wait for each other.
 */

interface Node {
  type: string
  name?: string
  id?: Node | null
  init?: Node | null
  params?: Node[]
  callee?: Node
  object?: Node
  property?: Node
  source?: { value: string }
  specifiers?: { imported?: Node; local: Node }[]
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const isFunction = ({ type }: Node): boolean => /^(ArrowFunction|Function)/.test(type)
const hasTx = ({ params = [] }: Node): boolean => params.some(({ name }) => name === 'tx')

interface Call {
  /** `file name`, as of the callee. */
  caller: string
  callee: string
  isInTransaction: boolean
}

const settingsRead = 'settings.current()'
const readsSettings = ({ object, property }: Node): boolean =>
  property?.name === 'current' && (object?.name ?? object?.property?.name) === 'settings'

/** The calls of settings and of functions by their name, with the functions that they stand in. */
function callsOf(file: string, tree: Node): Call[] {
  const imported = new Map<string, string>()
  const calls: Call[] = []
  const visit = (node: Node, name: string, isInTransaction: boolean) => {
    if (node.type === 'ImportDeclaration') {
      const path = node.source?.value ?? ''
      const from = path.startsWith('.') ? join(dirname(file), path) : path.replace('#', 'src/')
      for (const each of node.specifiers ?? [])
        imported.set(each.local.name ?? '', `${from} ${each.imported?.name ?? ''}`)
    }
    if (node.type === 'CallExpression' && node.callee) {
      const { name: called } = node.callee
      const callee = readsSettings(node.callee) ? settingsRead : called && (imported.get(called) ?? `${file} ${called}`)
      if (callee) calls.push({ caller: `${file} ${name}`, callee, isInTransaction })
    }
    const isNamed = node.type === 'FunctionDeclaration' || (node.init && isFunction(node.init))
    const inside = isInTransaction || (isFunction(node) && hasTx(node))
    for (const child of childrenOf(node)) visit(child, (isNamed && node.id?.name) || name, inside)
  }
  visit(tree, '', false)
  return calls
}

test.runIf(testEngine === 'sqlite')(
  'nothing reads the settings inside a transaction, also not through another function',
  () => {
    const root = resolve(import.meta.dirname, '../..')
    const files = globSync('src/{server,features}/**/*.ts', { cwd: root }).filter(
      (file) => !/\.(test|e2e)\.ts$|\/web\//.test(file),
    )
    const calls = files.flatMap((file) =>
      callsOf(file, parseSync(file, readFileSync(join(root, file), 'utf8')).program as unknown as Node),
    )
    const readers = new Set([settingsRead])
    for (let known = 0; known < readers.size;) {
      known = readers.size
      for (const { caller, callee } of calls) if (readers.has(callee)) readers.add(caller)
    }
    expect(readers).toContain('src/features/accounts/identity-verification.actions.ts checkNewPassword')
    expect(calls.filter(({ callee, isInTransaction }) => isInTransaction && readers.has(callee))).toEqual([])
  },
)

const calls = 2

test.runIf(testEngine === 'postgres')(
  'as many sign-ins at once as there are connections succeed, although settings were saved a moment before',
  async () => {
    const url = await migratedPostgresUrl()
    const app = await startTestApp({ postgres: { url, connections: { calls } } })
    const [holder, saver] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
    await Promise.all([holder.connect(), saver.connect()])
    const owners = []
    for (let n = 0; n < calls; n++) owners.push(await newOwner(app))
    // Until the settings have changed, each sign-in waits in its transaction.
    await holder.query('begin')
    await holder.query('select 1 from accounts for update')
    const signIns = owners.map(({ username }) =>
      app.visitor().call('POST /login', { body: { username, password: goodPassword } }),
    )
    const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await saver.query<{ n: number }>(waiting)).rows[0]?.n).toBe(calls)
    const heard = new Promise((resolve) => app.db.events.on('settings', resolve))
    await saver.query(`select pg_notify('signet', 'settings:platform')`)
    await heard
    await holder.query('commit')
    expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual(owners.map(() => 200))
    await Promise.all([holder.end(), saver.end()])
    await app.close()
  },
)
