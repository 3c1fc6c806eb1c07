import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { commonErrors } from '#contract/common-errors.ts'
import { callError } from '#contract/errors.ts'
import { readConfig } from '#server/config/config.ts'
import { requestFields } from '#server/http/access-log.ts'
import { failureBody } from '#server/http/failures.ts'
import { root } from '../../outdated.ts'
import { everyCode } from '../error-codes.ts'
import { commandProblems, settingProblems } from './command-checks.ts'
import { blocksOf, type Check, textOf } from './page-blocks.ts'

/** Blocks of data and of other programs' configuration: their form, and every name in them that is ours. */

const defaults = readConfig({})
const megabytes = String(defaults.maxUploadBytes / 1e6)

const manifest = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }

/** Addresses of this and of other servers: port 8080, or a port of a program on the page. */
function portProblems({ page, text }: Parameters<Check>[0]): string[] {
  const own = new Set([String(defaults.port), ...[...textOf(page).matchAll(/listen\((\d+)/g)].map(([, port]) => port)])
  return [...text.matchAll(/\b(?:127\.0\.0\.1|10\.0\.0\.\d+):(\d+)/g)].flatMap(([address, port]) =>
    own.has(port) ? [] : [`nothing listens at ${address}`],
  )
}

/** A limit of a proxy is the one that the server has by default. */
const uploadProblems = (text: string): string[] =>
  [...text.matchAll(/(?:client_max_body_size|max_size) (\d+)/g)].flatMap(([line, size]) =>
    size === megabytes ? [] : [`${line}: MAX_UPLOAD_MB is ${megabytes} by default`],
  )

const namedSettings = (text: string): string[] =>
  settingProblems(Object.fromEntries((text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []).map((name) => [name, '…'])))

function braceProblems(text: string): string[] {
  let depth = 0
  for (const [brace] of text.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth < 0) break
  }
  return depth === 0 ? [] : ['the braces do not match']
}

