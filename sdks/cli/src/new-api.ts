import { readFileSync } from 'node:fs'
import { numberOf, textOf, type Values } from './command.ts'
import type { Output } from './output.ts'
import type { Profile } from './profiles.ts'
import { SellerApi } from './seller-api.ts'
import { usage } from './failures.ts'

export const version = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

export const timeoutMs = (values: Values): number => {
  const seconds = numberOf(values, 'timeout') ?? 60
  if (seconds < 1 || seconds > 86_400) throw usage('--timeout takes 1 to 86400 seconds')
  return seconds * 1000
}

export function newApi({ url, key }: Profile, values: Values, output: Output): SellerApi {
  const idempotencyKey = textOf(values, 'idempotency-key')
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,200}$/.test(idempotencyKey))
    throw usage('--idempotency-key takes 1 to 200 printable ASCII characters')
  return new SellerApi({
    url,
    key,
    idempotencyKey,
    timeoutMs: timeoutMs(values),
    userAgent: `signet-cli/${version}`,
    onWait: (seconds) => output.note(`Too many calls; waiting ${Math.ceil(seconds)} s`),
  })
}
