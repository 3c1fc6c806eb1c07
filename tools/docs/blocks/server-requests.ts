import type { CallDefinition } from '#contract/define-call.ts'
import { CallError } from '#contract/errors.ts'
import { clientBodies } from '#features/client-api/client-calls.ts'
import { installCommands } from '#features/apps/web/client-packages.ts'
import { features } from '../../../src/features.ts'
import { inputReaders, pathOf } from '#server/http/call-routes.ts'
import { version as commandLineVersion } from '../../../sdks/cli/src/new-api.ts'

/** Requests to a server of Signet, as `curl` on the pages makes them. */
interface Request {
  method: string
  url: URL
  headers: Record<string, string>
  /** The values of `-d`. */
  data: string[]
  isForm: boolean
}

const calls = features.flatMap(({ endpoints }) => endpoints.map(({ call }) => call))

/** Paths without a contract: programs' calls and the OpenAPI documents. */
const otherPaths = new Set([
  ...Object.keys(clientBodies).map((call) => `POST /api/1.0/client/${call}`),
  ...['', 'seller/', ...features.flatMap(({ openApi }) => Object.keys(openApi?.('') ?? {}))].map((name) =>
    name.startsWith('/') ? `GET ${name}` : `GET /api/1.0/${name}openapi.json`,
  ),
])

/** Names of the packages at `/clients/`. */
const packages = new Set([
  ...Object.values(installCommands('')).flatMap((text) => text.match(/(?<=\/clients\/)[\w.-]+\.(?:whl|tgz|tar\.gz)/g)),
  ...[commandLineVersion, 'VERSION'].map((version) => `signet-cli-${version}.tgz`),
])

/** The origins that stand for the reader's server. */
const ownOrigin =
  /^(?:\$SIGNET_URL|https?:\/\/(?:127\.0\.0\.1:8080|localhost:8080|signet\.example\.com|your\.host))(?=[/?]|$)/

/** A path of the reader's server as a URL; undefined for another server. */
export function ownUrl(text: string): URL | undefined {
  if (!ownOrigin.test(text)) return undefined
  // A variable of the shell stands for one part of the path.
  return new URL(text.replace(ownOrigin, '').replace(/\$\w+|…/g, 'value'), 'http://server')
}

const methodOptions = new Set(['-X', '--request'])
const dataOptions = new Set(['-d', '--data', '--data-raw', '--data-urlencode'])
const formOptions = new Set(['-F', '--form'])
const headerOptions = new Set(['-H', '--header'])
const valueOptions = new Set(['-o', '--output', '-u', '--max-time'])
const switches = /^(?:-[sSNfLkO]+|--fail-with-body|--fail|--location|--silent)$/

/** What the arguments of `curl` ask for; undefined for another server. */
function requestOf(args: readonly string[]): Request | undefined | string {
  const left = [...args]
  let method: string | undefined
  let url: URL | undefined
  const headers: Record<string, string> = {}
  const data: string[] = []
  let isForm = false
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (methodOptions.has(word)) method = left.shift()
    else if (dataOptions.has(word)) data.push(left.shift() ?? '')
    else if (formOptions.has(word)) {
      data.push(left.shift() ?? '')
      isForm = true
    } else if (headerOptions.has(word)) {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(left.shift() ?? '') ?? []
      headers[name.toLowerCase()] = value
    } else if (valueOptions.has(word)) left.shift()
    else if (word.startsWith('-')) {
      if (!switches.test(word)) return `curl ${word} is not known here`
    } else {
      url = ownUrl(word)
      if (!url) return undefined
    }
  }
  return url && { method: method ?? (data.length > 0 ? 'POST' : 'GET'), url, headers, data, isForm }
}

const patternOf = (call: CallDefinition): RegExp =>
  new RegExp(
    `^${pathOf(call)
      .replaceAll('.', String.raw`\.`)
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  )

/** A fixed path is meant before one with a parameter, as the server decides. */
const callOf = (method: string, path: string): CallDefinition | undefined =>
  calls
    .filter((call) => call.method === method && patternOf(call).test(path))
    .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)[0]

/** Problems of a path at `/clients/`, and of other fixed paths. */
export function pathProblems(method: string, path: string): string[] {
  if (otherPaths.has(`${method} ${path}`) || path === '/' || path.startsWith('/docs')) return []
  const [, name] = /^\/clients\/(.+)$/.exec(path) ?? []
  if (name) return packages.has(name) ? [] : [`the server offers no package ${name}`]
  return callOf(method, path) ? [] : [`there is no call ${method} ${path}`]
}

const fieldsOf = (pairs: Iterable<[string, string]>): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of pairs) {
    const [list] = /^.+(?=\[\]$)/.exec(name) ?? []
    if (list) fields[list] = [...((fields[list] as string[] | undefined) ?? []), value]
    else fields[name] = value
  }
  return fields
}

function partProblem(name: string, read: ((input: unknown) => unknown) | undefined, input: unknown): string[] {
  try {
    if (read) read(input)
    else if (Object.keys(input as object).length > 0) return [`the call takes no ${name}`]
    return []
  } catch (error) {
    if (error instanceof CallError) return [`${name}: ${error.message}`]
    return [`${name}: ${(error as Error).message}`]
  }
}

/** Problems of `curl ARGS`: its path, query, and body must be those of a call. */
export function requestProblems(args: readonly string[]): string[] {
  const request = requestOf(args)
  if (request === undefined) return []
  if (typeof request === 'string') return [request]
  const { method, url, headers, data, isForm } = request
  const unknown = pathProblems(method, url.pathname)
  const call = callOf(method, url.pathname)
  if (unknown.length > 0 || !call) return unknown
  const read = inputReaders(call)
  const title = `${method} ${url.pathname}`
  const problems = partProblem('query', read.query, fieldsOf(url.searchParams))
  if (headers['content-type']?.startsWith('application/json')) {
    try {
      problems.push(...partProblem('body', read.body, JSON.parse(data.join('').replace(/\$\w+/g, 'value'))))
    } catch {
      problems.push(`the body is not JSON: ${data.join('')}`)
    }
  } else if (data.length > 0 || call.body) {
    const pairs = data.filter((each) => !/=@/.test(each)).flatMap((each) => [...new URLSearchParams(each)])
    problems.push(...partProblem('form', isForm ? read.body : (read.form ?? read.body), fieldsOf(pairs)))
  }
  return problems.map((problem) => `${title}: ${problem}`)
}
