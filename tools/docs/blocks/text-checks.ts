import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { eventTitles, type WebhookEvent, webhookEvents } from '#features/webhooks/webhooks.rules.ts'
import { outcomeText } from '../../../sdks/cli/src/forward.ts'
import { root } from '../../outdated.ts'
import { everyCode } from '../error-codes.ts'
import { shellProblems } from './command-checks.ts'
import { type Block, blocksOf, type Check, textOf } from './page-blocks.ts'

/** Blocks without a language of their own. */

const isEvent = (name: string): name is WebhookEvent => (webhookEvents as readonly string[]).includes(name)

/** A line of a crontab: five fields, then a command of the shell. */
export const cronProblems: Check = (block) =>
  block.text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, command] = /^(?:[\d*,/-]+ ){5}(\S.*)$/.exec(line) ?? []
      return command ? shellProblems({ ...block, text: command }) : [`not a line of a crontab: ${line}`]
    })

/** Messages of a chat: the title of an event, its subject, and a code. */
export const chatProblems: Check = ({ text }) => {
  const titles = Object.values(eventTitles)
  const messages = text
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('https://'))
  const codes = [...text.matchAll(/\(([A-Z_]+)\)/g)].map(([, code = '']) => code)
  return [
    ...messages
      .filter((line) => !titles.some((title) => line.startsWith(`${title}: `)))
      .map((line) => `no title: ${line}`),
    ...codes.filter((code) => !everyCode.includes(code)).map((code) => `there is no code ${code}`),
  ]
}

/** What `signet webhooks listen --forward` prints. */
export const listenProblems: Check = ({ text }) => {
  const outcomes = [
    outcomeText({ status: 204, failure: undefined, durationMs: 12 }),
    outcomeText({ status: undefined, failure: 'connection refused', durationMs: 0 }),
  ]
  const [first = '', ...lines] = text.trim().split('\n')
  const known = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}(?<event>\S+) {2}\S+ {2}(?<outcome>.+)$/
  return [
    ...(first.startsWith('Secret  whsec_') ? [] : ['the first line has the secret']),
    ...lines.flatMap((line) => {
      const { event = '', outcome = '' } = known.exec(line)?.groups ?? {}
      return isEvent(event) && outcomes.includes(outcome) ? [] : [`not a line of the command: ${line}`]
    }),
  ]
}

/** The folders and files of ARCHITECTURE.md; a line that is indented continues the one before. */
export const treeProblems: Check = ({ text }) =>
  [...text.matchAll(/^(\S+(?: \S+\/)*)(?: |$)/gm)]
    .flatMap(([, paths = '']) => paths.split(' '))
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `there is no ${path}`)

const protocolSources = () => globSync('src/protocol/*.ts', { cwd: root }).map(textOf).join('\n')

/** The formulas of docs/protocol.md: what they are made of stands in the code. */
const notationProblems: Check = ({ text }) => {
  const code = protocolSources()
  const quoted = [...text.matchAll(/"(signet\/[\w/]+)"/g)].map(([, domain = '']) => `'${domain}'`)
  const fields = [...text.matchAll(/"(\w+)":/g)].map(([, field = '']) => field)
  return [...quoted.filter((domain) => !code.includes(domain)), ...fields.filter((field) => !code.includes(field))].map(
    (name) => `src/protocol has no ${name}`,
  )
}

const sha256 = (...parts: Buffer[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')
const bytesOf = (block: Block | undefined) => Buffer.from(block?.text.replace(/\s/g, '') ?? '', 'hex')

/** The numbers of the worked example follow from each other; make-vectors.test.ts compares them with the vectors. */
function exampleProblems(page: string): string[] {
  const [request, input, hash, reply, certificate, message, signed] = blocksOf(page).slice(-7)
  const [payload = ''] = /(?<=X-Signet-Certificate: )[^.]+/.exec(reply?.text ?? '') ?? []
  const leaf = sha256(Buffer.from([0]), bytesOf(message))
  const body = (block: Block | undefined) => Buffer.from(block?.text.split('\n\n')[1]?.trim() ?? '')
  const steps: [string, boolean][] = [
    ['the bytes that are hashed end with the body', bytesOf(input).toString().endsWith(body(request).toString())],
    ['H is their SHA-256', sha256(bytesOf(input)) === hash?.text.trim()],
    [
      'the message ends with the SHA-256 of the body',
      bytesOf(message)
        .toString('hex')
        .endsWith(sha256(body(reply))),
    ],
    [
      'the message has H',
      bytesOf(message)
        .toString('hex')
        .includes(hash?.text.trim() ?? '-'),
    ],
    ['the signed bytes end with the root', bytesOf(signed).toString('hex').endsWith(leaf)],
    ['the certificate has its payload', Buffer.from(payload, 'base64url').toString() === certificate?.text.trim()],
  ]
  return steps.filter(([, isRight]) => !isRight).map(([step]) => `wrong: ${step}`)
}

export const protocolProblems: Check = (block) => {
  const isExample = blocksOf(block.page)
    .slice(-7)
    .some(({ line }) => line === block.line)
  return isExample ? exampleProblems(block.page) : notationProblems(block)
}