const withoutComments = (text: string): string => text.replace(/(?:^|\s)#.*/gm, '')

export const nginxProblems: Check = (block) => {
  const statements = withoutComments(block.text)
    .split('\n')
    .map((line) => line.trim())
  const open = statements.filter((line) => line !== '' && !/[;{}]$/.test(line)).map((line) => `no end: ${line}`)
  return [
    ...open,
    ...braceProblems(statements.join('\n')),
    ...portProblems(block),
    ...uploadProblems(block.text),
    ...namedSettings(block.text),
  ]
}

export const caddyProblems: Check = (block) => [
  ...braceProblems(block.text),
  ...portProblems(block),
  ...uploadProblems(block.text),
]

export const yamlProblems: Check = (block) => {
  let value: unknown
  try {
    value = parseYaml(block.text)
  } catch (error) {
    return [(error as Error).message]
  }
  const { rule_files: files = [], scrape_configs: jobs = [] } = value as {
    rule_files?: string[]
    scrape_configs?: { job_name: string }[]
  }
  const alerts = textOf('docs/signet-alerts.yml')
  const missing = files.filter((file) => !existsSync(join(root, dirname(block.page), '..', file)))
  const unknown = jobs.filter(({ job_name: name }) => !alerts.includes(`{job="${name}"}`))
  return [
    ...(files.length + jobs.length === 0 ? ['the page of this block has another form'] : []),
    ...missing.map((file) => `docs/ has no ${file}`),
    ...unknown.map(({ job_name: name }) => `the alert rules know no job ${name}`),
    ...portProblems(block),
  ]
}

const unitSections = new Set(['Unit', 'Service', 'Timer', 'Install'])
const installedAt = '/opt/signet/'

/** `ExecStart` is a command of this repository, as package.json starts it. */
function execProblems(value: string, page: string): string[] {
  const [program = '', ...args] = value.split(' ')
  if (program !== `${installedAt}node_modules/.bin/node`) return [`${program} is not the Node of the repository`]
  const starts = args.includes('tools/start.js')
  if (starts && `node ${args.join(' ')}` !== manifest.scripts['start'])
    return [`npm start is ${manifest.scripts['start']}`]
  return commandProblems({ assigned: {}, words: ['node', ...args] }, page)
}

/** A unit of systemd. */
export const unitProblems: Check = ({ page, text }) =>
  text
    .split('\n')
    .filter(Boolean)
    .flatMap((line, index) => {
      const [, section] = /^\[(\w+)\]$/.exec(line) ?? []
      if (section) return unitSections.has(section) ? [] : [`systemd has no section ${section}`]
      const [, name, value = ''] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? []
      if (!name || index === 0) return [`not a line of a unit: ${line}`]
      if (name === 'ExecStart') return execProblems(value, page)
      if (name === 'WorkingDirectory') return `${value}/` === installedAt ? [] : [`${value} is not ${installedAt}`]
      if (name !== 'Environment') return []
      return settingProblems(Object.fromEntries(value.split(' ').map((each) => each.split('=', 2) as [string, string])))
    })

const keysOf = (value: unknown): string[] => Object.keys(value as object)
const sameKeys = (shown: unknown, real: unknown, what: string): string[] =>
  keysOf(shown).join() === keysOf(real).join()
    ? []
    : [`${what} has ${keysOf(real).join()}, not ${keysOf(shown).join()}`]

const unknownCodes = (text: string): string[] =>
  [...text.matchAll(/"code": "([A-Z_]+)"/g)].flatMap(([, code = '']) =>
    everyCode.includes(code) ? [] : [`there is no code ${code}`],
  )

type JsonCheck = (value: unknown) => string[]

/** A line of the log, as `LOG_REQUESTS=on` writes it. */
const logLine: JsonCheck = (value) => {
  const request = { requestId: '', method: '', path: '', ip: '', appId: '' }
  const fields = requestFields({ config: defaults }, request)
  return sameKeys(value, { level: 30, time: '', ...fields, status: 200, ms: 1, msg: '' }, 'a line of the log')
}

/** A delivery; docs/reference/webhook-events.md has those of a real server. */
const delivery: JsonCheck = (value) => {
  const { type } = value as { type: string }
  const real = blocksOf('docs/reference/webhook-events.md').find(({ text }) => text.includes(`"type": "${type}"`))
  if (!real) return [`there is no event ${type}`]
  const payload = JSON.parse(real.text) as { data: unknown }
  const { data } = value as { data: unknown }
  return [...sameKeys(value, payload, type), ...sameKeys(data, payload.data, `data of ${type}`)]
}

const failure: JsonCheck = (value) =>
  sameKeys(value, failureBody(callError(commonErrors, 'BAD_REQUEST'), ''), 'an error')

/** A line that the conformance kit and a client's program exchange. */
const conformanceLine: JsonCheck = (value) => {
  const page = textOf('sdks/conformance/README.md')
  const { do: action, event } = value as { do?: string; event?: string }
  if (action && !page.includes(`| \`${action}\``) && !page.includes(`, \`${action}\``))
    return [`the page describes no ${action}`]
  if (event && !textOf('sdks/conformance/contract.ts').includes(`'${event}'`)) return [`there is no event ${event}`]
  return []
}

const documents: Record<string, JsonCheck> = {
  'docs/operate/monitoring.md': logLine,
  'docs/guides/webhooks.md': delivery,
  'docs/seller-api.md': failure,
  'sdks/conformance/README.md': conformanceLine,
}

/** One value, or one per line. */
function valuesOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  }
}

export const jsonProblems: Check = ({ page, text }) => {
  const check = documents[page]
  if (!check) return ['nothing says what this document is: add its page to data-checks.ts']
  try {
    return [...valuesOf(text).flatMap(check), ...unknownCodes(text)]
  } catch (error) {
    return [(error as Error).message]
  }
}
