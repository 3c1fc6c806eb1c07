import type { Account } from './account.ts'
import type { Environment } from './environment.ts'
import { usage } from './failures.ts'
import type { Output } from './output.ts'
import { printable } from './printable.ts'
import type { SellerApi } from './seller-api.ts'

export interface Option {
  name: string
  /** Placeholder of its value; an option without one is a switch. */
  value?: string
  /** It can be given several times. */
  isList?: boolean
  summary: string
}

export type Values = Readonly<Record<string, string | boolean | string[] | undefined>>

export interface Run {
  environment: Environment
  output: Output
  args: readonly string[]
  values: Values
  /** The signed-in account; fails if there is none. */
  account: () => Account
  api: () => SellerApi
}

export interface Command {
  /** `licenses create`, or one word. */
  name: string
  /** Placeholders of the arguments; `[NAME]` can be left out, `NAME…` stands for one or more. */
  args?: readonly string[]
  summary: string
  options?: readonly Option[]
  /** Paragraphs below the options. */
  more?: string
  run: (run: Run) => Promise<void> | void
}

export const globalOptions: readonly Option[] = [
  { name: 'json', summary: 'Print the reply as JSON' },
  { name: 'profile', value: 'NAME', summary: 'The stored sign-in to use; default: default' },
  { name: 'url', value: 'URL', summary: 'The server, instead of SIGNET_URL' },
  { name: 'timeout', value: 'SECONDS', summary: 'The longest wait for each call, rate limits included; default: 60' },
  { name: 'allow-http', summary: 'Send the key to another machine without encryption' },
  { name: 'help', summary: 'Show how to use the command' },
]

export const yesOption: Option = { name: 'yes', summary: "Don't ask" }

export const onceOption: Option = {
  name: 'idempotency-key',
  value: 'TEXT',
  summary: 'Do it once, however often the command is run with this text in 24 hours',
}

export const pageOptions: readonly Option[] = [
  { name: 'page', value: 'N', summary: 'Page, from 1' },
  { name: 'limit', value: 'N', summary: 'Rows of a page, up to 100; default: 20' },
]

export function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** All values of an option that can be given several times. */
export function listOf(values: Values, name: string): string[] {
  const value = values[name]
  return Array.isArray(value) ? value : []
}

/** The whole number of an option. */
export function numberOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name)
  if (text === undefined) return undefined
  if (!/^\d{1,12}$/.test(text)) throw usage(`--${name} takes a whole number`)
  return Number(text)
}

export function requiredNumber(values: Values, name: string): number {
  const value = numberOf(values, name)
  if (value === undefined) throw usage(`--${name} is missing`)
  return value
}

export const pageOf = (values: Values) => ({
  page: numberOf(values, 'page') ?? 1,
  limit: numberOf(values, 'limit') ?? 20,
})

/** Prints the reply for programs, or else the sentence of the server. */
export function report(output: Output, reply: { message?: string }): void {
  if (output.isJson) output.json(reply)
  else output.line(printable(reply.message ?? 'Done'))
}
